import { readStateObject } from "../../../hooks/state/state_file.ts";

/** A session that has started and not ended, as far as its hooks reported. */
export interface OpenSession {
  /** The harness's session id. */
  readonly key: string;
  /** When a hook last made a note of it, in ms since 1970. */
  readonly at: number;
}

/** After a day a session without an end was more likely killed than left open. */
const RECENT_MS = 24 * 3600 * 1000;

/** The sessions in a state directory that may still be open, newest first. */
export function openSessions(stateDir: string, now: number = Date.now()): OpenSession[] {
  const open: OpenSession[] = [];
  for (const path of notePaths(`${stateDir}/sessions`)) {
    const note = readStateObject(path);
    if (typeof note?.key !== "string" || typeof note.at !== "number" || note.ended === true) continue;
    // doctor's own sessions have no end either.
    if (note.key.startsWith("test-doctor-")) continue;
    if (now - note.at < RECENT_MS) open.push({ key: note.key, at: note.at });
  }
  return open.sort((a, b) => b.at - a.at);
}

function notePaths(dir: string): string[] {
  try {
    return [...Deno.readDirSync(dir)].filter(({ name }) => name.endsWith(".json"))
      .map(({ name }) => `${dir}/${name}`);
  } catch {
    return []; // no session has started yet, or the directory cannot be read
  }
}

import { remove } from "../state/state_file.ts";

/**
 * Where a plugin keeps the conversations of its live sessions, if the harness has
 * no file of them (connectors/base/plugin/bridge.js writes them).
 */
export const KEPT_DIR = "transcripts";

/** A conversation that nobody asked for in this time belongs to no session. */
const KEEP_MS = 30 * 24 * 3600 * 1000;

/** Removes a conversation that a plugin kept; a file of the harness stays. */
export function removeKept(stateDir: string, path: string | undefined): void {
  if (path !== undefined && isKept(stateDir, path)) remove(path);
}

function isKept(stateDir: string, path: string): boolean {
  const slashes = (text: string) => text.replaceAll("\\", "/");
  const prefix = slashes(`${stateDir}/${KEPT_DIR}/`);
  return slashes(path).startsWith(prefix) && !slashes(path).slice(prefix.length).includes("/");
}

/** Removes conversations whose session was never ended. */
export function pruneKept(stateDir: string, now: number): void {
  try {
    for (const { name } of Deno.readDirSync(`${stateDir}/${KEPT_DIR}`)) {
      const path = `${stateDir}/${KEPT_DIR}/${name}`;
      if (now - (Deno.statSync(path).mtime?.getTime() ?? 0) > KEEP_MS) remove(path);
    }
  } catch {
    // There is no such directory, or another process was faster.
  }
}

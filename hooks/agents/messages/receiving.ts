import { exists } from "../../state/exists.ts";
import { parentDir } from "../../state/paths.ts";
import { remove } from "../../state/state_file.ts";
import { fnv } from "../dir.ts";

/** The daemon sends something every 15 s; an older note is of a process that was killed. */
const LIVE_MS = 40_000;

/**
 * Notes that this process has just heard from the daemon, and brings the messages for
 * an agent into the inboxes of this machine. Hooks need not fetch them then. Never throws.
 */
export function noteReceiving(dir: string, url: string, agentId: string): void {
  const path = notePath(dir, url, agentId);
  try {
    const now = Date.now() / 1000;
    Deno.utimeSync(path, now, now);
  } catch {
    try {
      create(path);
    } catch {
      // The disk is full, or an uninstall has removed `dir`, which must stay away.
    }
  }
}

/**
 * Notes that this process hears no more. Another one that still does will note it again
 * soon; until then hooks fetch what it brings anyway.
 */
export function forgetReceiving(dir: string, url: string, agentId: string): void {
  remove(notePath(dir, url, agentId));
}

function create(path: string): void {
  try {
    // Not `recursive`: it would create the directory of the mesh again.
    Deno.mkdirSync(parentDir(path), { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  Deno.writeTextFileSync(path, "", { mode: 0o600 });
}

/** Whether some process on this machine does so now. */
export function isReceiving(dir: string, url: string, agentId: string): boolean {
  const path = notePath(dir, url, agentId);
  if (!exists(path)) return false;
  try {
    const age = Date.now() - (Deno.lstatSync(path).mtime?.getTime() ?? 0);
    return age >= 0 && age < LIVE_MS;
  } catch {
    return false;
  }
}

function notePath(dir: string, url: string, agentId: string): string {
  const text = `${agentId} ${url}`;
  return `${dir}/receiving/${fnv(text, 0x811c9dc5)}${fnv(text, 0x01000193)}`;
}

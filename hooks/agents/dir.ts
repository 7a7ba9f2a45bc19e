import { exists } from "../state/exists.ts";
import { HOST, stateDir, type Surroundings } from "../state/paths.ts";
import { ensureDir } from "../state/state_file.ts";

/** `~/.local/state/signet/agents`: live sessions, inboxes, locks. */
export function agentsDir(host: Surroundings = HOST): string | undefined {
  return stateDir("agents", host);
}

/**
 * The directory, if there is one and it belongs to this user alone. Nobody else can
 * then put a file or a link below it, so the files in it need no such check.
 */
export function openAgentsDir(host: Surroundings = HOST): string | undefined {
  const dir = agentsDir(host);
  return dir !== undefined && isPrivateDir(dir, host) ? dir : undefined;
}

/** The same, made if need be. Throws if it cannot be made or belongs to somebody else. */
export function makeAgentsDir(host: Surroundings = HOST): string {
  const dir = agentsDir(host);
  if (dir === undefined) throw new Error("HOME is not set, so there is no place for messages.");
  ensureDir(dir);
  if (!isPrivateDir(dir, host)) throw new Error(`${dir} is not a directory that only you can use.`);
  return dir;
}

function isPrivateDir(dir: string, host: Pick<Surroundings, "os">): boolean {
  if (!exists(dir)) return false;
  try {
    const { isDirectory, uid, mode } = Deno.lstatSync(dir);
    if (!isDirectory) return false;
    if (host.os === "windows") return true;
    return uid === Deno.uid() && ((mode ?? 0) & 0o077) === 0;
  } catch {
    return false;
  }
}

/** The name of a session's files: `..` and slashes in a key do no harm. */
export function sessionName(harness: string, key: string): string {
  const readable = key.replace(/[^A-Za-z0-9_-]/g, "").slice(0, 40);
  const text = `${harness} ${key}`;
  return `${harness}-${readable}-${fnv(text, 0x811c9dc5)}${fnv(text, 0x01000193)}`;
}

/** FNV-1a with a choice of seed: two of them make 64 bits, at no cost to a hook's start. */
export function fnv(text: string, seed: number): string {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

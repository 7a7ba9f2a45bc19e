import { parseObject } from "../json.ts";
import { exists } from "./exists.ts";
import { makeStateDir } from "./made_dirs.ts";
import { isDirectory, parentDir } from "./paths.ts";

/** Files under `~/.local/state/signet/<harness>`: only this user may read them. */
const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;

/** A state directory that this process never creates; see `neverCreate`. */
let given: string | undefined;

/**
 * From now on this process creates directories below `dir`, but not `dir` itself: whoever
 * outlives an uninstall must not bring it back.
 */
export function neverCreate(dir: string): void {
  given = dir;
}

/** The same if there is a directory: the first hook may create it. */
export function neverCreateAgain(dir: string | undefined): void {
  if (dir !== undefined && isDirectory(dir)) neverCreate(dir);
}

/** Creates a directory. Throws NotFound if the state directory was removed. */
export function ensureDir(dir: string): void {
  if (given === undefined || !`${dir}/`.startsWith(`${given}/`)) {
    return makeStateDir(dir);
  }
  let path = given;
  for (const name of dir.slice(given.length).split("/").filter(Boolean)) {
    path += `/${name}`;
    if (isDirectory(path)) continue;
    try {
      // Not `recursive`: it would create the state directory again.
      Deno.mkdirSync(path, { mode: PRIVATE_DIR });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}

/** The text of a state file, `missing`, or `unusable`: not a regular file, too large, unreadable. */
export type StateFile =
  | { readonly kind: "text"; readonly text: string; /** In ms since 1970. */ readonly modified: number }
  | { readonly kind: "missing" }
  | { readonly kind: "unusable" };

/** Notes are a few kilobytes, and an entry of the spool has at most one inline transcript. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;

export function readStateFile(path: string, maxBytes = MAX_STATE_BYTES): StateFile {
  try {
    // Checked before opening: opening a FIFO waits for a writer, for ever.
    const { isFile, size, mtime } = Deno.statSync(path);
    if (!isFile || size > maxBytes) return { kind: "unusable" };
    return { kind: "text", text: Deno.readTextFileSync(path), modified: mtime?.getTime() ?? 0 };
  } catch (error) {
    return { kind: error instanceof Deno.errors.NotFound ? "missing" : "unusable" };
  }
}

/** The text of a small state file; undefined if it does not exist or cannot be read. */
export function readState(path: string, maxBytes?: number): string | undefined {
  if (!exists(path)) return undefined;
  const file = readStateFile(path, maxBytes);
  return file.kind === "text" ? file.text : undefined;
}

/** Whether opening this path for writing cannot block: it is a regular file, or there is none yet. */
export function isWritableFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

/** The JSON object in a small state file; undefined if there is none. */
export function readStateObject(path: string, maxBytes?: number): Record<string, unknown> | undefined {
  const text = readState(path, maxBytes);
  return text === undefined ? undefined : parseObject(text);
}

/** Replaces a note atomically. Not durable: notes may be lost. */
export function writeNote(path: string, text: string): void {
  try {
    replace(path, text);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    // Create the directory only when a write fails: this saves a stat per hook.
    ensureDir(parentDir(path));
    replace(path, text);
  }
}

/**
 * Writes over a note in place, so a reader may see half of it. To replace a file takes
 * 2 ms on ext4, which then starts to write the new one to the disk; this takes 0.2 ms.
 */
export function overwrite(path: string, text: string): void {
  if (!isWritableFile(path)) return;
  try {
    using file = Deno.openSync(path, { write: true, create: true, mode: PRIVATE_FILE });
    const bytes = new TextEncoder().encode(text);
    for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
    file.truncateSync(bytes.length);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    writeNote(path, text);
  }
}

function replace(path: string, text: string): void {
  const temporary = `${path}.${unique()}.tmp`;
  try {
    Deno.writeTextFileSync(temporary, text, { createNew: true, mode: PRIVATE_FILE });
    Deno.renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw error;
  }
}

/** Writes a file durably: file fsync, rename, directory fsync. */
export function writeDurable(dir: string, name: string, text: string): void {
  const temporary = `${dir}/.${name}.${unique()}.tmp`;
  try {
    using file = Deno.openSync(temporary, { write: true, createNew: true, mode: PRIVATE_FILE });
    const bytes = new TextEncoder().encode(text);
    for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
    file.syncSync();
  } catch (error) {
    remove(temporary);
    throw error;
  }
  try {
    Deno.renameSync(temporary, `${dir}/${name}`);
  } catch (error) {
    remove(temporary);
    throw error;
  }
  syncDir(dir);
}

/** Makes the renames in a directory survive a power cut. */
export function syncDir(dir: string): void {
  try {
    using opened = Deno.openSync(dir, { read: true });
    opened.syncSync();
  } catch {
    // Windows does not support or need a directory fsync.
  }
}

export function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It is gone already or may not be removed; callers do not depend on it.
  }
}

/** Eight hex digits, for unique names. */
export function unique(): string {
  return crypto.randomUUID().slice(0, 8);
}

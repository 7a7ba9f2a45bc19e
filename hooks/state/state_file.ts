import { parseObject } from "../json.ts";
import { parentDir } from "./paths.ts";

/** Our files under `~/.local/state/signet/<harness>`: for this user's eyes only. */
const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;

export function ensureDir(dir: string): void {
  Deno.mkdirSync(dir, { recursive: true, mode: PRIVATE_DIR });
}

/** The text of a small file of ours; undefined if it is not there or cannot be read. */
export function readState(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

/** A JSON object in a small file of ours; undefined if there is none, or another thing. */
export function readStateObject(path: string): Record<string, unknown> | undefined {
  const text = readState(path);
  return text === undefined ? undefined : parseObject(text);
}

/** Replaces a note in one step, so that no reader sees half of it. Not durable: notes may be lost. */
export function writeNote(path: string, text: string): void {
  const temporary = `${path}.${unique()}.tmp`;
  try {
    Deno.writeTextFileSync(temporary, text, { createNew: true, mode: PRIVATE_FILE });
    Deno.renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    // The directory is made on the first write only: a stat per hook is saved.
    ensureDir(parentDir(path));
    Deno.writeTextFileSync(temporary, text, { createNew: true, mode: PRIVATE_FILE });
    Deno.renameSync(temporary, path);
  }
}

/** Writes a file that survives a power cut once this returns: file fsync, rename, directory fsync. */
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

function syncDir(dir: string): void {
  try {
    using opened = Deno.openSync(dir, { read: true });
    opened.syncSync();
  } catch {
    // Windows has no directory fsync, and needs none.
  }
}

export function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Gone already, or not ours to remove: the caller's work does not depend on it.
  }
}

/** Eight hex digits, for names that must not meet. */
export function unique(): string {
  return crypto.randomUUID().slice(0, 8);
}

import { parseObject } from "../../../../hooks/json.ts";
import { MADE_DIRS } from "../../../../hooks/state/made_dirs.ts";
import { atomicWrite } from "../../fs/atomic_write.ts";
import { dirOf, nameOf, within } from "../../fs/file_path.ts";
import type { Held, Os } from "../../fs/os.ts";
import { decode, encode } from "../../fs/text_bytes.ts";
import { SOURCE_RECORD } from "../../programs/release_source_record.ts";
import { fromRecorded, homeOf, isInside, toRecorded } from "../ledger/ledger_paths.ts";

/** One lock for all harnesses of a user, because they share files such as the program. */
export function lockPath(stateDir: string): string {
  return within(dirOf(stateDir), "install.lock");
}

/** The list of directories that were created for our files; the last uninstall removes them. */
function dirsPath(lock: string): string {
  return within(dirOf(lock), MADE_DIRS);
}

export async function noteLockDirs(os: Os, lock: string, made: readonly string[]): Promise<void> {
  if (made.length === 0) return;
  const dirs = [...new Set([...await madeDirs(os, lock), ...made])];
  await atomicWrite(os, dirsPath(lock), encode(JSON.stringify({ at: dirOf(lock), dirs }) + "\n"), 0o600);
}

async function madeDirs(os: Os, lock: string): Promise<string[]> {
  const text = decode(await os.read(dirsPath(lock)).catch(() => undefined) ?? new Uint8Array()) ?? "";
  return text.split("\n").flatMap((line) => listedDirs(line, dirOf(lock)));
}

/** The directories of one line. install.sh writes a list of paths that begin with `~`. */
function listedDirs(line: string, signet: string): string[] {
  const { at, dirs } = parseObject(line.startsWith("[") ? `{"dirs":${line}}` : line) ?? {};
  if (!Array.isArray(dirs)) return [];
  const [then, now] = [typeof at === "string" ? homeOf(at) : undefined, homeOf(signet)];
  return dirs.filter((dir) => typeof dir === "string").flatMap((dir) => {
    const recorded = toRecorded(dir, then);
    // In a copied home, an absolute path names a directory of the other one.
    const isHere = recorded.startsWith("~") || at === signet || isInside(signet, recorded);
    return isHere ? fromRecorded(recorded, now) ?? [] : [];
  });
}

/**
 * Removes the lock file if no harness is installed, while the lock is held. With
 * `forget`, the record of where the programs came from goes too. Returns
 * directories that may be empty.
 */
export async function removeLock(os: Os, lock: string, options = { forget: false }): Promise<string[]> {
  const dir = dirOf(lock);
  const source = within(dir, SOURCE_RECORD);
  const known = [lock, dirsPath(lock), source].map(nameOf);
  if ((await os.list(dir)).some((name) => !known.includes(name))) return [];
  const dirs = await madeDirs(os, lock);
  // install.sh writes both, for the uninstall that removes the last harness.
  const keep = !options.forget && await os.lstat(source) !== undefined;
  for (const path of [...keep ? [] : [dirsPath(lock), source], lock]) {
    if (await os.lstat(path)) await os.remove(path);
  }
  return [dir, ...dirs];
}

const MAKE_TRIES = 5;

function isNotFound(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound ||
    (error instanceof Error && error.cause instanceof Deno.errors.NotFound);
}

/**
 * Waits for the lock. It is a file lock of the system, so a killed install leaves
 * only an empty file. `makeDir` creates the directory of the file, which an
 * uninstall may remove while we wait.
 */
export async function acquire(
  os: Os,
  path: string,
  makeDir: () => Promise<void> = () => Promise.resolve(),
  patience = 30_000,
): Promise<Held> {
  const until = Date.now() + patience;
  let failures = 0;
  while (true) {
    try {
      await makeDir();
    } catch (error) {
      // An uninstall removes a directory while the one in it is created.
      if (++failures >= MAKE_TRIES || !isNotFound(error)) throw error;
      continue;
    }
    const held = await tryLock(os, path);
    if (held) return held;
    if (Date.now() > until) {
      throw new Error(
        `another install has held ${path} for ${
          Math.round(patience / 1000)
        } s; wait for it to end and try again`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function tryLock(os: Os, path: string): Promise<Held | undefined> {
  try {
    return await os.tryLock(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

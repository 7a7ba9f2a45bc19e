import { atomicWrite } from "../fs/atomic_write.ts";
import { dirOf, nameOf, within } from "../fs/file_path.ts";
import type { Held, Os } from "../fs/os.ts";
import { decode, encode } from "../fs/text_bytes.ts";

/** One lock for all harnesses of a user: two of them may share a file, such as the program. */
export function lockPath(stateDir: string): string {
  return within(dirOf(stateDir), "install.lock");
}

/** Which directories exist for the lock's sake, whichever harness made them: the last one to go takes them along. */
function dirsPath(lock: string): string {
  return lock.replace(/\.lock$/, ".dirs");
}

export async function noteLockDirs(os: Os, lock: string, made: readonly string[]): Promise<void> {
  if (made.length === 0) return;
  const all = [...new Set([...await lockDirs(os, lock), ...made])];
  await atomicWrite(os, dirsPath(lock), encode(JSON.stringify(all) + "\n"), 0o600);
}

async function lockDirs(os: Os, lock: string): Promise<string[]> {
  try {
    const value: unknown = JSON.parse(decode(await os.read(dirsPath(lock)) ?? new Uint8Array()) || "[]");
    return Array.isArray(value) ? value.filter((dir) => typeof dir === "string") : [];
  } catch {
    return [];
  }
}

/** Removes the lock's file with the last harness, while we still hold it. Returns directories that may be empty now. */
export async function removeLock(os: Os, lock: string): Promise<string[]> {
  const dir = dirOf(lock);
  const own = [nameOf(lock), nameOf(dirsPath(lock))];
  if ((await os.list(dir)).some((name) => !own.includes(name))) return [];
  const dirs = await lockDirs(os, lock);
  for (const path of [dirsPath(lock), lock]) if (await os.lstat(path)) await os.remove(path);
  return [dir, ...dirs];
}

/**
 * Waits for the lock. It is the system's own file lock, so a killed install
 * leaves none behind, only the empty file that carried it. `makeDir` makes the
 * file's directory, which an uninstall may take away while we wait.
 */
export async function acquire(
  os: Os,
  path: string,
  makeDir: () => Promise<void> = () => Promise.resolve(),
  patience = 30_000,
): Promise<Held> {
  const until = Date.now() + patience;
  for (;;) {
    await makeDir();
    const held = await tryLock(os, path);
    if (held) return held;
    if (Date.now() > until) {
      throw new Error(
        `another install holds ${path} since ${
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

import { dirOf, within } from "./file_path.ts";
import type { Held, Os } from "./os.ts";

/** One lock for all harnesses of a user: two of them may share a file, such as the program. */
export function lockPath(stateDir: string): string {
  return within(dirOf(stateDir), "install.lock");
}

/**
 * Waits for the lock. It is the system's own file lock, so a killed install
 * leaves none behind, only the empty file that carried it.
 */
export async function acquire(os: Os, path: string, patience = 30_000): Promise<Held> {
  const until = Date.now() + patience;
  for (;;) {
    const held = await os.tryLock(path);
    if (held) {
      // The holder before us may have removed the file: then ours is a lock on nothing.
      if (await os.stat(path)) return held;
      await held.release();
      continue;
    }
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

import { isWritableFile } from "../state/state_file.ts";

const PAUSE_MS = 20;

/**
 * `drain`: sends the spool. `waiter`: waits for an offline daemon. `sweep`: looks
 * for sessions without an end. `ends`: writes the end of a session.
 */
export type LockName = "drain.lock" | "drain.waiter" | "sweep.lock" | "ends.lock";

/** A file lock that the system releases when its process ends, however it ends. */
export class DrainLock {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** The lock, or undefined if another process holds it or the file cannot be opened. */
  static take(stateDir: string, name: LockName): DrainLock | undefined {
    let file: Deno.FsFile | undefined;
    const path = `${stateDir}/${name}`;
    if (!isWritableFile(path)) return undefined;
    try {
      file = Deno.openSync(path, { write: true, create: true, mode: 0o600 });
      if (file.tryLockSync(true)) return new DrainLock(file);
    } catch {
      // Cannot be opened: treat it as held. The directory is not created, because a
      // drain that outlives an uninstall must leave nothing behind.
    }
    file?.close();
    return undefined;
  }

  /** The same, after waiting for another process to release it. */
  static async wait(stateDir: string, name: LockName, waitMs: number): Promise<DrainLock | undefined> {
    const end = performance.now() + waitMs;
    while (true) {
      const lock = DrainLock.take(stateDir, name);
      if (lock !== undefined || performance.now() >= end) return lock;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  release(): void {
    this.#file.unlockSync();
    this.#file.close();
  }
}

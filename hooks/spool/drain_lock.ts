import { isWritableFile } from "../state/state_file.ts";

/** A file lock that the system releases when its process ends, however it ends. */
export class DrainLock {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** The lock, or undefined if another process holds it or the file cannot be opened. */
  static take(stateDir: string, name: "drain.lock" | "drain.waiter"): DrainLock | undefined {
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

  release(): void {
    this.#file.unlockSync();
    this.#file.close();
  }
}

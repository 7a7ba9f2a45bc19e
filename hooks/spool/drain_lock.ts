/** A lock that the system takes back when its holder dies, however it dies. */
export class DrainLock {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** The lock, or undefined if another process has it or it cannot be had here. */
  static take(stateDir: string, name: "drain.lock" | "drain.waiter"): DrainLock | undefined {
    let file: Deno.FsFile | undefined;
    try {
      file = Deno.openSync(`${stateDir}/${name}`, { write: true, create: true, mode: 0o600 });
      if (file.tryLockSync(true)) return new DrainLock(file);
    } catch {
      // Not to be had, which is the same as taken. No directory is made here: after
      // an uninstall a late drain must leave nothing behind.
    }
    file?.close();
    return undefined;
  }

  release(): void {
    this.#file.unlockSync();
    this.#file.close();
  }
}

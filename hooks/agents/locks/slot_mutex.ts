/**
 * Only one process at a time may remove lock files: otherwise one that saw a
 * dead lock could remove the live lock that another put in its place a moment
 * later. The system releases it when the process ends, however it ends.
 * Taking a free lock does not need it.
 */
export class SlotMutex {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /**
   * Undefined if another process holds it all the time, such as one that is stopped.
   * It is held for a few system calls, which take seconds only on an overloaded machine.
   */
  static async wait(dir: string, name: string, waitMs = 30_000): Promise<SlotMutex | undefined> {
    const end = performance.now() + waitMs;
    // Sixteen files, by a digit of the hash in the name: sessions rarely wait for each other.
    const path = `${dir}/.mutex-${name[7] ?? "0"}`;
    while (true) {
      const file = Deno.openSync(path, { write: true, create: true, mode: 0o600 });
      try {
        if (file.tryLockSync(true)) return new SlotMutex(file);
      } catch (error) {
        file.close();
        throw error;
      }
      file.close();
      if (performance.now() >= end) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 5));
    }
  }

  [Symbol.dispose](): void {
    this.#file.unlockSync();
    this.#file.close();
  }
}

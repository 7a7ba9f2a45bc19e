/** Turns a burst of events into one. */
export class Debounce {
  #pending = false;
  #doubtful = false;
  #last = 0;
  #resolve: (() => void) | undefined;

  /** Records an event. */
  trigger(): void {
    this.#pending = true;
    this.#last = performance.now();
    this.#resolve?.();
  }

  /** Records that an event may have been missed. */
  doubt(): void {
    if (this.#doubtful) return;
    this.#doubtful = true;
    this.#resolve?.();
  }

  /**
   * Waits for an event, at most `ms`; returns whether there was one. If one may have
   * been missed, waits only `doubtMs` more for it.
   */
  async triggered(ms: number, doubtMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#pending && !this.#doubtful) await this.#pause(ms, signal);
    if (!this.#pending && this.#doubtful) await this.#pause(doubtMs, signal);
    this.#doubtful = false;
    return this.#pending;
  }

  /** Waits until there was no event for `quietMs`, at most `maxMs`, and clears the events. */
  async quiet(quietMs: number, maxMs: number, signal: AbortSignal): Promise<void> {
    const end = performance.now() + maxMs;
    while (!signal.aborted) {
      const now = performance.now();
      const wait = Math.min(this.#last + quietMs, end) - now;
      if (wait <= 0) break;
      await this.#pause(wait, signal);
    }
    this.#pending = false;
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = () => resolve();
    const timer = setTimeout(done, ms);
    this.#resolve = done;
    signal.addEventListener("abort", done);
    await promise;
    signal.removeEventListener("abort", done);
    clearTimeout(timer);
    this.#resolve = undefined;
  }
}

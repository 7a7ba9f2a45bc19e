import { readStateObject, remove, writeNote } from "../state/state_file.ts";

/** How long to skip a daemon that hung: it then costs one timeout per half minute, not one per prompt. */
export const BREAKER_MS = 30_000;

export interface BreakerState {
  open: boolean;
  /** Milliseconds until the next try. */
  leftMs: number;
}

/**
 * Skips the network for a while after a timeout. A refused connection does not
 * open it: that costs 2.5 ms, and memory is back the moment the daemon is.
 */
export class Breaker {
  readonly #path: string | undefined;
  readonly #url: string;
  readonly #now: () => number;
  #recorded = false;

  constructor(dir: string | undefined, url: string, now: () => number = Date.now) {
    this.#path = dir === undefined ? undefined : `${dir}/breaker.json`;
    this.#url = url;
    this.#now = now;
  }

  state(): BreakerState {
    const left = this.#left();
    return { open: left > 0, leftMs: Math.max(0, left) };
  }

  /** Whether to skip the request. After the pause, the first caller gets to try. */
  skip(tryMs: number): boolean {
    const left = this.#left();
    if (left > 0) return true;
    // The others keep skipping while this caller tries; otherwise ten prompts would hang at once.
    if (this.#recorded) this.#write(tryMs);
    return false;
  }

  timedOut(): void {
    this.#write(BREAKER_MS);
  }

  answered(): void {
    if (this.#recorded && this.#path !== undefined) remove(this.#path);
  }

  #left(): number {
    if (this.#path === undefined) return 0;
    const note = readStateObject(this.#path);
    if (note === undefined || note.url !== this.#url || typeof note.until !== "number") return 0;
    this.#recorded = true;
    const left = note.until - this.#now();
    // A clock that was set back would keep the breaker open for years.
    return left > BREAKER_MS ? 0 : left;
  }

  #write(ms: number): void {
    if (this.#path === undefined) return;
    this.#recorded = true;
    try {
      writeNote(
        this.#path,
        JSON.stringify({ url: this.#url, until: this.#now() + Math.min(ms, BREAKER_MS) }),
      );
    } catch {
      // On a read-only disk each prompt costs a timeout.
    }
  }
}

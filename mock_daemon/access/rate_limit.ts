import type { MockContext } from "../http/call.ts";
import type { State } from "../state.ts";

const WINDOW_MS = 60_000;

/** Counts calls per caller and minute. */
export class RateLimit {
  readonly #windows = new Map<string, { count: number; until: number }>();
  readonly #clock: () => number;
  readonly #max: number;

  constructor(clock: () => number, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Counts a call. Returns when the limit ends if the caller is over it; that call does not count. */
  count(caller: string): number | undefined {
    const now = this.#clock();
    if (this.#windows.size > 1000) {
      for (const [known, { until }] of this.#windows) if (until <= now) this.#windows.delete(known);
    }
    const current = this.#windows.get(caller);
    const window = current !== undefined && current.until > now
      ? current
      : { count: 0, until: now + WINDOW_MS };
    this.#windows.set(caller, window);
    if (window.count >= this.#max) return window.until;
    window.count++;
    return undefined;
  }
}

export function retryAfter(c: MockContext, state: State, until: number): void {
  c.header("Retry-After", String(Math.max(1, Math.ceil((until - state.clock()) / 1000))));
}

/** The real daemon's 429: seconds in the header, and a moment in milliseconds in the body. */
export function tooMany(c: MockContext, state: State, until: number): Response {
  retryAfter(c, state, until);
  return c.json({ error: "rate limit exceeded", retryAfter: until }, 429);
}

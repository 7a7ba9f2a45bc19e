import { assert } from "@std/assert";

/** One text in three sizes: 10 kB, 100 kB and 1 MB. */
export type GrowingText = readonly [string, string, string];

export function growingText(text: (size: number) => string): GrowingText {
  return [text(10_000), text(100_000), text(1_000_000)];
}

/**
 * A linear function takes as long for one large text as for many small ones of the
 * same total size; a quadratic one takes 10 times as long at 100 kB, and 100 times
 * at 1 MB. The check at 100 kB saves waiting for the latter.
 */
const MOST = { medium: 5, large: 20 };
/**
 * A function with a quadratic part that exceeds the limit at 1 MB takes at least 2.7
 * times as long at 100 kB. Below this, in two measurements, 1 MB need not be tried.
 */
const SURELY_LINEAR = 2;
/** A busy machine can spoil a measurement, but not many in a row. */
const TRIES = 10;
/** After three tries, more than this many times the limit is no bad luck. */
const HOPELESS = 1.6;
/** A shorter time says more about the clock than about the function. */
const LEAST_MS = 0.5;

/**
 * Fails unless the time of `work` grows linearly with the size of its text. Both sides
 * of the comparison are the same amount of text, so a slow or busy machine slows both.
 */
export function assertLinear(
  what: string,
  [small, medium, large]: GrowingText,
  work: (text: string) => unknown,
): void {
  const limits = [[medium, MOST.medium, "100 kB"], [large, MOST.large, "1 MB"]] as const;
  for (const [text, most, size] of limits) {
    const count = Math.max(1, Math.round(text.length / Math.max(1, small.length)));
    let ratio = Infinity;
    let linear = 0;
    for (let i = 0; i < TRIES && !(ratio <= most && (i > 1 || size === "1 MB")); i++) {
      if (i > 2 && ratio > most * HOPELESS) break;
      const pieces = timeOf(work, small, count);
      const measured = timeOf(work, text, 1) / Math.max(LEAST_MS, pieces);
      ratio = Math.min(ratio, measured);
      if (pieces >= LEAST_MS && measured <= SURELY_LINEAR) linear++;
      // At this speed a try at 1 MB costs less than another one here.
      else if (pieces < LEAST_MS && ratio <= most) break;
    }
    assert(
      ratio <= most,
      `${what}: ${size} took ${Math.round(ratio)} times as long as the same text in pieces of 10 kB`,
    );
    if (size === "100 kB" && linear >= 2) return;
  }
}

function timeOf(work: (text: string) => unknown, text: string, count: number): number {
  const started = performance.now();
  for (let i = 0; i < count; i++) work(text);
  return performance.now() - started;
}

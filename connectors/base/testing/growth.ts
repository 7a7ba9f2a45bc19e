import { assert } from "@std/assert";

/** One text in three sizes: 10 kB, 100 kB and 1 MB. */
export type GrowingText = readonly [string, string, string];

export function growingText(text: (size: number) => string): GrowingText {
  return [text(10_000), text(100_000), text(1_000_000)];
}

/**
 * From 10 kB to 1 MB the time of a linear function grows by 100, of a quadratic one
 * by 10,000. The check at 100 kB saves waiting for the latter.
 */
const MOST = { medium: 70, large: 1000 };
/** A busy machine can spoil a measurement, but not many in a row. */
const TRIES = 10;
/** Beyond this, no busy machine explains it. */
const HOPELESS = 3;
/** A shorter time says more about the clock than about the function. */
const LEAST_MS = 0.05;

/**
 * Fails unless the time of `work` grows linearly with the size of its text. It compares
 * times with each other, so it holds on a machine of any speed.
 */
export function assertLinear(
  what: string,
  [small, medium, large]: GrowingText,
  work: (text: string) => unknown,
): void {
  for (const [text, most, size] of [[medium, MOST.medium, "100 kB"], [large, MOST.large, "1 MB"]] as const) {
    let ratio = Infinity;
    for (let i = 0; i < TRIES && ratio > most && !(i > 2 && ratio > most * HOPELESS); i++) {
      const least = Math.max(LEAST_MS, Math.min(timeOf(work, small), timeOf(work, small)));
      ratio = Math.min(ratio, timeOf(work, text) / least);
    }
    assert(ratio <= most, `${what}: at ${size} it took ${Math.round(ratio)} times as long as at 10 kB`);
  }
}

function timeOf(work: (text: string) => unknown, text: string): number {
  const started = performance.now();
  work(text);
  return performance.now() - started;
}

import { assert } from "@std/assert";

/** One text in three sizes: 10 kB, 100 kB and 1 MB. */
export type GrowingText = readonly [string, string, string];

export function growingText(text: (size: number) => string): GrowingText {
  return [text(10_000), text(100_000), text(1_000_000)];
}

/**
 * A linear function takes as long for one large text as for many small ones of the
 * same total size; a quadratic one takes 10 times as long at 100 kB, and 100 times
 * at 1 MB. Memory for large strings costs a little more, so 1 MB decides.
 */
const MOST = { medium: 5, large: 20 };
/**
 * A function with a quadratic part that exceeds the limit at 1 MB takes at least 2.7
 * times as long at 100 kB. Below this, in two measurements, 1 MB need not be tried.
 */
const SURELY_LINEAR = 2;
/** A function this slow at 100 kB, and not linear, would take a minute at 1 MB. */
const SLOW_MS = 300;
/** A busy machine can spoil a measurement, but not many in a row. */
const TRIES = 10;
/** After three tries, more than this many times the limit is no bad luck if it took this long. */
const HOPELESS = 1.6;
const LONG_MS = 3_000;
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
  if (isQuick(work, medium, MOST.medium) && isQuick(work, large, MOST.large)) return;
  const first = measure(work, small, medium);
  if (first.pieces >= LEAST_MS && first.ratio <= SURELY_LINEAR) {
    if (measure(work, small, medium).ratio <= SURELY_LINEAR) return;
  }
  if (first.ratio > MOST.medium && first.ms > SLOW_MS) {
    const ratio = leastRatio(work, small, medium, MOST.medium);
    assert(ratio <= MOST.medium, message(what, "100 kB", ratio));
  }
  const ratio = leastRatio(work, small, large, MOST.large);
  assert(ratio <= MOST.large, message(what, "1 MB", ratio));
}

/** Whether the ratio is low enough however little the pieces take, so that they need no measurement. */
function isQuick(work: (text: string) => unknown, text: string, most: number): boolean {
  return timeOf(work, text, 1) <= LEAST_MS * most;
}

/**
 * The least ratio of several measurements; stops at one that is low enough. Each takes
 * longer than the one before: a busy machine interrupts a short one on one side only.
 */
function leastRatio(work: (text: string) => unknown, small: string, text: string, most: number): number {
  let least = Infinity;
  for (let i = 0, repeats = 1; i < TRIES && least > most; i++, repeats *= 2) {
    const { ms, ratio } = measure(work, small, text, repeats);
    least = Math.min(least, ratio);
    if (i > 2 && ms > LONG_MS && least > most * HOPELESS) break;
  }
  return least;
}

function measure(
  work: (text: string) => unknown,
  small: string,
  text: string,
  repeats = 1,
): { ms: number; pieces: number; ratio: number } {
  const count = Math.max(1, Math.round(text.length / Math.max(1, small.length)));
  const pieces = timeOf(work, small, count * repeats);
  const ms = timeOf(work, text, repeats);
  return { ms, pieces, ratio: ms / Math.max(LEAST_MS, pieces) };
}

function message(what: string, size: string, ratio: number): string {
  return `${what}: ${size} took ${Math.round(ratio)} times as long as the same text in pieces of 10 kB`;
}

function timeOf(work: (text: string) => unknown, text: string, count: number): number {
  const started = performance.now();
  for (let i = 0; i < count; i++) work(text);
  return performance.now() - started;
}

/** Long enough for any machine: it ends a test that hangs, and says nothing about speed. */
export const HANG_MS = 120_000;
const PAUSE_MS = 10;

/**
 * Waits until `look` returns something other than `undefined` or `false`, and
 * returns it. `what` completes the sentence "Waited in vain until …".
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = HANG_MS,
): Promise<T> {
  const end = performance.now() + ms;
  while (true) {
    const result = await look();
    if (result !== undefined && result !== false) return result;
    if (performance.now() > end) throw new Error(`Waited ${ms / 1000} s in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

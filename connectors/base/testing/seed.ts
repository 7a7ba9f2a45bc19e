/**
 * The seed of this run's random tests. Their titles end with `SEEDED`, so a failed
 * run shows which seed to set: `SIGNET_TEST_SEED=… deno task test`.
 */
export const SEED = seedFrom(Deno.env.get("SIGNET_TEST_SEED"));
export const SEEDED = `(seed ${SEED})`;

function seedFrom(text: string | undefined): number {
  if (text === undefined || text === "") return Date.now() % 2 ** 31;
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new Error(`SIGNET_TEST_SEED=${text} is not an integer.`);
  return seed;
}

/** Some of the items, in random order. */
export function draw<T>(items: readonly T[], count: number, random: () => number): T[] {
  return items.map((item) => ({ item, at: random() })).sort((a, b) => a.at - b.at).slice(0, count)
    .map(({ item }) => item);
}

/** A `Math.random` whose numbers depend on the seed alone (mulberry32). */
export function seededRandom(seed = SEED): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

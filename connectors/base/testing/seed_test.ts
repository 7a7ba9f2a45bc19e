import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { seededRandom } from "./seed.ts";

Deno.test("seededRandom() repeats its numbers for a seed, and differs for another", () => {
  const numbers = (seed: number) => Array.from({ length: 100 }, seededRandom(seed));
  assertEquals(numbers(7), numbers(7));
  assertNotEquals(numbers(7), numbers(8));
  assert(numbers(7).every((number) => number >= 0 && number < 1));
});

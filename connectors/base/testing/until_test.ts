import { assertEquals, assertRejects } from "@std/assert";
import { until } from "./until.ts";

Deno.test("until() returns the first result that is neither undefined nor false", async () => {
  const results = [undefined, false, 0, 1];
  assertEquals(await until("there is a number", () => results.shift()), 0);
  assertEquals(await until("it is true", () => Promise.resolve(true)), true);
});

Deno.test("until() names what never happened", async () => {
  await assertRejects(() => until("pigs fly", () => false, 0), Error, "in vain until pigs fly.");
});

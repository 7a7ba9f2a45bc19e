import { assertEquals } from "@std/assert";
import { formatTarget, shuffled, stats } from "./stats.ts";

Deno.test("stats() of a hundred runs", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  assertEquals(stats(values), { min: 1, median: 51, p95: 96 });
});

Deno.test("formatTarget() says whether a promise is kept", () => {
  assertEquals(formatTarget({ name: "up", ratio: 1.2, limit: 1.25 }), "✓ up: 1.20 (≤ 1.25)");
  assertEquals(formatTarget({ name: "up", ratio: 1.3, limit: 1.25 }), "✗ up: 1.30 (≤ 1.25)");
  assertEquals(
    formatTarget({ name: "than node", ratio: 2, limit: 1.6, atLeast: true }),
    "✓ than node: 2.00 (≥ 1.6)",
  );
});

Deno.test("shuffled() keeps every item", () => {
  assertEquals(shuffled([1, 2, 3, 4, 5]).sort(), [1, 2, 3, 4, 5]);
});

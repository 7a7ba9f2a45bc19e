import { assertEquals } from "@std/assert";
import { formatTarget, shuffled, stats } from "./stats.ts";

Deno.test("stats() returns minimum, median and p95", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  assertEquals(stats(values), { min: 1, median: 51, p95: 96 });
});

Deno.test("formatTarget() shows the ratio and its limit", () => {
  assertEquals(formatTarget({ name: "up", ratio: 1.2, limit: 1.25 }), "✓ 1.20 ≤ 1.25  up");
  assertEquals(formatTarget({ name: "up", ratio: 1.3, limit: 1.25 }), "✗ 1.30 > 1.25  up");
  assertEquals(formatTarget({ name: "up", ratio: NaN, limit: 1.25 }), "✗ not measured  up");
});

Deno.test("shuffled() keeps every item", () => {
  assertEquals(shuffled([1, 2, 3, 4, 5]).sort(), [1, 2, 3, 4, 5]);
});

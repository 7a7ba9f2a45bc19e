import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ticks } from "./time_axis.js";

Deno.test("ticks() are inside the span, evenly spaced, and not more than asked for", () => {
  const year = 365 * 86_400_000;
  fc.assert(
    fc.property(
      fc.integer({ min: year, max: 100 * year }),
      fc.integer({ min: 20, max: 2 * year }),
      fc.integer({ min: 2, max: 20 }),
      (from, length, most) => {
        const times = ticks({ from, to: from + length }, most).map(({ time }) => time);
        assert(times.length <= most + 1, `${times.length} of ${most}`);
        assert(times.every((time) => time >= from && time <= from + length), String(times));
        const steps = new Set(times.slice(1).map((time, index) => time - (times[index] ?? NaN)));
        assert(steps.size <= 1, String([...steps]));
      },
    ),
  );
});

Deno.test("ticks() are labelled as precisely as they are apart", () => {
  const from = new Date(2026, 2, 1, 14, 5, 9).getTime();
  const labels = (length: number) => ticks({ from, to: from + length }, 4).map(({ label }) => label);
  assertEquals(labels(40), ["14:05:09.000", "14:05:09.010", "14:05:09.020", "14:05:09.030", "14:05:09.040"]);
  assertEquals(labels(20_000), ["14:05:10", "14:05:15", "14:05:20", "14:05:25"]);
  assertEquals(labels(40 * 60_000), ["14:10", "14:20", "14:30", "14:40"]);
});

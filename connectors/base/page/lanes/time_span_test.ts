import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { extent, fit, pan, reveal, share, within, zoom } from "./time_span.js";

function assertClose(actual: number, expected: number): void {
  assert(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);
}

const WHOLE = { from: 1_000_000, to: 1_600_000 };
const inside = fc.double({ min: WHOLE.from, max: WHOLE.to, noNaN: true });
const spans = fc.tuple(inside, inside).filter(([a, b]) => Math.abs(a - b) > 20).map(([a, b]) => ({
  from: Math.min(a, b),
  to: Math.max(a, b),
}));

Deno.test("share() puts a time at its true place, also outside of the span", () => {
  assertEquals([900, 1000, 1500, 2000, 2100].map((time) => share(time, { from: 1000, to: 2000 })), [
    -0.1,
    0,
    0.5,
    1,
    1.1,
  ]);
});

Deno.test("extent() covers all lanes up to now, and at least ten seconds", () => {
  assertEquals(extent([], 50_000), { from: 40_000, to: 50_000 });
  assertEquals(extent([{ from: 100, to: 300 }, { from: 200, to: 400 }], 90_000), { from: 100, to: 90_000 });
  assertEquals(extent([{ from: 100, to: 99_000 }], 90_000), { from: 100, to: 99_000 });
});

Deno.test("within() is undefined for everything, and never leaves the whole", () => {
  assertEquals(within(WHOLE, WHOLE), undefined);
  assertEquals(within({ from: 0, to: 9_000_000 }, WHOLE), undefined);
  assertEquals(within({ from: 0, to: 100_000 }, WHOLE), { from: 1_000_000, to: 1_100_000 });
  assertEquals(within({ from: 1_590_000, to: 1_690_000 }, WHOLE), { from: 1_500_000, to: 1_600_000 });
});

Deno.test("zoom() and pan() stay inside the whole, whatever the factor", () => {
  fc.assert(
    fc.property(spans, inside, fc.double({ min: 0.01, max: 100, noNaN: true }), (span, around, factor) => {
      for (const next of [zoom(span, factor, around, WHOLE), pan(span, factor - 1, WHOLE)]) {
        if (next === undefined) continue;
        assert(next.from >= WHOLE.from - 1e-6 && next.to <= WHOLE.to + 1e-6, JSON.stringify(next));
        assert(next.to - next.from >= 20 - 1e-6, JSON.stringify(next));
      }
    }),
  );
});

Deno.test("zoom() keeps the time under the pointer where it is, away from the edges", () => {
  const span = { from: 1_200_000, to: 1_400_000 };
  const next = zoom(span, 0.5, 1_250_000, WHOLE);
  assert(next !== undefined);
  assertClose(share(1_250_000, next), share(1_250_000, span));
  assertClose(next.to - next.from, 100_000);
});

Deno.test("zoom() out of everything is everything", () => {
  assertEquals(zoom({ from: 1_100_000, to: 1_500_000 }, 2, 1_200_000, WHOLE), undefined);
});

Deno.test("reveal() leaves a span that shows the time alone, and moves to one that it does not show", () => {
  const span = { from: 1_200_000, to: 1_300_000 };
  assertEquals(reveal(span, 1_250_000, WHOLE), span);
  for (const time of [1_000_000, 1_150_000, 1_450_000, 1_600_000]) {
    const next = reveal(span, time, WHOLE);
    assert(next !== undefined && time >= next.from && time <= next.to, `${time}: ${JSON.stringify(next)}`);
    assertClose(next.to - next.from, 100_000);
  }
});

Deno.test("fit() shows a lane with a margin, even one of a single moment", () => {
  const lane = { from: 1_300_000, to: 1_400_000 };
  const next = fit(lane, WHOLE);
  assert(next !== undefined && next.from < lane.from && next.to > lane.to);
  const moment = fit({ from: 1_300_000, to: 1_300_000 }, WHOLE);
  assert(moment !== undefined && moment.from < 1_300_000 && moment.to > 1_300_000);
});

import { assert, assertEquals } from "@std/assert";
import { layOut, spread } from "./lane_layout.js";

const at = (second: number) => new Date(second * 1000).toISOString();
const entry = (second: number, event: string | undefined, sessionKey?: string) => ({
  at: at(second),
  event,
  sessionKey,
  harness: "pi",
  agent: "default",
});

Deno.test("layOut() gives each session a lane, the newest first, on one axis", () => {
  const { lanes, from, to } = layOut(
    [
      entry(100, "session-start", "one"),
      entry(150, "session-start", "two"),
      entry(200, "session-end", "one"),
      entry(190, undefined, "three"),
      entry(190, "recall"),
    ],
    200_000,
  );
  assertEquals([from, to], [100_000, 200_000]);
  assertEquals(lanes.map(({ session, open, start, end }) => [session, open, start, end]), [
    ["one", false, 0, 1],
    ["two", true, 0.5, 1],
  ]);
});

Deno.test("layOut() reopens a lane that started again after its end", () => {
  const [lane] =
    layOut(["session-start", "session-end", "session-start"].map((event, i) => entry(i, event, "one")), 9000)
      .lanes;
  assertEquals(lane?.open, true);
});

Deno.test("layOut() without entries has no lanes and a ten-second axis", () => {
  const { lanes, from, to } = layOut([], 50_000);
  assertEquals([lanes.length, from, to], [0, 40_000, 50_000]);
});

Deno.test("spread() moves overlapping positions apart, in order and within the axis", () => {
  assertEquals(spread([0.1, 0.5, 0.9], 0.1), [0.1, 0.5, 0.9]);
  const cases = [[0, 0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.99, 1, 1], Array.from({ length: 500 }, () => 0.5)];
  for (const places of cases) {
    const moved = spread(places, 0.1);
    const least = Math.min(0.1, 1 / (places.length - 1));
    const gaps = moved.slice(1).map((place, index) => place - (moved[index] ?? NaN));
    assert(gaps.every((gap) => gap >= least - 1e-9), `${moved}`);
    assert((moved[0] ?? NaN) >= -1e-9 && (moved.at(-1) ?? NaN) <= 1 + 1e-9, `${moved}`);
  }
});

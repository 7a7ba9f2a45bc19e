import { assertEquals } from "@std/assert";
import { toLanes } from "./sessions.js";

let id = 0;
const entry = (at: number, event: string | undefined, sessionKey?: string, more = {}) => ({
  id: ++id,
  at: new Date(at).toISOString(),
  ms: 5,
  status: 200,
  outcome: "ok",
  harness: "pi",
  agent: "default",
  event,
  sessionKey,
  ...more,
});

Deno.test("toLanes() gives each session a lane, the one with the latest event first", () => {
  const lanes = toLanes([
    entry(100_000, "session-start", "one"),
    entry(150_000, "session-start", "two"),
    entry(200_000, "session-end", "one"),
    entry(190_000, undefined, "three"),
    entry(190_000, "recall"),
    entry(120_000, "session-start", "one", { agent: "bob" }),
  ]);
  assertEquals(lanes.map(({ key, open, from, to }) => [key, open, from, to]), [
    ["pi default one", false, 100_000, 200_005],
    ["pi default two", true, 150_000, 150_005],
    ["pi bob one", true, 120_000, 120_005],
  ]);
});

Deno.test("toLanes() has marks at their true times, as long as they lasted, even at the same moment", () => {
  const [lane] = toLanes([
    entry(100_000, "session-start", "one", { ms: 0.3 }),
    entry(100_000, "user-prompt-submit", "one", { ms: 1200 }),
  ]);
  assertEquals(lane?.marks.map(({ from, to }: { from: number; to: number }) => [from, to]), [
    [100_000, 100_000.3],
    [100_000, 101_200],
  ]);
});

Deno.test("toLanes() reopens a lane that started again, and marks failures and replays", () => {
  const events = ["session-start", "session-end", "session-start"];
  const [lane] = toLanes(events.map((event, index) => entry(index, event, "one")));
  assertEquals(lane?.open, true);
  const [other] = toLanes([entry(0, "session-start", "one", { status: 409, replayOf: 1 })], { selected: id });
  assertEquals(
    other?.marks.map(({ trouble, hollow, current }: Record<string, unknown>) => [trouble, hollow, current]),
    [
      [true, true, true],
    ],
  );
});

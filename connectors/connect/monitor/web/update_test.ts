import { assertEquals } from "@std/assert";
import type { Board, BoardSession } from "../../../base/agents/board/board.ts";
import type { BoardMessage, StatusChange } from "../../../base/agents/board/recent_messages.ts";
import { updateBetween, wholeUpdate } from "./update.ts";

const MESSAGE: BoardMessage = {
  id: "m1",
  at: 1,
  kind: "message",
  priority: 3,
  from: { key: "a", name: "codex-a", agentId: "me" },
  to: [{ key: "b", name: "pi-b" }],
  wants: "none",
  state: "waiting",
  text: "hello",
};
const SESSION: BoardSession = {
  key: "a",
  harness: "codex",
  agentId: "me",
  project: "/p",
  here: true,
  status: "idle",
  seenAt: 1,
  handle: "codex-a",
  startedAt: 1,
  held: 0,
  lastMessage: MESSAGE,
  terminal: { program: "tmux", target: "%1" },
};
const STATUS: StatusChange = { at: 1, status: "idle", harness: "codex", key: "aaaa1111" };
const scene = (board: Partial<Board> = {}) => ({
  board: { sessions: [], locks: [], messages: [], statuses: [], problems: [], ...board },
  bars: [],
});

Deno.test("wholeUpdate() has everything that a page needs, and no terminal", () => {
  const update = wholeUpdate(scene({ sessions: [SESSION], messages: [MESSAGE], statuses: [STATUS] }));
  assertEquals(update.reset, true);
  assertEquals(update.statuses?.[0]?.name, "codex-aaaa");
  assertEquals(Object.keys(update.sessions?.[0] ?? {}).includes("terminal"), false);
  assertEquals(update.messages, [MESSAGE]);
});

Deno.test("updateBetween() has new and changed messages only", () => {
  const before = scene({ messages: [MESSAGE] });
  const seen = { ...MESSAGE, state: "seen", seenAt: 9 };
  const next = { ...MESSAGE, id: "m2" };
  assertEquals(updateBetween(before, scene({ messages: [{ ...MESSAGE }] })), undefined);
  assertEquals(updateBetween(before, scene({ messages: [seen, next] }))?.messages, [seen, next]);
  assertEquals(updateBetween(before, scene({ messages: [{ ...MESSAGE }, next] }))?.messages, [next]);
});

Deno.test("updateBetween() has new changes of status, also where older ones were dropped", () => {
  const [first, second, third] = [STATUS, { ...STATUS, at: 2 }, { ...STATUS, at: 3 }];
  const before = scene({ statuses: [first, second] });
  const at = (statuses: StatusChange[]) =>
    updateBetween(before, scene({ statuses }))?.statuses?.map(({ at }) => at);
  assertEquals(at([first, second]), undefined);
  assertEquals(at([second, third]), [3]);
});

Deno.test("updateBetween() starts again when the log was replaced", () => {
  const before = scene({ messages: [MESSAGE], statuses: [STATUS] });
  assertEquals(updateBetween(before, scene({ statuses: [{ ...STATUS, at: 7 }] }))?.reset, true);
});

Deno.test("updateBetween() sends sessions only if one of them has changed", () => {
  const before = scene({ sessions: [SESSION] });
  const other = { ...SESSION, lastMessage: { ...MESSAGE, id: "m2" } };
  assertEquals(updateBetween(before, scene({ sessions: [other] })), undefined);
  const busy = { ...SESSION, status: "working" as const };
  assertEquals(updateBetween(before, scene({ sessions: [busy] }))?.sessions?.[0]?.status, "working");
});

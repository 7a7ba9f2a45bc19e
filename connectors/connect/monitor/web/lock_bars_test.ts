import { assertEquals } from "@std/assert";
import type { BoardLock } from "../../../base/agents/board/board.ts";
import { lockBars } from "./lock_bars.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 17, 10, minute)).toISOString();
const line = (minute: number, event: string, owner = "codex bbbb2222", path = "/p/a.ts") => ({
  at: at(minute),
  event,
  path,
  owner,
});
const HELD: BoardLock = {
  token: "t1",
  path: "/p/a.ts",
  scope: "file",
  kind: "manual",
  reach: "machine",
  holder: "codex-bbbb",
  harness: "codex",
  session: "bbbb2222",
  agentId: "me",
  machine: "m1",
  intent: "",
  since: Date.parse(at(8)),
  until: Date.parse(at(18)),
};

Deno.test("lockBars() has a bar from taking to freeing, and one to the end of the lease", () => {
  const lines = [
    line(0, "taken"),
    line(2, "refused", "codex bbbb2222"),
    line(3, "renewed"),
    line(5, "freed"),
    line(8, "taken"),
  ];
  assertEquals(
    lockBars(lines, [HELD]).map(({ holder, from, to, token, end }) => [
      holder,
      from - Date.parse(at(0)),
      to - Date.parse(at(0)),
      token,
      end,
    ]),
    [
      ["codex-bbbb", 0, 5 * 60_000, undefined, "freed"],
      ["codex-bbbb", 8 * 60_000, 18 * 60_000, "t1", undefined],
    ],
  );
});

Deno.test("lockBars() ends a lock whose end nobody wrote at its last line", () => {
  const bars = lockBars([line(0, "taken"), line(4, "renewed"), line(6, "refused")], []);
  assertEquals(bars.map(({ to }) => to), [Date.parse(at(4))]);
});

Deno.test("lockBars() keeps sessions and files apart", () => {
  const lines = [
    line(0, "taken"),
    line(1, "taken", "pi s2", "/p/b.ts"),
    line(2, "forced", "pi s2", "/p/a.ts"),
    line(3, "expired", "pi s2", "/p/b.ts"),
    line(4, "taken", "person person:m1:1", "/p/c.ts"),
  ];
  assertEquals(lockBars(lines, []).map(({ path, holder, end }) => `${path} ${holder} ${end}`), [
    "/p/a.ts codex-bbbb undefined",
    "/p/b.ts pi-s2 expired",
    "/p/c.ts a person undefined",
  ]);
});

Deno.test("lockBars() skips damaged lines", () => {
  const damaged = [{}, { at: 5 }, { at: "never", event: "taken", path: "/p", owner: "pi s" }, {
    at: at(0),
    event: "taken",
    path: ["/p"],
    owner: "pi s",
  }];
  assertEquals(lockBars(damaged, []), []);
});

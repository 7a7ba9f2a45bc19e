import { assert, assertEquals } from "@std/assert";
import { toArcs } from "./arcs.js";
import { partyKey, toLanes } from "./lanes_model.js";
import { activity, baseName, byKey, statusBars } from "../sessions.js";

const NOW = 1_000_000;
const change = (at: number, status: string, key = "a") => ({
  at,
  status,
  key,
  harness: "codex",
  name: `codex-${key}`,
});
const session = (more: object = {}) => ({
  key: "a",
  handle: "codex-a",
  harness: "codex",
  agentId: "me",
  project: "/home/u/app",
  here: true,
  status: "working",
  since: 900_000,
  seenAt: 950_000,
  startedAt: 100_000,
  ...more,
});
const message = (at: number, from: object, to: object) => ({ id: `m${at}`, at, from, to: [to] });
const A = { key: "a", name: "codex-a" };
const B = { key: "b", name: "pi-b" };
const lanes = (scene: object, span = { from: 0, to: NOW }) =>
  toLanes({ sessions: [], histories: new Map(), bars: [], arcs: [], ...scene }, span, NOW);

Deno.test("statusBars() makes bars that follow each other, the last one until now", () => {
  const bars = statusBars(
    [change(100, "starting"), change(200, "working"), change(900_000, "idle")],
    session({
      status: "idle",
    }),
    NOW,
  );
  assertEquals(bars, [
    { from: 100, to: 200, status: "starting" },
    { from: 200, to: 900_000, status: "working" },
    { from: 900_000, to: NOW, status: "idle" },
  ]);
});

Deno.test("statusBars() ends with the session, or with its last hook if nobody saw the end", () => {
  const changes = [change(100, "working"), change(500, "ended")];
  assertEquals(statusBars(changes, undefined, NOW), [{ from: 100, to: 500, status: "working" }]);
  assertEquals(statusBars([change(100, "working")], session({ status: "gone" }), NOW), [
    { from: 100, to: 950_000, status: "working" },
  ]);
  assertEquals(statusBars([change(100, "working")], undefined, NOW), [{
    from: 100,
    to: 100,
    status: "working",
  }]);
});

Deno.test("statusBars() leaves the time out between the end and a new beginning", () => {
  const changes = [change(100, "working"), change(500, "ended"), change(800, "starting")];
  assertEquals(statusBars(changes, session({ status: "starting", since: 800 }), NOW), [
    { from: 100, to: 500, status: "working" },
    { from: 800, to: NOW, status: "starting" },
  ]);
});

Deno.test("statusBars() trusts the board where the log has no line", () => {
  assertEquals(statusBars([], session(), NOW), [{ from: 900_000, to: NOW, status: "working" }]);
  assertEquals(statusBars([change(100, "idle")], session(), NOW), [
    { from: 100, to: 900_000, status: "idle" },
    { from: 900_000, to: NOW, status: "working" },
  ]);
});

Deno.test("statusBars() never goes backwards, whatever the clocks did", () => {
  for (const since of [-5, 0, 500, NOW + 60_000]) {
    const changes = [change(700, "working"), change(300, "idle"), change(NOW + 9_000, "waiting")];
    const bars = statusBars(changes, session({ since }), NOW);
    assert(bars.every(({ from, to }: { from: number; to: number }) => to >= from), JSON.stringify(bars));
  }
});

Deno.test("byKey() keeps the changes of each session in order", () => {
  const histories = byKey([change(5, "idle"), change(1, "working", "b"), change(3, "working")]);
  assertEquals(histories.get("a")?.map(({ at }: { at: number }) => at), [3, 5]);
  assertEquals([...histories.keys()], ["a", "b"]);
});

Deno.test("toLanes() has live sessions, and past ones only where they did something", () => {
  const histories = byKey([change(10, "working", "old"), change(20, "ended", "old")]);
  const scene = { sessions: [session(), session({ key: "g", handle: "pi-g", status: "gone" })], histories };
  const keys = (span: { from: number; to: number }) => lanes(scene, span).map(({ key }) => key);
  assertEquals(keys({ from: 0, to: NOW }), ["a", "old"]);
  assertEquals(keys({ from: 500, to: NOW }), ["a"]);
});

Deno.test("toLanes() has a lane for everybody whom a message names", () => {
  const messages = [
    message(5, { key: "person:m:1", name: "a person" }, A),
    message(6, B, { name: "agent bob" }),
  ];
  const found = lanes({ sessions: [session()], arcs: toArcs(messages) });
  assertEquals(found.map(({ key }) => key), ["person", "a", "b", "agent bob"]);
  assertEquals(found.map(({ names }) => names[0]), ["You", "codex-a", "pi-b", "agent bob"]);
});

Deno.test("toLanes() has a lane per locked file, those that are held first", () => {
  const bars = [
    { path: "/p/a.ts", holder: "pi-b", key: "b", from: 5, to: 9, end: "freed" },
    { path: "/p/z.ts", holder: "pi-b", key: "b", from: 5, to: NOW + 5, token: "t" },
    { path: "/p/z.ts", holder: "codex-a", key: "a", from: 1, to: 2, end: "freed" },
  ];
  const found = lanes({ bars });
  assertEquals(found.map(({ key, status }) => `${key} ${status}`), [
    "file:/p/z.ts locked",
    "file:/p/a.ts free",
  ]);
  assertEquals(found.map(({ names }) => names), [["z.ts", "pi-b", "p"], ["a.ts", "", "p"]]);
  assertEquals(lanes({ bars }, { from: 100, to: 200 }).map(({ key }) => key), ["file:/p/z.ts"]);
});

Deno.test("partyKey() is one for people, and the name where no session is known", () => {
  assertEquals(partyKey({ key: "person:laptop:9", name: "a person" }), "person");
  assertEquals(partyKey(A), "a");
  assertEquals(partyKey({ key: undefined, name: "all agents" }), "all agents");
});

const DOING = { here: true, status: undefined, tool: undefined, file: undefined, waitsFor: undefined };

Deno.test("activity() says in a few words what a session does", () => {
  const cases: [object, string][] = [
    [{ status: "working", tool: "Edit", file: "/p/src/a.ts" }, "Edit a.ts"],
    [{ status: "working", tool: "Bash" }, "Bash"],
    [{ status: "working" }, "working"],
    [{ status: "waiting", tool: "Bash", waitsFor: { kind: "user" } }, "waits for you"],
    [{ status: "idle", waitsFor: { kind: "answer", id: "m", from: "pi-b" } }, "waits for pi-b"],
    [{ here: false }, "on another machine"],
  ];
  for (const [given, words] of cases) assertEquals(activity({ ...DOING, ...given }), words);
});

Deno.test("baseName() is the last part of a path", () => {
  assertEquals(["/a/b.ts", "/a/b/", "b", "C:\\x\\y.ts", ""].map(baseName), ["b.ts", "b", "b", "y.ts", ""]);
});

import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { sampleBoard, sampleBoardMessage, sampleSession } from "../../testing/sample_board.ts";
import type { Board } from "../board/board.ts";
import { type Key, KeyDecoder } from "./keys.ts";
import { reduce, type Step } from "./reduce.ts";
import { type Effect, initialState, type Layout, selectedIndex, selectedSession } from "./state.ts";

/** Types this on a terminal; returns the last state and all effects. */
function press(
  typed: string,
  { layout = "watch", board = sampleBoard(), from = initialState(layout) }: {
    layout?: Layout;
    board?: Board;
    from?: Step["state"];
  } = {},
): { state: Step["state"]; effects: Effect[] } {
  const decoder = new KeyDecoder();
  const keys: Key[] = [...decoder.push(new TextEncoder().encode(typed)), ...decoder.flush()];
  const effects: Effect[] = [];
  let state = from;
  for (const key of keys) {
    const step = reduce(state, key, board);
    state = step.state;
    if (step.effect !== undefined) effects.push(step.effect);
  }
  return { state, effects };
}

const DOWN = "\x1b[B";
const UP = "\x1b[A";
const ESC = "\x1b";

Deno.test("reduce() moves with arrows, j and k, and stops at both ends", () => {
  const board = sampleBoard();
  const cases: [string, number][] = [
    ["", 0],
    [UP, 0],
    [DOWN, 1],
    ["jj", 2],
    ["jjk", 1],
    ["jjjjjjjj", 3],
    ["\x1b[F", 3],
    ["\x1b[F\x1b[H", 0],
    ["\x1b[6~", 3],
    ["\x1b[6~\x1b[5~", 0],
  ];
  for (const [typed, index] of cases) {
    assertEquals(selectedIndex(press(typed).state, board, "agents"), index, JSON.stringify(typed));
  }
});

Deno.test("reduce() stays on a row when rows are added above it, and near it when it goes", () => {
  const board = sampleBoard();
  const { state } = press(DOWN);
  const more = { ...board, sessions: [sampleSession({ key: "new" }), ...board.sessions] };
  assertEquals(selectedSession(state, more)?.handle, "codex-3f9a");
  const fewer = { ...board, sessions: board.sessions.filter(({ handle }) => handle !== "codex-3f9a") };
  assertEquals(selectedSession(state, fewer)?.handle, "gemini-g000");
  assertEquals(selectedSession(state, { ...board, sessions: [] }), undefined);
});

Deno.test("reduce() opens details, scrolls them and goes back", () => {
  assertEquals(press("\r").state.view, "details");
  assertEquals(press("\rjj").state.scroll, 2);
  assertEquals(press("\rjjkkk").state.scroll, 0);
  assertEquals(press(`\rj${ESC}`).state.view, "lists");
  const empty = { sessions: [], locks: [], messages: [], statuses: [], problems: [] };
  assertEquals(press("\r", { board: empty }).state.view, "lists");
});

Deno.test("reduce() changes lists with l, t, Tab and Escape", () => {
  const cases: [string, string][] = [
    ["l", "locks"],
    ["ll", "agents"],
    ["t", "messages"],
    ["\t", "locks"],
    ["\t\t\t", "agents"],
    ["\x1b[Z", "messages"],
    [`l${ESC}`, "agents"],
    ["\rl", "locks"],
  ];
  for (const [typed, focus] of cases) {
    assertEquals(press(typed).state.focus, focus, JSON.stringify(typed));
    assertEquals(press(typed).state.view, "lists");
  }
});

Deno.test("reduce() sends what was typed after m, to the agent that was selected then", () => {
  const { state, effects } = press("jmhello q there\r");
  const [effect] = effects;
  assert(effect?.kind === "send" && effects.length === 1);
  assertEquals([effect.to.handle, effect.text], ["codex-3f9a", "hello q there"]);
  assertEquals(state.prompt, undefined);
});

Deno.test("reduce() edits the line like a shell", () => {
  const cases: [string, string][] = [
    ["abc\x7fd", "abd"],
    ["abc\x1b[D\x1b[DX", "aXbc"],
    ["abc\x01X", "Xabc"],
    ["abc\x01\x04", "bc"],
    ["abc def\x17x", "abc x"],
    ["abc\x15x", "x"],
    ["abc\x1b[H\x0bx", "x"],
    ["ä天🦕\x7f", "ä天"],
    ["\x1b[200~two\nlines q\x1b[201~", "two\nlines q"],
    ["a\x1b[200~\x1b[2Jevil\x1b[201~", "aevil"],
  ];
  for (const [typed, text] of cases) {
    const { effects: [effect] } = press(`m${typed}\r`);
    assert(effect?.kind === "send", JSON.stringify(typed));
    assertEquals(effect.text, text);
  }
});

Deno.test("reduce() sends nothing after Escape, or without a text", () => {
  for (const typed of [`mhello${ESC}`, "m\r", "m  \r"]) {
    const { state, effects } = press(typed);
    assertEquals([state.prompt, effects], [undefined, []]);
  }
});

Deno.test("reduce() writes to a lock's holder and to a message's sender", () => {
  for (
    const [typed, handle] of [["lmx\r", "claude-aaaa"], ["tjmx\r", "codex-3f9a"], ["tmx\r", "gemini-g000"]]
  ) {
    const { effects: [effect] } = press(typed ?? "");
    assert(effect?.kind === "send");
    assertEquals(effect.to.handle, handle);
  }
});

Deno.test("reduce() opens no message to somebody who is gone", () => {
  const board = { ...sampleBoard(), sessions: [sampleSession({ status: "gone" })] };
  const { state } = press("m", { board });
  assertEquals(state.prompt, undefined);
  assertMatch(state.notice?.text ?? "", /codex-3f9a is gone/);
  // The holder of the second lock is on another machine.
  assertMatch(press("ljm").state.notice?.text ?? "", /Nobody/);
});

Deno.test("reduce() frees a lock only after u and y", () => {
  for (const typed of ["ly", "lu", "lun", `lu${ESC}`, "lu\r", "uy", "lu\x1b[200~y\nyes\x1b[201~"]) {
    assertEquals(press(typed).effects, [], JSON.stringify(typed));
  }
  const { effects: [effect], state } = press("ljuy");
  assert(effect?.kind === "release");
  assertEquals([effect.lock.token, state.prompt], ["token-2", undefined]);
});

Deno.test("reduce() quits with q and Ctrl-C, and Ctrl-C also ends a message", () => {
  assertEquals(press("q").effects, [{ kind: "quit", by: "key" }]);
  assertEquals(press("\x03").effects, [{ kind: "quit", by: "interrupt" }]);
  assertEquals(press("mhi\x03").effects, [{ kind: "quit", by: "interrupt" }]);
  assertEquals(press("mq").effects, []);
});

Deno.test("reduce() takes no pasted text for commands", () => {
  assertEquals(press("\x1b[200~qlu\ny\x1b[201~").effects, []);
});

Deno.test("reduce() shows a result until the next key", () => {
  const notice = { text: "Sent.", isProblem: false };
  assertEquals(press("j", { from: { ...initialState("watch"), notice } }).state.notice, undefined);
});

Deno.test("reduce() takes any keys on any board", () => {
  const boards = [
    sampleBoard(),
    { sessions: [], locks: [], messages: [], statuses: [], problems: [] },
    { ...sampleBoard(), sessions: [], messages: [sampleBoardMessage()] },
  ];
  const keys = fc.array(fc.constantFrom(..."qjklmtghua?y \r\t\x7f\x1b\x03", UP, DOWN, "\x1b[5~", "\x1b[F"));
  fc.assert(fc.property(keys, fc.constantFrom(...boards), fc.boolean(), (typed, board, isMonitor) => {
    const { state } = press(typed.join(""), { board, layout: isMonitor ? "monitor" : "watch" });
    assert(selectedIndex(state, board, state.focus) >= 0);
    assert(state.scroll >= 0 && Number.isFinite(state.scroll));
  }));
});

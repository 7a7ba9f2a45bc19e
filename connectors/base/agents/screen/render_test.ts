import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { HOSTILE_TEXTS } from "../../testing/hostile_texts.ts";
import {
  SAMPLE_NOW,
  sampleBoard,
  sampleBoardMessage,
  sampleLock,
  sampleSession,
} from "../../testing/sample_board.ts";
import type { Board } from "../board/board.ts";
import { ansi, lineWidth, textOf } from "./line.ts";
import { render } from "./render.ts";
import { initialState, type Layout, PANELS, type Prompt, type ScreenState } from "./state.ts";
import type { View } from "./words.ts";

const VIEW = { now: SAMPLE_NOW, home: "/home/u", binary: "signet-connect" };
const EMPTY: Board = { sessions: [], locks: [], messages: [], statuses: [], problems: [] };

/** The screen as text, without empty lines at the end of its body. */
function screen(
  columns: number,
  rows: number,
  change: Partial<ScreenState> = {},
  { layout = "watch", board = sampleBoard() }: { layout?: Layout; board?: Board } = {},
): string {
  const view: View = { ...VIEW, columns, rows };
  const { lines } = render(board, { ...initialState(layout), ...change }, view);
  assertEquals(lines.length, rows);
  return `\n${lines.map(textOf).join("\n")}\n`;
}

const SELECTED = {
  agents: { id: "claude-code aaaa1111", index: 0 },
  locks: { id: "token-1", index: 0 },
  messages: { id: "m_01ARZ3NDEKTSV4RRFFQ69G5FAW", index: 0 },
};

Deno.test("render() says what to do where there are no agents", () => {
  const text = screen(40, 10, {}, { board: EMPTY });
  assertStringIncludes(text, "0 agents");
  assertStringIncludes(text, "signet-connect install --agents");
  assertStringIncludes(screen(80, 10, { focus: "locks" }, { board: EMPTY }), "No file is locked.");
});

Deno.test("render() shows problems below the numbers, and the last result above the keys", () => {
  const board = { ...sampleBoard(), problems: ["The daemon at http://127.0.0.1:1 does not answer."] };
  const notice = { text: "Sent to codex-3f9a.", isProblem: false };
  const lines = screen(80, 20, { notice }, { board }).split("\n");
  assertEquals(lines[2], "The daemon at http://127.0.0.1:1 does not answer.");
  assertEquals(lines.at(-3), "Sent to codex-3f9a.");
});

Deno.test("render() keeps the selected row in sight, and says which rows are shown", () => {
  const sessions = Array.from(
    { length: 50 },
    (_, i) => sampleSession({ key: `k${i}`, handle: `codex-${String(i).padStart(4, "0")}` }),
  );
  const board = { ...EMPTY, sessions };
  for (const index of [0, 7, 25, 49]) {
    const selected = { ...SELECTED, agents: { id: `codex k${index}`, index } };
    const text = screen(80, 15, { selected }, { board });
    assertStringIncludes(text, `> codex-${String(index).padStart(4, "0")}`);
    assertMatch(text, /Agents \d+-\d+ of 50/);
  }
});

Deno.test("render() scrolls details, and stops at their end", () => {
  const state = { view: "details", selected: SELECTED } as const;
  assertStringIncludes(screen(80, 10, state), "more lines");
  const end = screen(80, 10, { ...state, scroll: 10_000 });
  assertStringIncludes(end, "I see two of them.");
  assert(!end.includes("more lines"));
});

Deno.test("render() of details whose row is gone says so", () => {
  for (const focus of PANELS) {
    const text = screen(80, 10, { view: "details", focus, selected: SELECTED }, { board: EMPTY });
    assertMatch(text, /ended|freed|not among the newest/);
  }
});

Deno.test("render() shows the end of a long message that is being typed, and the cursor in it", () => {
  const text = [..."a long message that does not fit into the line of a narrow terminal 天地"];
  const prompt: Prompt = { kind: "message", to: sampleSession(), text, cursor: text.length };
  const view = { ...VIEW, columns: 40, rows: 12 };
  const { lines, cursor } = render(sampleBoard(), { ...initialState("watch"), prompt }, view);
  assertEquals(textOf(lines[10] ?? []), "To codex-3f9a: f a narrow terminal 天地");
  assertEquals(cursor, { row: 10, column: lineWidth(lines[10] ?? []) });
});

Deno.test("render() asks before a lock is freed", () => {
  const text = screen(40, 12, { focus: "locks", prompt: { kind: "release", lock: sampleLock() } });
  assertStringIncludes(text, "Free ~/app/src/auth.ts, locked by\nclaude-aaaa? (y/n)\ny free it");
});

// deno-lint-ignore no-control-regex -- this is what must not be there
const ACTS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** A board on which every text comes from somebody who means harm. */
function hostileBoard(text: string): Board {
  const message = sampleBoardMessage({ text, from: { key: text, name: text, agentId: text } });
  return {
    sessions: [
      sampleSession({
        key: text,
        harness: text,
        agentId: text,
        handle: text,
        project: text,
        machine: text,
        tool: text,
        file: text,
        status: "working",
        lastMessage: { ...message, to: [{ key: text, name: text }] },
      }),
      sampleSession({ waitsFor: { kind: "answer", id: message.id, from: text }, here: false, machine: text }),
    ],
    locks: [sampleLock({ path: text, remote: text, holder: text, intent: text, agentId: text })],
    messages: [{ ...message, thread: text, to: [{ key: text, name: text }] }],
    statuses: [],
    problems: [text],
  };
}

function everyState(board: Board): ScreenState[] {
  const [session = sampleSession()] = board.sessions;
  const [lock = sampleLock()] = board.locks;
  const prompts: (Prompt | undefined)[] = [
    undefined,
    { kind: "message", to: session, text: [...session.handle], cursor: 1 },
    { kind: "release", lock },
  ];
  return (["watch", "monitor"] as const).flatMap((layout) =>
    PANELS.flatMap((focus) =>
      (["lists", "details", "keys"] as const).flatMap((view) =>
        prompts.map((prompt) => ({
          ...initialState(layout),
          focus,
          view,
          prompt,
          selected: {
            agents: { id: `${session.harness} ${session.key}`, index: 0 },
            locks: { id: lock.token, index: 0 },
            messages: { id: board.messages[0]?.id ?? "", index: 0 },
          },
          notice: { text: session.handle, isProblem: true },
        }))
      )
    )
  );
}

Deno.test("render() lets no text act on the terminal or leave its line", () => {
  for (const text of HOSTILE_TEXTS) {
    const board = hostileBoard(text.slice(0, 3000));
    for (const state of everyState(board)) {
      const { lines } = render(board, state, { ...VIEW, columns: 80, rows: 30 });
      for (const line of lines) {
        assert(!ACTS.test(ansi(line, false)), JSON.stringify(textOf(line)));
        assert(lineWidth(line) <= 80);
      }
    }
  }
});

Deno.test("render() fills any terminal exactly, whatever is on the board", () => {
  const letter = fc.integer({ min: 1, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const text = fc.array(letter, { maxLength: 60 }).map((letters) => letters.join(""));
  const size = fc.record({
    columns: fc.integer({ min: 1, max: 220 }),
    rows: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(text, size, fc.nat(53), (words, { columns, rows }, index) => {
      const board = hostileBoard(words);
      const state = everyState(board)[index] ?? initialState("watch");
      const { lines, cursor } = render(board, state, { ...VIEW, columns, rows });
      assertEquals(lines.length, rows);
      for (const line of lines) assert(lineWidth(line) <= columns, textOf(line));
      if (cursor !== undefined) assert(cursor.row < rows && cursor.column < columns);
    }),
    { numRuns: 300 },
  );
});

Deno.test("render() without color has no escape sequences; with color it has the same text", () => {
  const { lines } = render(sampleBoard(), initialState("monitor"), { ...VIEW, columns: 80, rows: 24 });
  const plain = lines.map((line) => ansi(line, false)).join("\n");
  const colored = lines.map((line) => ansi(line, true)).join("\n");
  assert(!plain.includes("\x1b"));
  assertStringIncludes(colored, "\x1b[7m");
  // deno-lint-ignore no-control-regex -- colors
  assertEquals(colored.replace(/\x1b\[\d+m/g, ""), plain);
});

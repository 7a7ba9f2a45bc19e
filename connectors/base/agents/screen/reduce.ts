import type { Board } from "../board/board.ts";
import { editLine } from "./edit_line.ts";
import type { Key, KeyName } from "./keys.ts";
import {
  type Effect,
  type Panel,
  PANELS,
  rowIds,
  rowsOf,
  type ScreenState,
  selectedIndex,
  selectedSession,
} from "./state.ts";

export interface Step {
  readonly state: ScreenState;
  readonly effect?: Effect;
}

/** A page of a list that is as long as most screens. */
const PAGE = 10;

/** What a key does. Pure: the effect is for the caller. */
export function reduce(state: ScreenState, key: Key, board: Board): Step {
  if (key.kind === "key" && key.name === "ctrl-c") {
    return { state, effect: { kind: "quit", by: "interrupt" } };
  }
  if (key.kind === "key" && key.name === "ctrl-z") return { state, effect: { kind: "suspend" } };
  if (key.kind === "key" && key.name === "ctrl-l") return { state, effect: { kind: "redraw" } };
  // The result of an action is shown until the next key.
  const cleared = { ...state, notice: undefined };
  if (state.prompt?.kind === "message") return typed(cleared, key);
  if (state.prompt?.kind === "release") return answered(cleared, key);
  // More than a letter was pasted: that is no command.
  if (key.kind === "text" && [...key.text].length !== 1) return { state };
  return command(cleared, key.kind === "text" ? key.text : key.name, board);
}

/** A key that writes the message. */
function typed(state: ScreenState, key: Key): Step {
  const { prompt } = state;
  if (prompt?.kind !== "message") return { state };
  if (key.kind === "key" && key.name === "escape") return { state: { ...state, prompt: undefined } };
  if (key.kind === "key" && key.name === "enter") {
    const text = prompt.text.join("").trim();
    const closed = { ...state, prompt: undefined };
    if (text === "") return { state: closed };
    return { state: closed, effect: { kind: "send", to: prompt.to, text } };
  }
  return { state: { ...state, prompt: { ...prompt, ...editLine(prompt, key) } } };
}

/** A key that answers whether to free a lock: only `y` does. */
function answered(state: ScreenState, key: Key): Step {
  const { prompt } = state;
  const closed = { ...state, prompt: undefined };
  if (prompt?.kind !== "release") return { state: closed };
  const isYes = key.kind === "text" && (key.text === "y" || key.text === "Y");
  return isYes ? { state: closed, effect: { kind: "release", lock: prompt.lock } } : { state: closed };
}

function command(state: ScreenState, name: KeyName | string, board: Board): Step {
  switch (name) {
    case "q":
      return { state, effect: { kind: "quit", by: "key" } };
    case "up":
    case "k":
    case "ctrl-p":
      return { state: move(state, board, -1) };
    case "down":
    case "j":
    case "ctrl-n":
      return { state: move(state, board, 1) };
    case "page-up":
      return { state: move(state, board, -PAGE) };
    case "page-down":
    case " ":
      return { state: move(state, board, PAGE) };
    case "home":
      return { state: move(state, board, -Infinity) };
    case "end":
      return { state: move(state, board, Infinity) };
    case "enter":
    case "right":
      return { state: openDetails(state, board) };
    case "escape":
    case "left":
    case "backspace":
      return { state: back(state) };
    case "?":
    case "h":
      return { state: { ...state, view: state.view === "keys" ? "lists" : "keys", scroll: 0 } };
    case "a":
      return { state: focus(state, "agents") };
    case "l":
      return { state: focus(state, state.focus === "locks" ? "agents" : "locks") };
    case "t":
      return { state: focus(state, state.focus === "messages" ? "agents" : "messages") };
    case "tab":
      return { state: focus(state, neighbour(state.focus, 1)) };
    case "back-tab":
      return { state: focus(state, neighbour(state.focus, -1)) };
    case "m":
      return { state: openMessage(state, board) };
    case "g":
      return jump(state, board);
    case "u":
      return { state: openRelease(state, board) };
    default:
      return { state };
  }
}

function neighbour(panel: Panel, by: 1 | -1): Panel {
  const at = (PANELS.indexOf(panel) + by + PANELS.length) % PANELS.length;
  return PANELS[at] ?? "agents";
}

function focus(state: ScreenState, panel: Panel): ScreenState {
  return { ...state, focus: panel, view: "lists", scroll: 0 };
}

function move(state: ScreenState, board: Board, by: number): ScreenState {
  // The renderer knows how many lines there are, and stops at the last page.
  if (state.view !== "lists") return { ...state, scroll: Math.max(0, finite(state.scroll + by)) };
  const ids = rowIds(board, state.focus);
  const last = Math.max(0, ids.length - 1);
  const index = Math.min(last, Math.max(0, selectedIndex(state, board, state.focus) + by));
  return { ...state, selected: { ...state.selected, [state.focus]: { id: ids[index] ?? "", index } } };
}

/** A message has no more lines than this. */
function finite(scroll: number): number {
  return Math.min(scroll, 10_000);
}

/** Details of a row stay with that row, even if rows are added above it. */
function openDetails(state: ScreenState, board: Board): ScreenState {
  if (state.view !== "lists" || rowIds(board, state.focus).length === 0) return state;
  return { ...move(state, board, 0), view: "details", scroll: 0 };
}

function back(state: ScreenState): ScreenState {
  if (state.view !== "lists") return { ...state, view: "lists", scroll: 0 };
  return state.layout === "watch" ? focus(state, "agents") : state;
}

function openMessage(state: ScreenState, board: Board): ScreenState {
  const to = selectedSession(state, board);
  if (to === undefined) return problem(state, "Nobody is selected who could get a message.");
  if (to.status === "gone") return problem(state, `${to.handle} is gone, and reads no more messages.`);
  return { ...move(state, board, 0), prompt: { kind: "message", to, text: [], cursor: 0 } };
}

function openRelease(state: ScreenState, board: Board): ScreenState {
  if (state.focus !== "locks") return problem(state, "Select a lock first: press l.");
  const lock = rowsOf(board).locks[selectedIndex(state, board, "locks")];
  if (lock === undefined) return problem(state, "No file is locked.");
  return { ...move(state, board, 0), prompt: { kind: "release", lock } };
}

function jump(state: ScreenState, board: Board): Step {
  const to = selectedSession(state, board);
  if (to === undefined) return { state: problem(state, "No agent is selected.") };
  return { state: move(state, board, 0), effect: { kind: "jump", to } };
}

function problem(state: ScreenState, text: string): ScreenState {
  return { ...state, notice: { text, isProblem: true } };
}

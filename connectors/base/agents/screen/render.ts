import type { Board } from "../board/board.ts";
import { line, take, widthOf, wrapCells } from "./cells.ts";
import { detailLines } from "./details.ts";
import { keyHints, keyLines } from "./key_help.ts";
import { cutLine, type Line, lineWidth, type Span, span, type Style } from "./line.ts";
import { panelLines, wantedHeight } from "./panels.ts";
import { type Panel, PANELS, type Prompt, type ScreenState } from "./state.ts";
import { count, lockPath, type View } from "./words.ts";

/** What the terminal shows. */
export interface Frame {
  /** As many as the terminal has rows, none wider than it has columns. */
  readonly lines: readonly Line[];
  /** Where text is typed, from 0. */
  readonly cursor?: { readonly row: number; readonly column: number };
}

/** Draws the screen. Pure, so that it can be tested as text. */
export function render(board: Board, state: ScreenState, view: View): Frame {
  const { columns, rows } = view;
  const problems = board.problems.flatMap((text) => wrapped(line(text), "alert", columns));
  const top = [header(board, columns), ...problems];
  const bottom = promptLines(state, view);
  const height = Math.max(0, rows - top.length - bottom.lines.length - 1);
  const lines = [
    ...top,
    ...filled(body(board, state, view, height), height),
    ...bottom.lines,
    keyHints(state, columns),
  ].slice(0, rows).map((each) => cutLine(each, columns));
  const row = top.length + height + bottom.lines.length - 1;
  const isVisible = bottom.column !== undefined && row < rows;
  return { lines, cursor: isVisible ? { row, column: bottom.column ?? 0 } : undefined };
}

/** A sentence on up to three lines. */
function wrapped(text: string, style: Style, columns: number): Line[] {
  const lines = wrapCells(text, columns);
  const shown = lines.length > 3 ? [...lines.slice(0, 2), lines.slice(2).join(" ")] : lines;
  return shown.map((each) => [span(each, style)]);
}

/** The numbers, as many as there is room for. */
function header({ sessions, locks }: Board, columns: number): Line {
  const live = sessions.filter(({ status }) => status !== "gone");
  const working = live.filter(({ status }) => status === "working").length;
  const asking = live.filter(({ status }) => status === "waiting").length;
  const unread = live.reduce((sum, session) => sum + (session.unread ?? 0), 0);
  const parts: Span[] = [span(count(live.length, "agent"), "bold")];
  if (asking > 0) parts.push(span(`${asking} waiting`, "alert"));
  if (working > 0) parts.push(span(`${working} working`, "good"));
  if (unread > 0) parts.push(span(`${unread} unread`));
  if (locks.length > 0) parts.push(span(count(locks.length, "lock")));
  return parts.reduce<Span[]>((line, part) => {
    const longer = line.length === 0 ? [part] : [...line, span(" · ", "dim"), part];
    return lineWidth(longer) <= columns ? longer : line;
  }, []);
}

function body(board: Board, state: ScreenState, view: View, height: number): Line[] {
  switch (state.view) {
    case "keys":
      return scrolled(keyLines(state, view.columns), state.scroll, height);
    case "details":
      return scrolled(detailLines(board, state, view), state.scroll, height);
    case "lists":
      return state.layout === "monitor"
        ? stacked(board, state, view, height)
        : panelLines(state.focus, board, state, view, height);
  }
}

/** Never past the last page. */
function scrolled(lines: readonly Line[], scroll: number, height: number): Line[] {
  const start = Math.max(0, Math.min(scroll, lines.length - height));
  const shown = lines.slice(start, start + height);
  const rest = lines.length - start - shown.length;
  if (rest <= 0 || height < 2) return shown;
  return [...shown.slice(0, -1), [span(`… ${rest + 1} more lines`, "dim")]];
}

/** In less room, one list is shown instead of three. */
const STACK_HEIGHT = 14;

/** The lists one below the other. Agents get at most half, locks a quarter, messages the rest. */
function stacked(board: Board, state: ScreenState, view: View, height: number): Line[] {
  if (height < STACK_HEIGHT) return panelLines(state.focus, board, state, view, height);
  const wanted: Record<Panel, number> = { agents: 0, locks: 0, messages: 0 };
  for (const panel of PANELS) wanted[panel] = wantedHeight(panel, board, view);
  const least = { agents: Math.floor(height / 2), locks: Math.floor(height / 4) };
  const locks = Math.min(wanted.locks, least.locks);
  const agents = Math.min(wanted.agents, Math.max(least.agents, height - locks - wanted.messages));
  const messages = Math.min(wanted.messages, height - agents - locks);
  // What is left over goes to whoever can use it.
  const spare = height - agents - locks - messages;
  const heights = { agents, locks: Math.min(wanted.locks, locks + spare), messages };
  return PANELS.flatMap((panel) => panelLines(panel, board, state, view, heights[panel]));
}

function filled(lines: readonly Line[], height: number): Line[] {
  const shown = lines.slice(0, height);
  return [...shown, ...Array.from({ length: height - shown.length }, (): Line => [])];
}

/** What is asked, typed or reported, and where the cursor is on the last line. */
function promptLines(state: ScreenState, view: View): { lines: Line[]; column?: number } {
  const { prompt, notice } = state;
  const { columns } = view;
  if (prompt?.kind === "release") {
    const question = `Free ${lockPath(prompt.lock, view)}, locked by ${line(prompt.lock.holder)}? (y/n)`;
    const lines = wrapped(question, "alert", columns);
    return { lines, column: Math.max(0, Math.min(lineWidth(lines.at(-1) ?? []) + 1, columns - 1)) };
  }
  if (prompt?.kind === "message") {
    const typed = messagePrompt(prompt, columns);
    return { lines: [typed.line], column: typed.column };
  }
  if (notice === undefined) return { lines: [[]] };
  return { lines: wrapped(line(notice.text), notice.isProblem ? "alert" : "good", columns) };
}

/** The end of what was typed before the cursor is always in sight. */
function messagePrompt(
  { to, text, cursor }: Prompt & { kind: "message" },
  columns: number,
): { line: Line; column: number } {
  const label = take(`To ${line(to.handle)}: `, Math.max(0, columns - 10));
  const room = Math.max(1, columns - widthOf(label) - 1);
  const letters = text.map((letter) => letter === "\n" ? "⏎" : line(letter) || " ");
  let start = cursor;
  for (let width = 0; start > 0; start--) {
    width += widthOf(letters[start - 1] ?? "");
    if (width > room) break;
  }
  const before = letters.slice(start, cursor).join("");
  const shown = take(letters.slice(start).join(""), room);
  return {
    line: [span(label, "bold"), span(shown)],
    column: Math.min(widthOf(label) + widthOf(before), columns - 1),
  };
}

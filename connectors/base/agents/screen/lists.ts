import type { Board, BoardLock, BoardSession } from "../board/board.ts";
import type { BoardMessage } from "../board/recent_messages.ts";
import { cutStart, line } from "./cells.ts";
import { type Line, type Span, span } from "./line.ts";
import { type Panel, rowsOf } from "./state.ts";
import { type Column, tableLines } from "./table.ts";
import {
  doing,
  lockLevel,
  lockPath,
  projectOf,
  receivers,
  senderOf,
  since,
  STATUS_STYLES,
  statusOf,
  type View,
} from "./words.ts";

/** Narrower screens get two lines per row instead of a table. */
export const TABLE_COLUMNS = 60;
/** Before each row: the mark of the selected one. */
export const MARGIN = 2;

/** A list: its headings, and the lines of each row. */
export interface List {
  readonly title: string;
  readonly heading?: Line;
  readonly rows: readonly (readonly Line[])[];
  /** In place of rows. */
  readonly empty: string;
}

export function listOf(panel: Panel, board: Board, view: View): List {
  const { agents, locks, messages } = rowsOf(board);
  switch (panel) {
    case "agents":
      return {
        title: "Agents",
        empty: `No agent is live. Agents appear here once a harness was installed with: ` +
          `${view.binary} install --agents`,
        ...rows(agents, agentColumns(board, view), agentPair, view),
      };
    case "locks":
      return {
        title: "Locks",
        empty: "No file is locked.",
        ...rows(locks, lockColumns(view), lockPair, view),
      };
    case "messages":
      return {
        title: "Messages",
        empty: "No agent has sent a message yet.",
        ...rows(messages, messageColumns(view), messagePair, view),
      };
  }
}

function rows<Row>(
  all: readonly Row[],
  columns: readonly Column<Row>[],
  pair: (row: Row, view: View) => readonly [Line, Line],
  view: View,
): Pick<List, "heading" | "rows"> {
  if (view.columns < TABLE_COLUMNS) return { rows: all.map((row) => pair(row, view)) };
  const table = tableLines(all, columns, view.columns - MARGIN);
  return { heading: table.heading, rows: table.rows.map((row) => [row]) };
}

function agentColumns({ locks }: Board, view: View): Column<BoardSession>[] {
  const held = (session: BoardSession) =>
    locks.filter((lock) => lock.session === session.key && lock.harness === session.harness).length;
  return [
    { title: "HANDLE", min: 12, max: 24, cell: ({ handle }) => ({ text: line(handle), style: "bold" }) },
    {
      title: "STATUS",
      min: 8,
      max: 8,
      cell: (session) => ({ text: statusOf(session), style: STATUS_STYLES[statusOf(session)] }),
    },
    {
      title: "FOR",
      min: 6,
      max: 6,
      align: "right",
      cell: (session) => ({ text: since(session.since ?? session.seenAt, view) }),
    },
    { title: "DOING", min: 14, max: 60, cell: (session) => ({ text: doing(session, view) }) },
    {
      title: "UNREAD",
      min: 6,
      max: 6,
      align: "right",
      cell: ({ unread = 0 }) => ({ text: unread > 0 ? String(unread) : "", style: "alert" }),
    },
    { title: "PROJECT", min: 8, max: 20, cell: (session) => ({ text: projectOf(session) }) },
    {
      title: "LOCKS",
      min: 5,
      max: 5,
      align: "right",
      cell: (session) => ({ text: String(held(session) || "") }),
    },
    {
      title: "LAST MESSAGE",
      min: 16,
      max: 80,
      cell: ({ lastMessage }) => ({
        text: lastMessage === undefined ? "" : `${senderOf(lastMessage)}: ${opening(lastMessage.text)}`,
      }),
    },
    { title: "AGENT", min: 8, max: 20, cell: ({ agentId }) => ({ text: line(agentId), style: "dim" }) },
    {
      title: "MACHINE",
      min: 7,
      max: 20,
      cell: ({ here, machine = "" }) => ({
        text: here ? "here" : line(machine) || "elsewhere",
        style: "dim",
      }),
    },
  ];
}

function agentPair(session: BoardSession, view: View): [Line, Line] {
  const { handle, unread = 0 } = session;
  const status = statusOf(session);
  const first = [
    span(line(handle), "bold"),
    span("  "),
    span(status, STATUS_STYLES[status]),
    span(` ${since(session.since ?? session.seenAt, view)}`),
    ...unread > 0 ? [span(`  ${unread} unread`, "alert")] : [],
  ];
  return [first, [span(`  ${doing(session, view) || projectOf(session)}`, "dim")]];
}

function lockColumns(view: View): Column<BoardLock>[] {
  return [
    {
      title: "LOCKED",
      min: 18,
      max: 70,
      cut: cutStart,
      cell: (lock) => ({ text: lockPath(lock, view) }),
    },
    { title: "HOLDER", min: 12, max: 30, cell: ({ holder }) => ({ text: line(holder), style: "bold" }) },
    { title: "FOR", min: 6, max: 6, align: "right", cell: (lock) => ({ text: since(lock.since, view) }) },
    {
      title: "ENDS IN",
      min: 7,
      max: 7,
      align: "right",
      cell: ({ until }) => ({ text: since(2 * view.now - until, view) }),
    },
    { title: "INTENT", min: 10, max: 60, cell: ({ intent }) => ({ text: line(intent) }) },
    { title: "LEVEL", min: 12, max: 17, cell: (lock) => ({ text: lockLevel(lock), style: "dim" }) },
  ];
}

function lockPair(lock: BoardLock, view: View): [Line, Line] {
  const path = cutStart(lockPath(lock, view), view.columns - MARGIN);
  const times = [since(lock.since, view), `ends in ${since(2 * view.now - lock.until, view)}`];
  return [[span(path)], [span(`  ${line(lock.holder)}  ${times.filter(Boolean).join(", ")}`, "dim")]];
}

function messageColumns(view: View): Column<BoardMessage>[] {
  return [
    { title: "AGE", min: 6, max: 6, align: "right", cell: ({ at }) => ({ text: since(at, view) }) },
    { title: "FROM", min: 8, max: 20, cell: (message) => ({ text: senderOf(message), style: "bold" }) },
    { title: "TO", min: 8, max: 20, cell: (message) => ({ text: receivers(message) }) },
    { title: "STATE", min: 8, max: 8, cell: ({ state }) => ({ text: state, style: stateStyle(state) }) },
    { title: "MESSAGE", min: 12, max: 200, cell: ({ text }) => ({ text: opening(text) }) },
  ];
}

function messagePair(message: BoardMessage, view: View): [Line, Line] {
  const { at, state } = message;
  const first: Span[] = [
    span(senderOf(message), "bold"),
    span(` to ${receivers(message)}  `),
    span(state, stateStyle(state)),
    span(` ${since(at, view)}`),
  ];
  return [first, [span(`  ${opening(message.text)}`, "dim")]];
}

/** More than a row can show. */
const OPENING = 400;

function opening(text: string): string {
  return line(text.slice(0, OPENING));
}

function stateStyle(state: string): Span["style"] {
  if (state === "waiting" || state === "sent") return "alert";
  return state === "failed" || state === "refused" || state === "expired" ? "alert" : "dim";
}

import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import type { Wake } from "../../../../hooks/agents/sessions/session.ts";
import type { Board, BoardLock, BoardSession } from "../board/board.ts";
import type { BoardMessage } from "../board/recent_messages.ts";
import { line, wrapCells } from "./cells.ts";
import { type Line, span } from "./line.ts";
import { rowIds, rowsOf, type ScreenState } from "./state.ts";
import {
  doing,
  lockLevel,
  lockPath,
  place,
  receivers,
  senderOf,
  since,
  statusOf,
  type View,
} from "./words.ts";

/** Everything about the selected row. */
export function detailLines(board: Board, state: ScreenState, view: View): Line[] {
  const index = rowIds(board, state.focus).indexOf(state.selected[state.focus].id);
  const { agents, locks, messages } = rowsOf(board);
  switch (state.focus) {
    case "agents": {
      const session = agents[index];
      return session === undefined ? gone("This session has ended.") : agentDetails(session, board, view);
    }
    case "locks": {
      const lock = locks[index];
      return lock === undefined ? gone("This lock was freed.") : lockDetails(lock, view);
    }
    case "messages": {
      const message = messages[index];
      return message === undefined
        ? gone("This message is not among the newest any more: see history.")
        : messageDetails(message, view);
    }
  }
}

function gone(text: string): Line[] {
  return [[span(text)]];
}

/** How an idle agent learns of a message. */
const WAKES: Record<Wake, string> = {
  hook: "woken by a message",
  plugin: "woken by a message",
  queue: "woken by a message",
  none: "not woken: sees a message at its next prompt",
};

function agentDetails(session: BoardSession, board: Board, view: View): Line[] {
  const { waitsFor, terminal, unread = 0, held } = session;
  const locks = board.locks.filter((lock) =>
    lock.session === session.key && lock.harness === session.harness
  );
  const messages = board.messages.filter(({ from, to }) =>
    [from, ...to].some(({ key }) => key === session.key)
  );
  const status = `${statusOf(session)} for ${since(session.since ?? session.seenAt, view)}`;
  return [
    [span(line(session.handle), "bold")],
    ...fields([
      ["status", status],
      ["doing", doing(session, view)],
      ["waits for", waitsFor?.kind === "answer" ? `${line(waitsFor.from)} to answer ${waitsFor.id}` : ""],
      ["harness", line(session.harness)],
      ["agent", line(session.agentId)],
      ["project", place(session.project, view)],
      ["machine", session.here ? `${line(session.machine ?? "")} (here)` : line(session.machine ?? "")],
      ["session", line(session.key)],
      ["started", ago(session.startedAt, view)],
      ["last seen", ago(session.seenAt, view)],
      ["terminal", terminal === undefined ? "" : line(`${terminal.program} ${terminal.target ?? ""}`)],
      ["unread", unread === 0 ? "0" : `${unread}${held > 0 ? ` (${held} held by the policy)` : ""}`],
      ["when idle", session.wake === undefined ? "" : WAKES[session.wake]],
    ], view),
    ...section("Locks", locks.flatMap((lock) => summary(lockPath(lock, view), line(lock.intent), view))),
    ...section(
      "Messages, newest first",
      messages.toReversed().flatMap((message) =>
        summary(
          `${senderOf(message)} to ${receivers(message)}, ${ago(message.at, view)}, ${message.state}`,
          line(message.text),
          view,
        )
      ),
    ),
  ];
}

function lockDetails(lock: BoardLock, view: View): Line[] {
  return [
    ...wrapCells(lockPath(lock, view), view.columns).map((text) => [span(text, "bold")]),
    ...fields([
      ["repository", line(lock.remote ?? "")],
      ["holder", line(lock.holder)],
      ["agent", line(lock.agentId)],
      ["machine", line(lock.machine)],
      ["intent", line(lock.intent)],
      ["taken", ago(lock.since, view)],
      ["ends", `in ${since(2 * view.now - lock.until, view)}, unless it is renewed`],
      ["level", lockLevel(lock)],
    ], view),
  ];
}

function messageDetails(message: BoardMessage, view: View): Line[] {
  const { id, from, at, state, priority, thread, replyTo, wants } = message;
  const paragraphs = stripControls(message.text).split("\n");
  return [
    [span(`${senderOf(message)} to ${receivers(message)}`, "bold")],
    ...fields([
      ["id", id],
      ["agent", line(from.agentId)],
      ["sent", ago(at, view)],
      ["state", state],
      ["priority", String(priority)],
      ["answers", replyTo ?? ""],
      ["thread", line(thread ?? "")],
      ["wants", wants === "reply" ? "an answer" : ""],
    ], view),
    [],
    ...paragraphs.flatMap((text) => wrapCells(line(text), view.columns).map((each) => [span(each)])),
  ];
}

function ago(at: number, view: View): string {
  return at === 0 ? "" : `${since(at, view)} ago`;
}

const LABEL = 12;

/** Names and values; those without a value are left out. */
function fields(all: readonly (readonly [name: string, value: string])[], { columns }: View): Line[] {
  return all.filter(([, value]) => value.trim() !== "").flatMap(([name, value]) =>
    wrapCells(value, columns - LABEL - 2).map((text, i) => [
      span(`  ${(i === 0 ? name : "").padEnd(LABEL)}`, "dim"),
      span(text),
    ])
  );
}

function section(title: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : [[], [span(title, "bold")], ...lines];
}

function summary(first: string, second: string, { columns }: View): Line[] {
  return [
    ...wrapCells(first, columns - 2).map((text) => [span(`  ${text}`)]),
    ...second === "" ? [] : wrapCells(second, columns - 4).map((text) => [span(`    ${text}`, "dim")]),
  ];
}

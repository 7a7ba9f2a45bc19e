import type { Board, BoardLock, BoardSession } from "../../../base/agents/board/board.ts";
import type { BoardMessage, StatusChange } from "../../../base/agents/board/recent_messages.ts";
import { inboxOwner } from "../../../base/agents/messages/message_state.ts";
import type { LockBar } from "./lock_bars.ts";

/** What the page shows of a session. */
export type WebSession = Omit<BoardSession, "lastMessage" | "terminal">;

/** A change of status, with the name of a session that may have ended. */
export interface WebStatus extends StatusChange {
  readonly name: string;
}

/** What has changed on the board. Sent to the page as one event; parts that have not changed are absent. */
export interface Update {
  /** The page starts again with this update. */
  readonly reset?: true;
  readonly sessions?: readonly WebSession[];
  readonly locks?: readonly BoardLock[];
  readonly bars?: readonly LockBar[];
  readonly problems?: readonly string[];
  /** New messages, and those of which something has changed. */
  readonly messages?: readonly BoardMessage[];
  /** New changes of status. */
  readonly statuses?: readonly WebStatus[];
}

/** A board with the locks of the past. */
export interface Scene {
  readonly board: Board;
  readonly bars: readonly LockBar[];
}

/** Everything, for a page that has just opened. */
export function wholeUpdate({ board, bars }: Scene): Update {
  const { sessions, locks, problems, messages, statuses = [] } = board;
  return {
    reset: true,
    sessions: sessions.map(webSession),
    locks,
    bars,
    problems,
    messages,
    statuses: statuses.map(webStatus),
  };
}

/** What is new; undefined if nothing is. */
export function updateBetween(before: Scene, after: Scene): Update | undefined {
  const statuses = newStatuses(before.board.statuses ?? [], after.board.statuses ?? []);
  // The log was replaced: nothing that the page knows can be relied on.
  if (statuses === undefined) return wholeUpdate(after);
  const known = new Map(before.board.messages.map((message) => [message.id, signature(message)]));
  const messages = before.board.messages === after.board.messages
    ? []
    : after.board.messages.filter((message) => known.get(message.id) !== signature(message));
  const sessions = after.board.sessions.map(webSession);
  const { locks, problems } = after.board;
  const update: Update = {
    sessions: isSame(before.board.sessions.map(webSession), sessions) ? undefined : sessions,
    locks: isSame(before.board.locks, locks) ? undefined : locks,
    bars: isSame(before.bars, after.bars) ? undefined : after.bars,
    problems: isSame(before.board.problems, problems) ? undefined : problems,
    messages: messages.length === 0 ? undefined : messages,
    statuses: statuses.length === 0 ? undefined : statuses.map(webStatus),
  };
  return Object.values(update).some((part) => part !== undefined) ? update : undefined;
}

/** Undefined if the last one that was known is no longer there. */
function newStatuses(
  before: readonly StatusChange[],
  after: readonly StatusChange[],
): readonly StatusChange[] | undefined {
  const last = before.at(-1);
  if (last === undefined) return after;
  const index = after.lastIndexOf(last);
  return index === -1 ? undefined : after.slice(index + 1);
}

/** Of a message, only these change. */
function signature({ state, seenAt, to }: BoardMessage): string {
  return `${state} ${seenAt} ${to.length} ${to[0]?.name}`;
}

function webSession({ lastMessage: _message, terminal: _terminal, ...session }: BoardSession): WebSession {
  return session;
}

function webStatus(change: StatusChange): WebStatus {
  return { ...change, name: inboxOwner({ harness: change.harness, session: change.key }) };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

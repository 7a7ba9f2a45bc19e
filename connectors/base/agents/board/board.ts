import { holderName } from "../../../../hooks/agents/locks/lock_reason.ts";
import type { HeldLock, LockReach } from "../../../../hooks/agents/locks/lock.ts";
import { LockTrouble } from "../../../../hooks/agents/locks/lock_dir.ts";
import { Locks } from "../../../../hooks/agents/locks/locks.ts";
import type { ListedSession, Terminal } from "../../../../hooks/agents/sessions/session.ts";
import { uniqueHandle } from "../peers/lookup.ts";
import type { Mesh } from "../mesh.ts";
import { localPeer, mergePeers, type Peer } from "../peers/peer.ts";
import type { Elsewhere } from "../peers/reach_peers.ts";
import { InboxCounts } from "./inbox_counts.ts";
import {
  type BoardMessage,
  type MessageOptions,
  RecentMessages,
  type StatusChange,
} from "./recent_messages.ts";

/** Everything that a monitor shows, at one moment. Times are in ms since 1970. */
export interface Board {
  /** Live sessions in the order in which they began, then those whose process is gone. */
  readonly sessions: readonly BoardSession[];
  /** By path. */
  readonly locks: readonly BoardLock[];
  /** The newest messages between agents, oldest first. */
  readonly messages: readonly BoardMessage[];
  /** The newest changes of status, oldest first, if the reader keeps any. */
  readonly statuses?: readonly StatusChange[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

export interface BoardSession extends Peer {
  /** What a person types for it: `codex-3f9a`. */
  readonly handle: string;
  /** 0 if that is not known. */
  readonly startedAt: number;
  /** Messages that the policy holds; they are part of `unread`. */
  readonly held: number;
  /** Where to find its screen. */
  readonly terminal?: Terminal;
  readonly waitsFor?: WaitsFor;
  /** The newest message that it sent or got. */
  readonly lastMessage?: BoardMessage;
}

/** What an agent needs before it goes on. */
export type WaitsFor =
  /** Its user must allow the tool, or answer a question. */
  | { readonly kind: "user" }
  /** An idle agent has sent a message, and nobody has answered it. */
  | { readonly kind: "answer"; readonly id: string; readonly from: string };

export interface BoardLock {
  /** Tells this lock from a later one on the same path; "" if the file cannot be read. */
  readonly token: string;
  /** The real path; for a shared lock, the path in the repository. */
  readonly path: string;
  /** The git remote, for a lock that holds in every clone. */
  readonly remote?: string;
  readonly scope: "file" | "tree";
  readonly kind: "manual" | "auto";
  readonly reach: LockReach;
  /** The holder's handle, or another name if it has no live session here. */
  readonly holder: string;
  readonly harness: string;
  readonly session: string;
  readonly agentId: string;
  readonly machine: string;
  /** What the holder is doing: other people's text. */
  readonly intent: string;
  /** 0 if that is not known. */
  readonly since: number;
  readonly until: number;
}

/** Reads the board again and again. Later reads take up only what is new in the log. Changes no file. */
export class BoardReader {
  readonly #mesh: Mesh;
  readonly #messages: RecentMessages;
  readonly #counts: InboxCounts;

  constructor(mesh: Mesh, options: MessageOptions = {}) {
    this.#mesh = mesh;
    this.#counts = new InboxCounts(mesh.inbox);
    this.#messages = new RecentMessages(mesh.dir, options);
  }

  read(): Board {
    const messages = this.#messages.read();
    const sessions = this.#mesh.sessions.list().map((session) => this.#session(session));
    const { locks, problems } = readLocks(this.#mesh.dir);
    const { statuses } = this.#messages;
    return arrange({ sessions, locks: locks.map(boardLock), messages, statuses, problems });
  }

  #session(session: ListedSession): BoardSession {
    const { waiting, held } = this.#counts.count(session);
    const { startedAt, terminal } = session;
    return { ...localPeer(session, waiting + held), handle: "", startedAt, held, terminal };
  }
}

export function readBoard(mesh: Mesh, options?: MessageOptions): Board {
  return new BoardReader(mesh, options).read();
}

/** The board with sessions that only a daemon knows. */
export function withPeers(board: Board, elsewhere: Elsewhere): Board {
  const problems = [...board.problems, ...elsewhere.problems];
  const peers = mergePeers(board.sessions, elsewhere.peers).filter(({ here }) => !here);
  if (peers.length === 0) return { ...board, problems };
  const others = peers.map((peer) => ({ ...peer, handle: "", startedAt: 0, held: 0 }));
  return arrange({ ...board, problems, sessions: [...board.sessions, ...others] });
}

/** Orders the sessions and adds what depends on the other parts of the board. */
function arrange(board: Board): Board {
  const live = board.sessions.filter(({ status }) => status !== "gone");
  const handles = new Map<string, string>();
  const newest = newestBySession(board.messages);
  const questions = openQuestions(board.messages);
  const sessions = board.sessions.map((session) => {
    // A handle names live sessions only, so only theirs must differ.
    const handle = uniqueHandle(session, session.status === "gone" ? [session] : live);
    handles.set(id(session.harness, session.key), handle);
    const lastMessage = newest.get(session.key);
    return { ...session, handle, lastMessage, waitsFor: waitsFor(session, questions.get(session.key)) };
  }).sort(byStart);
  const locks = board.locks.map((lock) => ({
    ...lock,
    holder: handles.get(id(lock.harness, lock.session)) ?? holderName(lock),
  })).sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : a.token < b.token ? -1 : 1);
  return { ...board, sessions, locks };
}

function id(harness: string, key: string): string {
  return `${harness} ${key}`;
}

/** An order that does not change while agents work: rows must not move under the cursor. */
function byStart(a: BoardSession, b: BoardSession): number {
  const rank = ({ status, here }: BoardSession) => status === "gone" ? 2 : here ? 0 : 1;
  return rank(a) - rank(b) || a.startedAt - b.startedAt || (a.key < b.key ? -1 : 1);
}

function newestBySession(messages: readonly BoardMessage[]): Map<string, BoardMessage> {
  const newest = new Map<string, BoardMessage>();
  for (const message of messages) {
    for (const { key } of [message.from, ...message.to]) if (key !== undefined) newest.set(key, message);
  }
  return newest;
}

const CLOSED = ["failed", "refused", "expired", "answered", "done"];

/** The newest message of each session that nobody has answered. */
function openQuestions(messages: readonly BoardMessage[]): Map<string, BoardMessage> {
  const open = new Map<string, BoardMessage>();
  for (const message of messages) {
    const { from, wants, state } = message;
    if (from.key !== undefined && wants === "reply" && !CLOSED.includes(state)) open.set(from.key, message);
  }
  return open;
}

function waitsFor({ status }: BoardSession, question: BoardMessage | undefined): WaitsFor | undefined {
  if (status === "waiting") return { kind: "user" };
  if (status !== "idle" || question === undefined) return undefined;
  return { kind: "answer", id: question.id, from: question.to.map(({ name }) => name).join(", ") };
}

function readLocks(dir: string): { locks: HeldLock[]; problems: string[] } {
  try {
    const locks = new Locks(dir);
    return { locks: [...locks.dir.list(), ...locks.shared.dir.list()], problems: [] };
  } catch (error) {
    if (!(error instanceof LockTrouble)) throw error;
    return { locks: [], problems: [`The locks cannot be read: ${error.message}.`] };
  }
}

function boardLock(lock: HeldLock): BoardLock {
  const { token, scope, kind, reach, harness, session, agentId, machine, intent, taken, until } = lock;
  return {
    token,
    path: lock.repo === undefined ? lock.path : lock.repo.path || ".",
    remote: lock.repo?.remote,
    scope,
    kind,
    reach,
    holder: "",
    harness,
    session,
    agentId,
    machine,
    intent,
    since: taken,
    until,
  };
}

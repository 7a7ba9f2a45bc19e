import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { senderName } from "../../../hooks/agents/messages/wrap.ts";
import { inboxOwner, messageState } from "../agents/messages/message_state.ts";
import { number, text } from "./database.ts";
import { conditions, type Filter } from "./filter.ts";

/** What happened to a message. */
export interface MessageEvent {
  readonly at: string;
  readonly event: string;
  /** The session in whose inbox it was: `codex-3f9a`. */
  readonly who: string;
}

/** A message of the history. */
export interface HistoryMessage {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly priority: number;
  readonly from: string;
  readonly fromAgent: string;
  readonly fromSession?: string;
  readonly fromHarness?: string;
  readonly machine?: string;
  readonly verified: boolean;
  readonly to: string;
  readonly toAgent?: string;
  readonly toSession?: string;
  readonly project?: string;
  readonly thread?: string;
  readonly replyTo?: string;
  readonly state: string;
  readonly text: string;
  readonly events: readonly MessageEvent[];
}

type Row = Record<string, SQLOutputValue>;

/** The newest messages that a filter selects, oldest first. */
export function listMessages(database: DatabaseSync, filter: Filter): HistoryMessage[] {
  const { sql, values } = conditions(filter);
  const query = `select m.* from messages m where ${sql} order by m.n desc limit ?`;
  return select(database, query, [...values, filter.limit]).reverse();
}

/** The newest messages that match an FTS5 expression, oldest first. */
export function searchMessages(database: DatabaseSync, expression: string, filter: Filter): HistoryMessage[] {
  const { sql, values } = conditions(filter);
  // By row and not by rank: FTS5 then stops at the limit, however many rows match.
  const query = `select m.* from words join messages m on m.n = words.rowid
    where words match ? and ${sql} order by words.rowid desc limit ?`;
  return select(database, query, [expression, ...values, filter.limit]).reverse();
}

/** Ids that begin with a text, and those of a thread of that name. */
export function findIds(database: DatabaseSync, name: string): string[] {
  const query = `select id from messages where id = ?1 or thread = ?1
    or substr(id, 1, length(?1)) = ?1 order by id = ?1 desc, thread = ?1 desc, n limit 5`;
  return database.prepare(query).all(name).map(({ id }) => String(id));
}

/** The conversation of a message: its thread, what it answers, and its answers; oldest first. */
export function threadOf(database: DatabaseSync, id: string): HistoryMessage[] {
  const query = `with recursive linked (id) as (
      select ?1
      union select reply.id from linked join messages reply on reply.reply_to = linked.id
      union select m.reply_to from linked join messages m on m.id = linked.id where m.reply_to is not null
      union select other.id from linked join messages m on m.id = linked.id
        join messages other on other.thread = m.thread
    ) select m.* from messages m where m.id in linked order by m.n limit 1000`;
  return select(database, query, [id]);
}

function select(database: DatabaseSync, query: string, values: SQLInputValue[]): HistoryMessage[] {
  const events = database.prepare("select * from events where id = ? order by at, event");
  const answers = database.prepare("select 1 from messages where reply_to = ? limit 1");
  return database.prepare(query).all(...values).map((row) => {
    const id = String(row.id);
    return messageOf(row, events.all(id), answers.get(id) !== undefined);
  });
}

function messageOf(row: Row, events: readonly Row[], isAnswered: boolean): HistoryMessage {
  const session = text(row.from_session);
  return {
    id: String(row.id),
    at: time(row.at),
    kind: String(row.kind),
    priority: number(row.priority),
    from: senderName({ agentId: "", harness: text(row.from_harness), session }),
    fromAgent: String(row.from_agent),
    fromSession: session,
    fromHarness: text(row.from_harness),
    machine: text(row.machine),
    verified: row.verified === 1,
    to: receiver(row, events),
    toAgent: text(row.to_agent),
    toSession: text(row.to_session),
    project: text(row.project),
    thread: text(row.thread),
    replyTo: text(row.reply_to),
    state: messageState(events.map(inboxEvent), isAnswered),
    text: String(row.text),
    events: events.map((event) => ({ at: time(event.at), event: String(event.event), who: who(event) })),
  };
}

function inboxEvent({ event, harness, session }: Row) {
  return { event: String(event), harness: String(harness), session: String(session) };
}

/** Whom it is for, in words. */
function receiver(row: Row, events: readonly Row[]): string {
  const inboxes = events.filter(({ event }) => event === "put");
  const named = inboxes.find(({ session }) => session === row.to_session);
  if (named !== undefined) return who(named);
  if (row.to_session !== null) return String(row.to_session);
  if (row.to_agent !== null) return `agent ${row.to_agent}`;
  const [only, other] = inboxes;
  return only === undefined || other !== undefined ? "all agents" : who(only);
}

function who({ harness, session }: Row): string {
  return inboxOwner({ harness: String(harness), session: String(session) });
}

function time(at: SQLOutputValue | undefined): string {
  return new Date(number(at)).toISOString();
}

import { agentLogPath, oldLogPath } from "../../../../hooks/agents/log_line.ts";
import type { Message, MessageKind, Priority } from "../../../../hooks/agents/messages/message.ts";
import type { AgentStatus } from "../../../../hooks/agents/sessions/session.ts";
import { senderName } from "../../../../hooks/agents/messages/wrap.ts";
import { truncate } from "../../../../hooks/context_text/truncate.ts";
import { type LogRecord, parseLogLine } from "../log_record.ts";
import { inboxOwner, isSeen, messageState } from "../messages/message_state.ts";
import { readLines } from "../read_lines.ts";

/** A message between agents. */
export interface BoardMessage {
  readonly id: string;
  readonly at: number;
  readonly kind: MessageKind;
  readonly priority: Priority;
  readonly from: Party & { readonly agentId: string };
  /** Every inbox that it was put in; where it is not known yet, the agent or session it is for. */
  readonly to: readonly Party[];
  readonly wants: Message["wants"];
  readonly replyTo?: string;
  readonly thread?: string;
  /** `sent`, `waiting`, `seen`, `working`, `answered`, `done`, `failed`, `refused`, `expired`. */
  readonly state: string;
  /** When an agent or a person first saw it. */
  readonly seenAt?: number;
  /** Other people's text; cut if it is long. */
  readonly text: string;
}

/** A session, or whoever else takes part in a conversation. */
export interface Party {
  /** The session's key. */
  readonly key?: string;
  /** `codex-3f9a`, `a person`, `agent bob`. */
  readonly name: string;
}

/** What a session began to do. */
export interface StatusChange {
  readonly at: number;
  readonly status: AgentStatus | "ended";
  readonly harness: string;
  readonly key: string;
}

export interface MessageOptions {
  /** How many messages to keep. */
  readonly limit?: number;
  /** How many changes of status to keep (default: none). */
  readonly statuses?: number;
  /** How much of the log's end to read at most. */
  readonly tailBytes?: number;
}

const LIMIT = 200;
const TAIL_BYTES = 1024 * 1024;
/** `history show` has the rest. */
const MAX_TEXT = 2_000;

interface Entry {
  readonly message: Message;
  readonly records: LogRecord[];
}

const STATUSES: readonly StatusChange["status"][] = ["starting", "working", "idle", "waiting", "ended"];

/**
 * The newest messages of the log, and the newest changes of status. Reads its end, and later only what was added, also
 * when the log is put aside; a log that was cut or replaced is read again.
 */
export class RecentMessages {
  readonly #dir: string;
  readonly #path: string;
  readonly #limit: number;
  readonly #statusLimit: number;
  readonly #tailBytes: number;
  /** In the order of their first lines. */
  readonly #entries = new Map<string, Entry>();
  #file: number | null | undefined;
  #position = 0;
  #messages: readonly BoardMessage[] = [];
  readonly #statuses: StatusChange[] = [];

  constructor(dir: string, { limit = LIMIT, statuses = 0, tailBytes = TAIL_BYTES }: MessageOptions = {}) {
    this.#dir = dir;
    this.#path = agentLogPath(dir);
    this.#limit = limit;
    this.#statusLimit = statuses;
    this.#tailBytes = tailBytes;
  }

  /** The same array as before if nothing was added. */
  read(): readonly BoardMessage[] {
    try {
      if (this.#takeUp()) this.#messages = this.#build();
    } catch {
      // Without a log there are no messages to show; sessions and locks do not depend on it.
    }
    return this.#messages;
  }

  /** The newest changes of status when `read` was last called, oldest first; undefined if none are kept. */
  get statuses(): readonly StatusChange[] | undefined {
    return this.#statusLimit === 0 ? undefined : this.#statuses.slice(-this.#statusLimit);
  }

  #takeUp(): boolean {
    const { isFile, ino, size } = Deno.lstatSync(this.#path);
    if (!isFile) return false;
    const isReplaced = ino !== this.#file || size < this.#position;
    if (!isReplaced && size === this.#position) return false;
    using file = Deno.openSync(this.#path);
    if (isReplaced) {
      if (!this.#finishOld()) {
        this.#entries.clear();
        this.#statuses.length = 0;
      }
      this.#file = ino;
      this.#position = 0;
    }
    return this.#readOn(file, size) || isReplaced;
  }

  /** Reads the rest of a log that was put aside; false if it was another file. */
  #finishOld(): boolean {
    if (this.#file === undefined || this.#file === null) return false;
    try {
      using file = Deno.openSync(oldLogPath(this.#dir));
      const { ino, size } = file.statSync();
      if (ino !== this.#file) return false;
      this.#readOn(file, size);
      return true;
    } catch {
      return false; // there is none
    }
  }

  /** Reads a file from the position on, or only its end. True if there was a line. */
  #readOn(file: Deno.FsFile, size: number): boolean {
    const isBehind = size - this.#position > this.#tailBytes;
    if (isBehind) this.#position = size - this.#tailBytes;
    let isWhole = !isBehind;
    let isChanged = false;
    for (const { text, end } of readLines(file, this.#position)) {
      this.#position = end;
      if (isWhole && text !== undefined) parseLogLine(text)?.forEach((record) => this.#add(record));
      isWhole = true;
      isChanged = true;
    }
    return isChanged;
  }

  #add(record: LogRecord): void {
    if (record.id === "") return this.#addStatus(record);
    const entry = this.#entries.get(record.id);
    if (entry !== undefined) entry.records.push(record);
    else if (record.message !== undefined) {
      this.#entries.set(record.id, { message: record.message, records: [record] });
      const [oldest] = this.#entries.keys();
      if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
    }
  }

  #addStatus({ at, event, harness, session: key }: LogRecord): void {
    const status = STATUSES.find((known) => known === event);
    if (status === undefined || this.#statusLimit === 0) return;
    this.#statuses.push({ at, status, harness, key });
    // In large steps: each of them moves the whole array.
    if (this.#statuses.length > 2 * this.#statusLimit) this.#statuses.splice(0, this.#statusLimit);
  }

  #build(): BoardMessage[] {
    const entries = [...this.#entries.values()];
    const answered = new Set(entries.map(({ message }) => message.replyTo));
    return entries.map(({ message, records }) => boardMessage(message, records, answered.has(message.id)))
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }
}

function boardMessage(message: Message, records: readonly LogRecord[], isAnswered: boolean): BoardMessage {
  const { id, at, kind, priority, from, wants, replyTo, thread } = message;
  return {
    id,
    at,
    kind,
    priority,
    from: { key: from.session, name: senderName(from), agentId: from.agentId },
    to: receivers(message, records),
    wants,
    replyTo,
    thread,
    state: messageState(records, isAnswered),
    seenAt: records.find(isSeen)?.at,
    text: truncate(message.text.toWellFormed(), MAX_TEXT),
  };
}

function receivers({ to }: Message, records: readonly LogRecord[]): Party[] {
  const inboxes = new Map(
    records.filter(({ event, harness }) => event === "put" && harness !== "agent")
      .map(({ session, harness }) => [session, { key: session, name: inboxOwner({ session, harness }) }]),
  );
  if (inboxes.size > 0) return [...inboxes.values()];
  if (to.session !== undefined) return [{ key: to.session, name: to.session }];
  return [{ name: to.agentId === undefined ? "all agents" : `agent ${to.agentId}` }];
}

import { isObject, parseObject } from "../../json.ts";
import { defaultTtl, isPriority, type Message, parseMessage } from "./message.ts";
import { derivedMessageId, isMessageId, messageTime } from "./message_id.ts";

const MARK = "signet-msg/1 ";

/** What the daemon says about a message; only these fields are facts. */
export interface DaemonFields {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly fromAgentId?: string;
  readonly fromSessionKey?: string;
  readonly toAgentId?: string;
  readonly toSessionKey?: string;
}

/** The `content` of a message at the daemon: one line of fields, an empty line, the text. */
export function encodeEnvelope(message: Message): string {
  const { from } = message;
  const fields = {
    id: message.id,
    p: message.priority,
    re: message.replyTo ?? null,
    want: message.wants,
    ttl: message.ttl,
    th: message.thread,
    kind: message.kind,
    hop: message.hop,
    r: message.receipt,
    from: { h: from.harness, s: from.session, m: from.machine, cwd: from.cwd },
  };
  return `${MARK}${JSON.stringify(fields)}\n\n${message.text}`;
}

/** Whether a text is what `encodeEnvelope` writes, and not a message of other programs. */
export function hasEnvelope(content: string): boolean {
  return content.startsWith(MARK) && split(content).fields.id !== undefined;
}

/** A message from the daemon. Text without an envelope has priority 3 and wants no reply. */
export function decodeEnvelope(content: string, daemon: DaemonFields): Message {
  const { fields, text } = split(content);
  const from = isObject(fields.from) ? fields.from : {};
  const createdAt = Date.parse(daemon.createdAt);
  const known = Number.isNaN(createdAt) ? Date.now() : createdAt;
  const id = isMessageId(fields.id) ? fields.id : derivedMessageId(known, daemon.id);
  const priority = isPriority(fields.p) ? fields.p : 3;
  const raw = {
    id,
    // The daemon's clock: a sender's wrong clock must not make a message expire, or live on.
    at: known,
    from: {
      agentId: daemon.fromAgentId ?? "unknown",
      session: daemon.fromSessionKey ?? from.s,
      harness: from.h,
      machine: from.m,
      cwd: from.cwd,
    },
    to: { agentId: daemon.toAgentId, session: daemon.toSessionKey },
    priority,
    replyTo: fields.re,
    wants: fields.want,
    ttl: fields.ttl,
    thread: fields.th,
    kind: fields.kind,
    hop: fields.hop,
    receipt: fields.r,
    text,
    verified: daemon.fromAgentId !== undefined,
  };
  return parseMessage(JSON.stringify(raw)) ?? {
    id,
    at: messageTime(id),
    from: { agentId: raw.from.agentId },
    to: raw.to,
    priority,
    wants: "none",
    ttl: defaultTtl(priority),
    kind: "message",
    hop: 0,
    text,
    verified: raw.verified,
  };
}

function split(content: string): { fields: Record<string, unknown>; text: string } {
  const newline = content.indexOf("\n");
  // The daemon trims what it gets: an envelope without text is one line.
  const end = newline === -1 ? content.length : newline;
  const fields = content.startsWith(MARK) ? parseObject(content.slice(MARK.length, end)) : undefined;
  if (fields === undefined) return { fields: {}, text: content };
  const rest = content.slice(end + 1);
  return { fields, text: rest.startsWith("\n") ? rest.slice(1) : rest };
}

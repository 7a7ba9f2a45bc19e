import { isObject, parseObject } from "../../json.ts";
import { isMessageId } from "./message_id.ts";

/** 1 note, 2 low, 3 normal, 4 urgent, 5 stop. */
export type Priority = 1 | 2 | 3 | 4 | 5;

/** `receipt` never reaches a model. */
export type MessageKind = "message" | "reply" | "receipt" | "lock" | "control";

/** The `harness` of whoever writes through the A2A gateway. */
export const GATEWAY = "a2a";

/** Who sent a message. Only `agentId` of a verified message is a fact, the rest is the sender's claim. */
export interface Sender {
  readonly agentId: string;
  /** The sender's session; undefined for a person at a command line. */
  readonly session?: string;
  readonly harness?: string;
  readonly machine?: string;
  /** The last part of the project's path: enough to tell projects apart, without the user's directories. */
  readonly cwd?: string;
}

/** A message from one agent to another. */
export interface Message {
  /** `m_` and a ULID. */
  readonly id: string;
  /** When it was written, in ms since 1970. */
  readonly at: number;
  readonly from: Sender;
  readonly to: { readonly agentId?: string; readonly session?: string };
  readonly priority: Priority;
  /** The message that this one answers. */
  readonly replyTo?: string;
  readonly wants: "reply" | "none";
  /** In seconds; after that it is not shown any more. */
  readonly ttl: number;
  readonly thread?: string;
  readonly kind: MessageKind;
  /** How many agents passed it on. */
  readonly hop: number;
  readonly text: string;
  /** `from.agentId` comes from the daemon, or from a session on this machine. */
  readonly verified: boolean;
  /** The state that a receipt reports. */
  readonly receipt?: ReceiptState;
}

export type ReceiptState = "queued" | "seen" | "working" | "done" | "failed" | "expired" | "refused";

const RECEIPTS: readonly ReceiptState[] = [
  "queued",
  "seen",
  "working",
  "done",
  "failed",
  "expired",
  "refused",
];
const KINDS: readonly MessageKind[] = ["message", "reply", "receipt", "lock", "control"];

/** The daemon accepts no more in one message, envelope included. */
export const MAX_CONTENT = 65_536;

/** How long a message waits if its sender does not say. A stop is about now. */
export function defaultTtl(priority: Priority): number {
  return priority === 5 ? 600 : 24 * 3600;
}

/** No message waits longer than the daemon would keep it. */
export const MAX_TTL = 7 * 24 * 3600;

/** Whether nobody should see the message any more. */
export function isExpired({ at, ttl }: Pick<Message, "at" | "ttl">, now: number): boolean {
  return now > at + ttl * 1000;
}

export function isPriority(value: unknown): value is Priority {
  return value === 1 || value === 2 || value === 3 || value === 4 || value === 5;
}

/** A message as a JSON file of an inbox has it; undefined for anything else. */
export function parseMessage(text: string): Message | undefined {
  const fields = parseObject(text);
  if (fields === undefined || !isObject(fields.from)) return undefined;
  const { id, at, priority, ttl, hop, kind, from } = fields;
  if (!isMessageId(id) || typeof at !== "number" || !isPriority(priority)) return undefined;
  if (typeof fields.text !== "string" || typeof from.agentId !== "string") return undefined;
  const to = isObject(fields.to) ? fields.to : {};
  return {
    id,
    at,
    from: {
      agentId: from.agentId,
      session: string(from.session),
      harness: string(from.harness),
      machine: string(from.machine),
      cwd: string(from.cwd),
    },
    to: { agentId: string(to.agentId), session: string(to.session) },
    priority,
    replyTo: isMessageId(fields.replyTo) ? fields.replyTo : undefined,
    wants: fields.wants === "reply" ? "reply" : "none",
    ttl: typeof ttl === "number" && ttl > 0 ? Math.min(ttl, MAX_TTL) : defaultTtl(priority),
    thread: string(fields.thread),
    kind: KINDS.find((known) => known === kind) ?? "message",
    hop: typeof hop === "number" && hop >= 0 ? hop : 0,
    text: fields.text,
    verified: fields.verified === true,
    receipt: RECEIPTS.find((state) => state === fields.receipt),
  };
}

function string(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

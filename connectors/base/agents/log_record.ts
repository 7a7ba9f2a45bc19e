import { isObject, parseObject } from "../../../hooks/json.ts";
import { isTime } from "../../../hooks/agents/is_time.ts";
import { type Message, parseMessage } from "../../../hooks/agents/messages/message.ts";
import { isMessageId } from "../../../hooks/agents/messages/message_id.ts";

/** A line of `log.jsonl`: what happened to a message, or to a session. */
export interface LogRecord {
  /** When the line was written, in ms since 1970. */
  readonly at: number;
  /**
   * `put`, `shown`, `passed on`, `expired`, `sent`, or the state that a receipt reports; of a session, its
   * new status or `ended`.
   */
  readonly event: string;
  /** The message that it is about; "" for an event of a session. */
  readonly id: string;
  readonly session: string;
  readonly harness: string;
  /** Lines that bring a message have all of it. */
  readonly message?: Message;
}

/** Reads a line; undefined for one that is damaged, [] for one that is not about messages. */
export function parseLogLine(text: string): readonly LogRecord[] | undefined {
  const fields = parseObject(text);
  if (fields === undefined || !isTime(fields.at) || typeof fields.event !== "string") return undefined;
  const { at, event } = fields;
  const session = string(fields.session) || string(fields.to);
  const harness = string(fields.harness);
  if (fields.message === undefined) {
    return [{ at, event, id: isMessageId(fields.id) ? fields.id : "", session, harness }];
  }
  const message = isObject(fields.message) ? parseMessage(JSON.stringify(fields.message)) : undefined;
  if (message === undefined) return undefined;
  const state = stateRecord(at, message);
  // `audit` shows locks; the messages in which machines announce them are of no use to people.
  if (message.kind === "receipt") return state;
  if (message.kind === "lock" || message.kind === "control") return [];
  const timed = isTime(message.at) ? message : { ...message, at };
  return [{ at, event, id: message.id, session, harness, message: timed }, ...state];
}

/** A receipt, and an answer that reports a failure, say what became of another message. */
function stateRecord(at: number, { receipt, replyTo, from }: Message): LogRecord[] {
  if (receipt === undefined || replyTo === undefined) return [];
  return [{ at, event: receipt, id: replyTo, session: from.session ?? "", harness: from.harness ?? "" }];
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

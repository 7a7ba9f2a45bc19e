import { isObject } from "../../json.ts";
import { type DaemonFields, decodeEnvelope } from "./envelope.ts";
import type { Message } from "./message.ts";
import type { Listed } from "./message_request.ts";
import type { SessionId } from "../sessions/session.ts";

/** The messages for a session, oldest first, of those that the daemon lists for its agent. */
export function messagesFor(session: SessionId, agentId: string, { items, offsetMs }: Listed): Message[] {
  return items.map((item) => parseItem(item, offsetMs)).filter((message) => message !== undefined)
    .filter((message) => isFor(message, session, agentId)).reverse();
}

/**
 * A message as the daemon lists it; undefined for anything else. Its time is by this
 * machine's clock, which decides whether it has expired: the daemon's is `offsetMs` ahead.
 */
export function parseItem(item: unknown, offsetMs = 0): Message | undefined {
  if (!isObject(item)) return undefined;
  const { id, createdAt, content } = item;
  if (typeof id !== "string" || typeof createdAt !== "string" || typeof content !== "string") {
    return undefined;
  }
  const fields: DaemonFields = {
    id,
    createdAt,
    fromAgentId: string(item.fromAgentId),
    fromSessionKey: string(item.fromSessionKey),
    toAgentId: string(item.toAgentId),
    toSessionKey: string(item.toSessionKey),
  };
  const message = decodeEnvelope(content, fields);
  return offsetMs === 0 ? message : { ...message, at: message.at - offsetMs };
}

/** To this session, to its agent, or to everybody; and not from the session itself. */
function isFor({ from, to }: Message, { key }: SessionId, agentId: string): boolean {
  if (from.session === key) return false;
  if (to.session !== undefined) return to.session === key;
  return to.agentId === undefined || to.agentId === agentId;
}

function string(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

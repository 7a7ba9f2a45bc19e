import { isObject } from "../../json.ts";
import { type DaemonFields, decodeEnvelope } from "./envelope.ts";
import type { Message } from "./message.ts";
import type { SessionId } from "../sessions/session.ts";

/** The messages for a session, oldest first, of those that the daemon lists for its agent. */
export function messagesFor(session: SessionId, agentId: string, items: readonly unknown[]): Message[] {
  return items.map((item) => parseItem(item)).filter((message) => message !== undefined)
    .filter((message) => isFor(message, session, agentId)).reverse();
}

/** A message as the daemon lists it; undefined for anything else. */
export function parseItem(item: unknown): Message | undefined {
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
  return decodeEnvelope(content, fields);
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

import "../common.ts";
import type { DaemonClient } from "../../daemon/client.ts";
import { isObject } from "../../json.ts";
import { type DaemonFields, decodeEnvelope } from "./envelope.ts";
import type { Message } from "./message.ts";
import type { SessionId } from "../sessions/session.ts";

/** As many as the daemon shows at once to a new listener; an inbox gets the rest at the next prompt. */
const LIMIT = 100;

/**
 * The messages for a session that the daemon has, oldest first; undefined if it
 * cannot be asked. The daemon keeps no note of who has read what: the inbox does.
 */
export async function fetchMessages(
  client: Pick<DaemonClient, "request" | "agentId">,
  session: SessionId,
  since: number,
  options: { timeoutMs: number; signal?: AbortSignal },
): Promise<Message[] | undefined> {
  const query = new URLSearchParams({
    agent_id: client.agentId,
    since: new Date(since).toISOString(),
    limit: String(LIMIT),
  });
  const reply = await client.request<unknown>(
    "GET",
    `/api/cross-agent/messages?${query}`,
    undefined,
    options,
  );
  if (reply.kind !== "ok" || !isObject(reply.body) || !Array.isArray(reply.body.items)) return undefined;
  return reply.body.items.map((item) => parseItem(item)).filter((message) => message !== undefined)
    .filter((message) => isFor(message, session, client.agentId)).reverse();
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
export function isFor({ from, to }: Message, { key }: SessionId, agentId: string): boolean {
  if (from.session === key) return false;
  if (to.session !== undefined) return to.session === key;
  return to.agentId === undefined || to.agentId === agentId;
}

function string(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

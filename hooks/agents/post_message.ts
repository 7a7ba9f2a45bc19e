import type { DaemonClient } from "../daemon/client.ts";
import { isObject } from "../json.ts";
import { encodeEnvelope } from "./envelope.ts";
import type { Message } from "./message.ts";

/** Sends a message through the daemon; undefined if that worked, else why not. */
export async function postMessage(
  client: Pick<DaemonClient, "request" | "agentId">,
  message: Message,
  timeoutMs: number,
): Promise<string | undefined> {
  const reply = await client.request<unknown>("POST", "/api/cross-agent/messages", {
    agent_id: client.agentId,
    fromAgentId: client.agentId,
    fromSessionKey: message.from.session,
    toAgentId: message.to.agentId,
    toSessionKey: message.to.session,
    broadcast: message.to.agentId === undefined && message.to.session === undefined ? true : undefined,
    type: "info",
    content: encodeEnvelope(message),
  }, { timeoutMs });
  if (reply.kind === "ok") return isObject(reply.body) ? undefined : "the daemon did not confirm it";
  return reply.kind === "http" ? reply.error ?? `status ${reply.status}` : reply.kind;
}

import type { DaemonClient } from "../../daemon/client.ts";
import { describe, type FailureKind } from "../../daemon/describe.ts";
import { isObject } from "../../json.ts";
import { encodeEnvelope } from "./envelope.ts";
import type { Message } from "./message.ts";

/** Why the daemon did not take a message; `later` if it may take it another time. */
export interface NotPosted {
  readonly why: string;
  readonly later: boolean;
}

/** What another try would not change. */
const FINAL: readonly FailureKind[] = [
  "unauthorized",
  "forbidden",
  "refused",
  "unsupported",
  "blocked",
  "not found",
];

/** Sends a message through the daemon; undefined if that worked. */
export async function postMessage(
  client: Pick<DaemonClient, "request" | "agentId" | "url">,
  message: Message,
  timeoutMs: number,
): Promise<NotPosted | undefined> {
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
  if (reply.kind === "ok") {
    return isObject(reply.body) ? undefined : { why: "the daemon did not confirm it", later: true };
  }
  const { kind, summary } = describe(reply, client.url);
  return { why: summary, later: !FINAL.includes(kind) };
}

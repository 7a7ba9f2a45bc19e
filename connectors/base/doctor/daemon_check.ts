import { DaemonClient, type Reply } from "../../../hooks/daemon/client.ts";
import { describe, type FailedReply } from "../../../hooks/daemon/describe.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";

/** The result of real calls with these settings. */
export type DaemonCheck =
  | { readonly kind: "ok"; readonly ms: number }
  | { readonly kind: "unreachable"; readonly message: string }
  /** The key is not accepted. `owner` is the agent that it belongs to, if it is another one. */
  | { readonly kind: "rejected"; readonly message: string; readonly owner?: string }
  | { readonly kind: "odd"; readonly message: string };

/**
 * Asks for one memory, then for the agent's sessions. `whoami` would not do: a
 * real daemon was seen to call a valid key unauthenticated there. Recall alone
 * would not do either: 0.145 answers it for any agent, whoever the key belongs
 * to, and the second route is one that refuses another agent's key.
 */
export async function checkDaemon(settings: Settings, timeoutMs = 5_000): Promise<DaemonCheck> {
  const { agentId } = settings;
  const client = DaemonClient.from(settings);
  const recall = { query: "signet", limit: 1, agentId };
  const reply = await client.request("POST", "/api/memory/recall", recall, { timeoutMs });
  if (reply.kind !== "ok") return failedCheck(reply, settings);
  const path = `/api/cross-agent/presence?agent_id=${encodeURIComponent(agentId)}&limit=1`;
  const scoped = await client.request("GET", path, undefined, { timeoutMs });
  return isRefused(scoped) ? failedCheck(scoped, settings) : { kind: "ok", ms: reply.ms };
}

/** A missing route or a slow answer says nothing about the key, which recall has accepted. */
function isRefused(reply: Reply<unknown>): reply is FailedReply {
  return reply.kind === "http" && (reply.status === 401 || reply.status === 403);
}

function failedCheck(reply: FailedReply, { url, agentId }: Settings): DaemonCheck {
  const { kind, message, detail } = describe(reply, url);
  switch (kind) {
    case "offline":
    case "timeout":
    case "rate-limited":
    case "server error":
      return { kind: "unreachable", message };
    case "unauthorized":
    case "blocked":
      return { kind: "rejected", message };
    case "forbidden": {
      const owner = /scope restricted to agent '([^']+)'/.exec(detail ?? "")?.[1];
      if (owner === undefined) return { kind: "rejected", message: `${message} The agent id is ${agentId}.` };
      return {
        kind: "rejected",
        message: `The key belongs to agent ${owner}, not to ${agentId}: ${url} refuses it (HTTP 403).`,
        owner,
      };
    }
    default:
      return { kind: "odd", message };
  }
}

import type { DaemonClient } from "../../../../hooks/daemon/client.ts";
import { type FailedReply, isMissingRoute } from "../../../../hooks/daemon/describe.ts";
import { record, records } from "../../memory/daemon.ts";

/** Who can read an agent's memories. */
export type ReadPolicy =
  /** `policy` is the daemon's word: isolated, shared or group. */
  | { readonly kind: "registered"; readonly policy: string; readonly group?: string }
  /** The first hook will register the agent as shared. */
  | { readonly kind: "unregistered" }
  /** 0.58 keeps all memories in one place. */
  | { readonly kind: "not separated" }
  | { readonly kind: "failed"; readonly reply: FailedReply };

export async function readPolicy(client: DaemonClient): Promise<ReadPolicy> {
  const reply = await client.request<unknown>("GET", "/api/agents", undefined, { timeoutMs: 5_000 });
  if (isMissingRoute(reply)) return { kind: "not separated" };
  if (reply.kind !== "ok") return { kind: "failed", reply };
  const agent = records(record(reply.body)?.agents)
    .find(({ id, name }) => id === client.agentId || name === client.agentId);
  if (agent === undefined) return { kind: "unregistered" };
  return {
    kind: "registered",
    policy: String(agent.read_policy),
    group: typeof agent.policy_group === "string" ? agent.policy_group : undefined,
  };
}

/** Registers the agent as isolated. Daemons do this only for an agent that they do not know yet. */
export async function registerIsolated(client: DaemonClient): Promise<FailedReply | undefined> {
  const reply = await client.request("POST", "/api/agents", {
    name: client.agentId,
    read_policy: "isolated",
  }, { timeoutMs: 5_000 });
  return reply.kind === "ok" ? undefined : reply;
}

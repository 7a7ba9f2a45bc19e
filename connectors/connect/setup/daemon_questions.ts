import { DaemonClient } from "../../../hooks/daemon/client.ts";
import { describe } from "../../../hooks/daemon/describe.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";
import { checkDaemon } from "../../base/doctor/daemon_check.ts";
import { keyNeeded } from "../../base/doctor/key_needed.ts";

const TIMEOUT_MS = 5_000;

/** Whether something that is a daemon answers, and whether it wants a key. */
export type Reached =
  | { readonly kind: "open" }
  | { readonly kind: "needs key" }
  | { readonly kind: "failed"; readonly message: string };

/** Asks a daemon, without a key, whether it wants one. */
export async function reachDaemon(settings: Settings): Promise<Reached> {
  const client = DaemonClient.from({ ...settings, apiKey: undefined, problem: undefined });
  if (await keyNeeded(client, TIMEOUT_MS)) return { kind: "needs key" };
  const reply = await recall(client);
  if (reply.kind === "ok") return { kind: "open" };
  const { kind, message } = describe(reply, settings.url);
  return kind === "unauthorized" ? { kind: "needs key" } : { kind: "failed", message };
}

/** Why the daemon does not accept this key, if that is so. Whose key it is comes later. */
export async function keyProblem(settings: Settings): Promise<string | undefined> {
  const reply = await recall(DaemonClient.from(settings));
  if (reply.kind === "ok") return undefined;
  const { kind, message } = describe(reply, settings.url);
  return kind === "forbidden" ? undefined : message;
}

/** Why this key may not act for the agent, and the agent that it belongs to, if the daemon names it. */
export interface WrongAgent {
  readonly message: string;
  readonly owner?: string;
}

export async function agentProblem(settings: Settings): Promise<WrongAgent | undefined> {
  const check = await checkDaemon(settings);
  return check.kind === "rejected" ? check : undefined;
}

function recall(client: DaemonClient) {
  const { agentId } = client;
  return client.request("POST", "/api/memory/recall", { query: "signet", limit: 1, agentId }, {
    timeoutMs: TIMEOUT_MS,
  });
}

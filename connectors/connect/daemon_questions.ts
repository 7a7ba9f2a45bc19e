import { DaemonClient } from "../../hooks/daemon/client.ts";
import { describe } from "../../hooks/daemon/describe.ts";
import type { Settings } from "../../hooks/daemon/settings.ts";
import { checkDaemon } from "../base/doctor/daemon_check.ts";

const TIMEOUT_MS = 5_000;

/** Whether something that is a daemon answers, and whether it wants a key. */
export type Reached =
  | { readonly kind: "open" }
  | { readonly kind: "needs key" }
  | { readonly kind: "failed"; readonly message: string };

/** Asks a daemon, without a key, whether it wants one. */
export async function reachDaemon(settings: Settings): Promise<Reached> {
  const client = DaemonClient.from({ ...settings, apiKey: undefined, problem: undefined });
  // A public route of newer daemons: `team` needs a key, `hybrid` only from other machines.
  const methods = await client.request("GET", "/api/auth/methods", undefined, { timeoutMs: TIMEOUT_MS });
  if (methods.kind === "ok" && methods.body.mode === "team") return { kind: "needs key" };
  if (methods.kind !== "ok" && methods.kind !== "http") {
    return { kind: "failed", message: describe(methods, settings.url).message };
  }
  // Older daemons have no such route; all of them answer 401 where a key is missing.
  const { agentId } = settings;
  const recall = await client.request("POST", "/api/memory/recall", { query: "signet", limit: 1, agentId }, {
    timeoutMs: TIMEOUT_MS,
  });
  if (recall.kind === "ok") return { kind: "open" };
  const { kind, message } = describe(recall, settings.url);
  return kind === "unauthorized" ? { kind: "needs key" } : { kind: "failed", message };
}

/** Why the daemon does not know this key, if that is so. */
export async function keyProblem(settings: Settings): Promise<string | undefined> {
  const reply = await presence(settings);
  if (reply.kind === "ok") return undefined;
  const { kind, message } = describe(reply, settings.url);
  return kind === "unauthorized" || kind === "rate-limited" ? message : undefined;
}

/** Why this key may not act for the agent, and the agent that it belongs to, if the daemon names it. */
export interface WrongAgent {
  readonly message: string;
  readonly agentId?: string;
}

/**
 * Whether the key may act for the agent. Real daemons do not check the agent of a
 * recall, so a route that they do check is asked as well.
 */
export async function agentProblem(settings: Settings): Promise<WrongAgent | undefined> {
  const scoped = await presence(settings);
  if (scoped.kind === "http" && scoped.status === 403) {
    return { message: describe(scoped, settings.url).message, agentId: namedAgent(scoped.error ?? "") };
  }
  const check = await checkDaemon(settings);
  return check.kind === "rejected"
    ? { message: check.message, agentId: namedAgent(check.message) }
    : undefined;
}

function presence(settings: Settings) {
  const path = `/api/cross-agent/presence?agent_id=${encodeURIComponent(settings.agentId)}&limit=1`;
  return DaemonClient.from(settings).request("GET", path, undefined, { timeoutMs: TIMEOUT_MS });
}

/** The agent in "scope restricted to agent 'bob'". */
function namedAgent(error: string): string | undefined {
  return /restricted to agent '([^']+)'/.exec(error)?.[1];
}

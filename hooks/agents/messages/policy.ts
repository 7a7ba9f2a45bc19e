import { HOST, type Surroundings } from "../../state/paths.ts";
import { readUserConfig } from "../config/config_files.ts";
import { narrowed, type RepositoryLimits } from "../config/repository_limits.ts";
import { projectName } from "../sessions/handle.ts";
import type { Message } from "./message.ts";
import { senderKey } from "./select.ts";
import type { AgentSession } from "../sessions/session.ts";

/** Who may write to the sessions of this user: from `agents.yaml`. */
export interface Policy {
  /** Agent ids that may write from any project; `*` for all. */
  readonly allow: readonly string[];
  /** Agent ids whose messages are held; `*` for all. */
  readonly deny: readonly string[];
  /** Agent ids that may stop a session (priority 5), besides the session's agent. */
  readonly stop: readonly string[];
  /** How many messages one sender may have shown in ten minutes. */
  readonly perTenMinutes: number;
}

export const DEFAULT_POLICY: Policy = { allow: [], deny: [], stop: [], perTenMinutes: 20 };

/** More than this many agents in a chain are a loop. */
export const MAX_HOPS = 8;
const TEN_MINUTES = 600_000;
/** Two agents that answer each other at once are faster than any work that they could do in between. */
const PER_MINUTE = 10;

/** What the user's file says, and how the session's repository narrows it. */
export function loadPolicy(repository?: RepositoryLimits, host: Surroundings = HOST): Policy {
  const { allow, deny, stop, perTenMinutes } = narrowed(
    { ...DEFAULT_POLICY, ...set(readUserConfig(host).config) },
    repository ?? {},
  );
  return {
    allow: allow ?? [],
    deny: deny ?? [],
    stop: stop ?? [],
    perTenMinutes: perTenMinutes ?? DEFAULT_POLICY.perTenMinutes,
  };
}

/** What is set, without the keys that are undefined. */
function set(limits: RepositoryLimits): RepositoryLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** Why a message is not shown now: for good, or until its sender has been quiet for a while. */
export type Hold = { readonly why: string; readonly until: "allowed" | "later" };

/** A message that was shown before: who sent it, and when. */
export interface Shown {
  readonly at: number;
  readonly sender: string;
}

/**
 * Why a session's user may not want this message, or undefined. `shown` has the
 * session's messages of the last ten minutes.
 */
export function heldBy(
  policy: Policy,
  message: Message,
  session: Pick<AgentSession, "agentId" | "project">,
  shown: readonly Shown[],
  now: number,
): Hold | undefined {
  const { from, hop } = message;
  if (policy.deny.includes(from.agentId) || policy.deny.includes("*")) {
    return { why: `agent ${from.agentId} is denied`, until: "allowed" };
  }
  if (hop > MAX_HOPS) return { why: `${hop} agents have passed it on`, until: "allowed" };
  const sameProject = from.cwd !== undefined && from.cwd === projectName(session.project);
  if (!sameProject && !isTrusted(policy.allow, message, session)) {
    return { why: `agent ${from.agentId} works in another project`, until: "allowed" };
  }
  const own = shown.filter(({ sender }) => sender === senderKey(message));
  if (own.filter(({ at }) => now - at < TEN_MINUTES).length >= policy.perTenMinutes) {
    return { why: `more than ${policy.perTenMinutes} messages in 10 minutes`, until: "later" };
  }
  if (own.filter(({ at }) => now - at < 60_000).length >= PER_MINUTE) {
    return { why: `more than ${PER_MINUTE} messages in a minute`, until: "later" };
  }
  return undefined;
}

/** Whether the sender may refuse the session's next tool call. */
export function mayStop(
  policy: Policy,
  message: Message,
  session: Pick<AgentSession, "agentId">,
): boolean {
  return isTrusted(policy.stop, message, session);
}

/** The session's agent itself, or one on the list. A claim alone is never enough. */
function isTrusted(
  list: readonly string[],
  { from, verified }: Message,
  session: Pick<AgentSession, "agentId">,
): boolean {
  return verified && (from.agentId === session.agentId || list.includes(from.agentId) || list.includes("*"));
}

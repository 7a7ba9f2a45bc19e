import { logHook } from "../../log.ts";
import type { AgentAnswer } from "../answer.ts";
import { agentsDir } from "../dir.ts";
import type { AgentProfile } from "../profile.ts";
import type { LockMode } from "../config/lock_modes.ts";
import type { AgentSession } from "../sessions/session.ts";
import { troubleReason } from "./lock_reason.ts";

/** `status` counts the lines of hook.log with this outcome. */
export const UNCHECKED = "locks not checked";

/** Our own failure let an edit go ahead without a check. */
export function logUnchecked(harness: string, session: string, detail: string): void {
  logHook(harness, { event: "pre-tool", outcome: UNCHECKED, session: session.slice(0, 12), detail });
}

/** What happens to a tool call that cannot be checked: refused in the mode `strict`, else counted. */
export function notChecked(
  harness: string,
  session: string,
  mode: LockMode,
  why: string,
): AgentAnswer | undefined {
  if (mode === "strict") return { kind: "refuse", reason: troubleReason(why) };
  if (mode !== "off") logUnchecked(harness, session, why);
  return undefined;
}

/** Why the directory of the mesh cannot be used; undefined if there is none, and so no locks. */
export function lockProblem(): string | undefined {
  const dir = agentsDir();
  if (dir === undefined) return undefined;
  try {
    Deno.lstatSync(dir);
    return `${dir} is not a directory that only you can use`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

export function writesFiles({ tools }: Pick<AgentProfile, "tools">, tool: string | undefined): boolean {
  return tools !== undefined && tool !== undefined && Object.hasOwn(tools, tool);
}

/** A session that is not written down. */
export function stranger(harness: string, key: string, cwd: unknown): AgentSession {
  return {
    v: 1,
    key,
    harness,
    agentId: "",
    url: "",
    project: typeof cwd === "string" ? cwd : "/",
    machine: "",
    startedAt: 0,
    status: "working",
    since: 0,
    wake: "none",
  };
}

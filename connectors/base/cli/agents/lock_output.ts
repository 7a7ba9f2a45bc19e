import type { HeldLock, LockReach } from "../../../../hooks/agents/locks/lock.ts";
import { holderName } from "../../../../hooks/agents/locks/lock_reason.ts";
import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";

/** How sure a lock is that nobody else has it. */
export const LEVELS: Record<LockReach, string> = {
  machine: "this machine",
  announced: "announced",
  exact: "exact",
};

/** `codex-3f9a (agent bob): "rename fields"`; the intent is other people's text. */
export function holder(lock: HeldLock): string {
  const intent = stripControls(lock.intent).replace(/\s+/g, " ").trim();
  return holderName(lock) + (intent === "" ? "" : `: "${intent.slice(0, 120)}"`);
}

/** Where it is: a path, or the path in a repository for a lock of another machine. */
export function lockPlace(lock: HeldLock): string {
  return lock.repo === undefined ? lock.path : `${lock.repo.remote}: ${lock.repo.path || "."}`;
}

export function lockDocument(lock: HeldLock) {
  const { path, repo, scope, kind, intent, agentId, harness, session, machine, reach } = lock;
  return {
    path: repo === undefined ? path : undefined,
    repo,
    scope,
    kind,
    level: reach,
    holder: holderName(lock),
    agentId,
    harness,
    session,
    machine,
    intent,
    since: new Date(lock.taken).toISOString(),
    until: new Date(lock.until).toISOString(),
  };
}

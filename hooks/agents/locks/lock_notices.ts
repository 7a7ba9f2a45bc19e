import "./common.ts";
import type { AgentCall } from "../call.ts";
import { Inbox } from "../messages/inbox.ts";
import { handleOf } from "../sessions/handle.ts";
import { AgentSessions } from "../sessions/session.ts";
import { wake } from "../wake/wake.ts";
import { lockMessage } from "./announcement.ts";
import type { HeldLock } from "./lock.ts";
import { ownerOf } from "./tool_call.ts";

/** A message to the session whose locked file was changed. */
export function tellOwner({ dir, session, tool }: AgentCall, lock: HeldLock): void {
  try {
    const owner = new AgentSessions(dir).get({ harness: lock.harness, key: lock.session });
    if (owner === undefined) return;
    const text =
      `A ${tool ?? "tool"} call of ${handleOf(session)} changed ${lock.path}, which you have locked. ` +
      "Read it again before you go on.";
    const message = lockMessage({ ...ownerOf(session), project: session.project }, owner, text);
    new Inbox(dir).put(owner, message);
    wake(new AgentSessions(dir).get(owner) ?? owner, message);
  } catch {
    // It is in the audit log.
  }
}

/** Leaves a warning in the session's own inbox: its next hook with a reader shows it. */
export function leaveWarning({ dir, session }: AgentCall, warning: string): void {
  try {
    const message = lockMessage({ ...ownerOf(session), project: session.project }, session, warning);
    new Inbox(dir).put(session, message);
  } catch {
    // The disk is full; the audit log may have it.
  }
}

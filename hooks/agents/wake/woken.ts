import { readState, writeNote } from "../../state/state_file.ts";
import { sessionName } from "../dir.ts";
import type { AgentSessions, SessionId } from "../sessions/session.ts";

function wokenPath(dir: string, { harness, key }: SessionId): string {
  return `${dir}/inbox/${sessionName(harness, key)}/woken`;
}

/**
 * Notes that a session was woken for an urgent message, after its status was
 * written: as long as the date of the session's file stays, no hook of it ran.
 * Never throws: without the note its user hears no second bell.
 */
export function noteWoken(dir: string, sessions: AgentSessions, id: SessionId): void {
  try {
    const hookAt = sessions.get(id)?.hookAt;
    if (hookAt !== undefined) writeNote(wokenPath(dir, id), String(hookAt));
  } catch {
    // The disk is full.
  }
}

/** When a session was woken, if it has shown no sign since; in ms since 1970. */
export function silentSince(dir: string, session: SessionId & { hookAt: number }): number | undefined {
  return readState(wokenPath(dir, session), 100) === String(session.hookAt) ? session.hookAt : undefined;
}

import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { hasLocks } from "../agents/locks/has_locks.ts";
import { dueMessages } from "../agents/messages/due_messages.ts";
import { noteTurnEnd, TurnEnds } from "../agents/sessions/turn_ends.ts";

/**
 * The agent is done with its answer: if messages wait, it goes on with them.
 *
 * The session is noted as idle before its inbox is read, and a sender writes to the
 * inbox before it looks whether the session is idle. So a message that arrives at
 * this moment is seen here, or its sender wakes the session, or both; never neither.
 */
export async function onTurnEnd(call: AgentCall): Promise<AgentOutcome> {
  const { dir, sessions, session, agents, isSubagent } = call;
  // Its parent goes on.
  if (isSubagent) return NOTHING;
  sessions.update(session, { status: "idle" });
  const ends = new TurnEnds(dir, session);
  const due = ends.inARow() < agents.goOnLimit ? await dueMessages(dir, session, "turn-end") : undefined;
  if (due === undefined) {
    noteTurnEnd(dir, session);
    if (hasLocks(dir)) {
      const { freeLocks, renewLocks } = await import("../agents/locks/session_locks.ts");
      await freeLocks(dir, session, "turn");
      renewLocks(dir, session);
    }
    return NOTHING;
  }
  sessions.update(session, { status: "working" });
  ends.wentOn();
  return {
    answer: { kind: "go on", text: due.text },
    outcome: `delivered ${due.count}`,
    confirm: due.confirm,
  };
}

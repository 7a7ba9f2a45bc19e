import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { freeLocks, renewLocks } from "../agents/locks/tool_locks.ts";
import { offer } from "../agents/offer.ts";
import { noteTurnEnd, TurnEnds } from "../agents/turn_ends.ts";

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
  const due = ends.inARow() < agents.goOnLimit ? offer(dir, session, "turn-end") : undefined;
  if (due === undefined) {
    noteTurnEnd(dir, session);
    await freeLocks(dir, session, "turn");
    renewLocks(dir, session);
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

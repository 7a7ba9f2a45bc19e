import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { noteTurnEnd } from "../agents/sessions/turn_ends.ts";

/** What Copilot CLI reports at the same event, and nobody waits for: work in the background is done. */
const NEWS = /completed$|^agent_/;

/** The harness waits for the user, who must allow something or has been away for a while. */
export function onWaiting({ dir, sessions, session, input }: AgentCall): AgentOutcome {
  if (NEWS.test(String(input.notification_type))) return NOTHING;
  // An interrupted turn has no end; this is the first sign that the agent is idle.
  const isIdle = input.notification_type === "idle_prompt";
  sessions.update(session, { status: isIdle ? "idle" : "waiting", tool: session.tool, file: session.file });
  if (isIdle) noteTurnEnd(dir, session);
  return NOTHING;
}

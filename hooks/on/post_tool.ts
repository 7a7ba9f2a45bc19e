import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { offer } from "../agents/offer.ts";

/** A tool has run: shows what has arrived since. */
export function onPostTool({ dir, sessions, session, isSubagent }: AgentCall): AgentOutcome {
  sessions.update(session, { status: "working" });
  if (isSubagent) return NOTHING;
  const due = offer(dir, session, "post-tool");
  if (due === undefined) return NOTHING;
  return {
    answer: { kind: "context", text: due.text },
    outcome: `delivered ${due.count}`,
    confirm: due.confirm,
  };
}

import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { Subagents } from "../agents/sessions/subagents.ts";

/** A sub-agent begins to work. */
export function onSubagentStart({ dir, session }: AgentCall): AgentOutcome {
  new Subagents(dir, session).started();
  return NOTHING;
}

export function onSubagentEnd({ dir, session }: AgentCall): AgentOutcome {
  new Subagents(dir, session).ended();
  return NOTHING;
}

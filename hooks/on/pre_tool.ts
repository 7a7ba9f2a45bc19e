import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { offer } from "../agents/offer.ts";
import { toolFile } from "../agents/tool_file.ts";

/**
 * A tool is about to run: notes what the agent does, refuses the call once if a
 * message says stop, and shows urgent messages where the harness takes text here.
 */
export function onPreTool(call: AgentCall): AgentOutcome {
  const { agents, dir, sessions, session, tool, isSubagent } = call;
  sessions.update(session, { status: "working", tool, file: toolFile(call.input) });
  // A sub-agent has its parent's session, and must not take its parent's messages.
  if (isSubagent) return NOTHING;
  const stop = offer(dir, session, "pre-tool", ({ priority }) => priority === 5);
  if (stop !== undefined) {
    const reason = `Another agent asks you to stop before this tool call, which was not run. ${stop.text}`;
    return { answer: { kind: "refuse", reason }, outcome: `stopped by ${stop.count}`, confirm: stop.confirm };
  }
  if (!agents.contextBeforeTool) return NOTHING;
  const urgent = offer(dir, session, "pre-tool");
  if (urgent === undefined) return NOTHING;
  return {
    answer: { kind: "context", text: urgent.text },
    outcome: `delivered ${urgent.count}`,
    confirm: urgent.confirm,
  };
}

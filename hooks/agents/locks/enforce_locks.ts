import "./common.ts";
import type { LockMode } from "../config/lock_modes.ts";
import type { AgentCall, AgentOutcome } from "../call.ts";
import { checkTool } from "./check_tool.ts";
import { Locks } from "./locks.ts";
import { notChecked } from "./not_checked.ts";
import { callId, cwdOf, ownerOf } from "./tool_call.ts";

/** Refuses a tool call that would write a file that another session has locked. */
export async function enforceLocks(call: AgentCall, mode: LockMode): Promise<AgentOutcome | undefined> {
  const { agents, dir, session, tool, input, profile } = call;
  if (tool === undefined || agents.tools === undefined) return undefined;
  const locks = new Locks(dir);
  const owner = ownerOf(session);
  const toolCall = { tool, input: input.tool_input, cwd: cwdOf(call) };
  const verdict = await checkTool(locks, mode, agents.tools, toolCall, owner);
  if (verdict.kind === "denied") {
    return { answer: { kind: "refuse", reason: verdict.reason }, outcome: "locked" };
  }
  let { trouble } = verdict;
  try {
    if (verdict.writes !== undefined && verdict.writes.unknown.length > 0) {
      const { LockWatch } = await import("./shell_calls.ts");
      new LockWatch(locks, owner).begin(callId(call));
    }
  } catch (error) {
    trouble ??= error instanceof Error ? error.message : String(error);
  }
  const answer = trouble === undefined ? undefined : notChecked(profile.id, session.key, mode, trouble);
  return answer === undefined ? undefined : { answer, outcome: "locked" };
}

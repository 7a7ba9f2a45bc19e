import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { hasLocks } from "../agents/locks/has_locks.ts";
import { writesFiles } from "../agents/locks/not_checked.ts";
import { dueMessages } from "../agents/messages/due_messages.ts";
import { toolFile } from "../agents/tool_file.ts";

/**
 * A tool is about to run: notes what the agent does, refuses the call if it would
 * write a file that another session has locked, or once if a message says stop, and
 * shows urgent messages where the harness takes text here.
 */
export async function onPreTool(call: AgentCall): Promise<AgentOutcome> {
  const { agents, dir, sessions, session, hasFile, tool, isSubagent } = call;
  if (hasFile) sessions.update(session, { status: "working", tool, file: toolFile(call.input) }, session);
  // Sub-agents too: they share the locks of their session.
  const locked = await lockedByAnother(call);
  if (locked !== undefined) return locked;
  // A sub-agent has its parent's session, and must not take its parent's messages.
  if (isSubagent) return NOTHING;
  const stop = await dueMessages(dir, session, "pre-tool", ({ priority }) => priority === 5);
  // The policy may have held it.
  if (stop !== undefined && stop.count > 0) {
    const reason = `Another agent asks you to stop before this tool call, which was not run. ${stop.text}`;
    return { answer: { kind: "refuse", reason }, outcome: `stopped by ${stop.count}`, confirm: stop.confirm };
  }
  if (!agents.contextBeforeTool) return NOTHING;
  const urgent = await dueMessages(dir, session, "pre-tool");
  if (urgent === undefined) return NOTHING;
  return {
    answer: { kind: "context", text: urgent.text },
    outcome: `delivered ${urgent.count}`,
    confirm: urgent.confirm,
  };
}

/** Most sessions meet no lock: then the code of locks is not loaded. */
async function lockedByAnother(call: AgentCall): Promise<AgentOutcome | undefined> {
  const { agents, dir, tool, lockMode = "on" } = call;
  if (!writesFiles(agents, tool)) return undefined;
  if (lockMode === "off" || (lockMode !== "auto" && !hasLocks(dir))) return undefined;
  if (lockMode !== "auto" && (await import("../agents/locks/is_free.ts")).isFree(call)) return undefined;
  const { enforceLocks } = await import("../agents/locks/enforce_locks.ts");
  return await enforceLocks(call, lockMode);
}

import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { hasLocks } from "../agents/locks/has_locks.ts";
import { loadLockMode } from "../agents/locks/lock_mode.ts";
import { writesFiles } from "../agents/locks/not_checked.ts";
import { mayNameFiles } from "../agents/locks/shell/may_name_files.ts";
import { dueMessages } from "../agents/messages/due_messages.ts";

/** A tool has run: records what it wrote, and shows what has arrived since. */
export async function onPostTool(call: AgentCall): Promise<AgentOutcome> {
  const { agents, dir, sessions, session, isSubagent } = call;
  const warning = await recordWrites(call);
  if (agents.deafAfterTool) {
    // Nobody waits for this hook: by now the turn may be over.
    if (session.status === "waiting") sessions.update(session, { status: "working" });
    else sessions.touch(session);
    if (warning !== undefined) await leaveWarning(call, warning);
    return NOTHING;
  }
  sessions.update(session, { status: "working" }, session);
  const due = isSubagent ? undefined : await dueMessages(dir, session, "post-tool");
  if (due === undefined) {
    return warning === undefined
      ? NOTHING
      : { answer: { kind: "context", text: warning }, outcome: "lock violated" };
  }
  return {
    answer: { kind: "context", text: warning === undefined ? due.text : `${warning}\n\n${due.text}` },
    outcome: `delivered ${due.count}`,
    confirm: due.confirm,
  };
}

/** A warning about locks, if there is one. A tool that writes nothing needs the code of locks only for its leases. */
async function recordWrites(call: AgentCall): Promise<string | undefined> {
  const { dir, session } = call;
  if (!hasLocks(dir) && !mayRecord(call)) return undefined;
  try {
    if ((await loadLockMode())(session.repository) === "off") return undefined;
    return await (await import("../agents/locks/record_writes.ts")).recordWrites(call);
  } catch {
    // The tool has run: a log that cannot be written must not keep messages back.
    return undefined;
  }
}

/** Whether the call may have written a file that can be named. */
function mayRecord({ agents, tool, input }: AgentCall): boolean {
  if (tool === undefined || !writesFiles(agents, tool)) return false;
  const writes = agents.tools?.[tool];
  return writes === undefined || !("shell" in writes) || mayNameFiles(input.tool_input);
}

async function leaveWarning(call: AgentCall, warning: string): Promise<void> {
  (await import("../agents/locks/lock_notices.ts")).leaveWarning(call, warning);
}

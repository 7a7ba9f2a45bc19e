import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { recordWrites } from "../agents/locks/tool_locks.ts";
import { offer } from "../agents/offer.ts";

/** A tool has run: records what it wrote, and shows what has arrived since. */
export function onPostTool(call: AgentCall): AgentOutcome {
  const { dir, sessions, session, isSubagent } = call;
  const warning = recorded(call);
  sessions.update(session, { status: "working" }, session);
  const due = isSubagent ? undefined : offer(dir, session, "post-tool");
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

function recorded(call: AgentCall): string | undefined {
  try {
    return recordWrites(call);
  } catch {
    // The tool has run: a log that cannot be written must not keep messages back.
    return undefined;
  }
}

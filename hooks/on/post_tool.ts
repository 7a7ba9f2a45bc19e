import { type AgentCall, type AgentOutcome, NOTHING } from "../agents/call.ts";
import { Inbox } from "../agents/inbox.ts";
import { lockMessage } from "../agents/locks/announcement.ts";
import { ownerOf, recordWrites } from "../agents/locks/tool_locks.ts";
import { offer } from "../agents/offer.ts";

/** A tool has run: records what it wrote, and shows what has arrived since. */
export function onPostTool(call: AgentCall): AgentOutcome {
  const { agents, dir, sessions, session, isSubagent } = call;
  const warning = recorded(call);
  if (agents.deafAfterTool) {
    // Nobody waits for this hook: by now the turn may be over.
    if (session.status === "waiting") sessions.update(session, { status: "working" });
    else sessions.touch(session);
    if (warning !== undefined) putWarning(call, warning);
    return NOTHING;
  }
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

/** Leaves a warning in the session's own inbox: its next hook with a reader shows it. */
function putWarning({ dir, session }: AgentCall, warning: string): void {
  try {
    const message = lockMessage({ ...ownerOf(session), project: session.project }, session, warning);
    new Inbox(dir).put(session, message);
  } catch {
    // The disk is full; the audit log may have it.
  }
}

function recorded(call: AgentCall): string | undefined {
  try {
    return recordWrites(call);
  } catch {
    // The tool has run: a log that cannot be written must not keep messages back.
    return undefined;
  }
}

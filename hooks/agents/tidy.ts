import { exists } from "../state/exists.ts";
import { appendAgentLog } from "./log_line.ts";
import { Inbox } from "./messages/inbox.ts";
import { isExpired } from "./messages/message.ts";
import { sendReceipt } from "./messages/receipt.ts";
import { AgentSessions, type ListedSession } from "./sessions/session.ts";

/** Sooner most inboxes have a message that has not expired. */
const OVER_MS = 25 * 3600 * 1000;

/**
 * Removes the inboxes of sessions that are over, once every message in them has expired.
 * Who wrote what nobody has read gets a receipt.
 */
export function tidyInboxes(dir: string, now: () => number = Date.now): void {
  const inbox = new Inbox(dir, now);
  for (const session of new AgentSessions(dir, now).ended()) {
    if (now() - session.hookAt < OVER_MS) continue;
    expireUnread(dir, inbox, session, now());
    inbox.prune(session);
    removeEmpty(inbox.dirOf(session));
  }
}

function expireUnread(dir: string, inbox: Inbox, session: ListedSession, now: number): void {
  const { key, harness } = session;
  for (const message of [...inbox.peek(session, "new"), ...inbox.peek(session, "held")]) {
    if (!isExpired(message, now) || !inbox.withdraw(session, message)) continue;
    appendAgentLog(dir, { event: "expired", session: key, harness, id: message.id });
    sendReceipt(dir, session, message, "expired");
  }
}

/** Removes an inbox without messages. */
function removeEmpty(dir: string): void {
  try {
    // Not recursive, so that a message stays.
    for (const folder of ["new", "taken", "held", "seen"]) {
      if (exists(`${dir}/${folder}`)) Deno.removeSync(`${dir}/${folder}`);
    }
    Deno.removeSync(dir, { recursive: true });
  } catch {
    // It has a message, or another process was faster.
  }
}

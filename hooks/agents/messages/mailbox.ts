import { fnv } from "../dir.ts";
import type { Inbox } from "./inbox.ts";
import { GATEWAY } from "./message.ts";
import type { AgentSession, AgentSessions, SessionId } from "../sessions/session.ts";

const PERSON = "person";
/** For a reader that is not a model. */
export const UNLIMITED = { messages: Infinity, chars: Infinity };

/** Where answers to a person at a command line wait. The key differs between two homes on one machine. */
export function personMailbox(machine: string, dir: string): SessionId {
  return { harness: PERSON, key: `${PERSON}:${machine}:${fnv(dir, 0x811c9dc5)}` };
}

/** Where answers to the A2A gateway wait, also while it is not running. */
export function gatewayMailbox(machine: string, dir: string): SessionId {
  return { harness: GATEWAY, key: `${GATEWAY}:${machine}:${fnv(dir, 0x811c9dc5)}` };
}

/** Where messages wait for an agent that has no session on this machine. */
export function agentMailbox(agentId: string): SessionId {
  return { harness: "agent", key: agentId };
}

/** Where messages wait for the next session of a harness. */
export function harnessMailbox(harness: string): SessionId {
  return { harness, key: "*" };
}

/**
 * Moves what waited for the session's agent or harness into its inbox. The claim
 * is a rename, so of two sessions that begin at once, one gets each message.
 */
export function adoptWaiting(
  inbox: Inbox,
  session: Pick<AgentSession, "key" | "harness" | "agentId" | "project">,
): number {
  const mailboxes = [agentMailbox(session.agentId), harnessMailbox(session.harness)];
  return mailboxes.reduce((sum, mailbox) => sum + moveAll(inbox, mailbox, session), 0);
}

/**
 * Moves what sessions that are over have not read into the inbox of the next one of
 * their agent and harness in the same directory: the user has closed the window, or
 * cleared the conversation.
 */
export function adoptUnread(inbox: Inbox, sessions: AgentSessions, session: AgentSession): number {
  const { key, harness, agentId, project } = session;
  const over = [...sessions.ended(), ...sessions.list().filter(({ gone }) => gone)].filter((other) =>
    other.key !== key && other.harness === harness && other.agentId === agentId && other.project === project
  );
  return over.reduce((sum, other) => sum + moveAll(inbox, other, session), 0);
}

/** What told another session to stop is only urgent for this one. */
function moveAll(inbox: Inbox, from: SessionId, to: SessionId & Pick<AgentSession, "agentId" | "project">) {
  // The policy decides when the session takes it.
  const box = { ...to, key: from.key, harness: from.harness };
  const { messages } = inbox.take(box, "asked", { limits: UNLIMITED, policy: "none" });
  let moved = 0;
  for (const { again, ...message } of messages) {
    const isStop = message.priority === 5 && message.to.session === from.key;
    if (inbox.put(to, isStop ? { ...message, priority: 4 } : message, again) === "new") moved++;
  }
  inbox.shown(from, messages);
  return moved;
}

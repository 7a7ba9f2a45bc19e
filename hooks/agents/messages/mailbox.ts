import { fnv } from "../dir.ts";
import type { Inbox } from "./inbox.ts";
import { GATEWAY } from "./message.ts";
import type { AgentSession, SessionId } from "../sessions/session.ts";

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
  let adopted = 0;
  for (const mailbox of [agentMailbox(session.agentId), harnessMailbox(session.harness)]) {
    // The policy decides when the session takes it.
    const box = { ...mailbox, agentId: session.agentId, project: session.project };
    const { messages } = inbox.take(box, "asked", { limits: UNLIMITED, policy: "none" });
    for (const { again: _again, ...message } of messages) {
      if (inbox.put(session, message) === "new") adopted++;
    }
    inbox.shown(mailbox, messages);
  }
  return adopted;
}

import { fnv } from "../dir.ts";
import type { Inbox } from "./inbox.ts";
import { GATEWAY, type Message } from "./message.ts";
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

/** Messages that were moved into an inbox. */
export interface Adopted {
  readonly count: number;
  /** What had waited too long. */
  readonly expired: readonly Message[];
}

type Adopter = Pick<AgentSession, "key" | "harness" | "agentId" | "project">;

/**
 * Moves what waited for the session's agent or harness into its inbox. The claim
 * is a rename, so of two sessions that begin at once, one gets each message.
 */
export function adoptWaiting(inbox: Inbox, session: Adopter): Adopted {
  return moveAll(inbox, [agentMailbox(session.agentId), harnessMailbox(session.harness)], session);
}

/**
 * Moves what sessions that are over have not read into the inbox of the next one of
 * their agent and harness in the same directory: the user has closed the window, or
 * cleared the conversation.
 */
export function adoptUnread(inbox: Inbox, sessions: AgentSessions, session: Adopter): Adopted {
  const { key, harness, agentId, project } = session;
  const over = [...sessions.ended(), ...sessions.list().filter(({ gone }) => gone)].filter((other) =>
    other.key !== key && other.harness === harness && other.agentId === agentId && other.project === project
  );
  return moveAll(inbox, over, session);
}

/** What told another session to stop is only urgent for this one. */
function moveAll(inbox: Inbox, from: readonly SessionId[], to: Adopter): Adopted {
  const expired: Message[] = [];
  let count = 0;
  for (const { harness, key } of from) {
    // The policy decides when the session takes it.
    const taken = inbox.take({ ...to, harness, key }, "asked", { limits: UNLIMITED, policy: "none" });
    expired.push(...taken.expired);
    const moved = taken.messages.filter(({ again, ...message }) => {
      const isStop = message.priority === 5 && message.to.session === key;
      const stored = inbox.put(to, isStop ? { ...message, priority: 4 } : message, again);
      if (stored === "new") count++;
      return stored !== "full";
    });
    inbox.shown({ harness, key }, moved, "passed on");
    // The inbox is full: the rest stays where it is.
    inbox.giveBack({ harness, key }, taken.messages);
  }
  return { count, expired };
}

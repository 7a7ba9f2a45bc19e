import { agentMailbox } from "../../../../hooks/agents/messages/mailbox.ts";
import type { Message } from "../../../../hooks/agents/messages/message.ts";
import type { ListedSession, SessionId } from "../../../../hooks/agents/sessions/session.ts";
import type { Woken } from "../../../../hooks/agents/wake/wake.ts";
import { errorReason } from "../../fs/error_reason.ts";
import { uniqueHandle } from "../peers/lookup.ts";
import { liveSessions, localPeers, mailboxWithKey, type Mesh } from "../mesh.ts";
import type { Listener, Published, Reached, Transport } from "./transport.ts";

export interface LocalOptions {
  /** Wakes an idle session. */
  wake?(session: ListedSession, message: Message): Woken;
  /** Only sessions of this agent get messages; undefined for every agent of this machine. */
  readonly agentId?: string;
}

/** The clocks of two machines differ. */
const CLOCKS_MS = 60_000;

/** Messages between sessions of one machine: files, and no daemon. */
export class LocalTransport implements Transport {
  readonly #mesh: Mesh;
  readonly #options: LocalOptions;

  constructor(mesh: Mesh, options: LocalOptions) {
    this.#mesh = mesh;
    this.#options = options;
  }

  peers(): Promise<Reached> {
    return Promise.resolve({ peers: localPeers(this.#mesh) });
  }

  publish(message: Message): Promise<Published> {
    return Promise.resolve(this.deliver(message));
  }

  /** Stores a message in the inboxes that it is for. A copy of a stored message changes nothing. */
  deliver(message: Message): Published {
    try {
      const { session, agentId } = message.to;
      const mailbox = mailboxWithKey(this.#mesh, session);
      if (mailbox !== undefined) return this.#put(message, [mailbox]);
      if (session !== undefined) return this.#put(message, this.#live(({ key }) => key === session));
      if (agentId !== undefined) return this.#toAgent(message, agentId);
      return this.#put(message, this.#hearing(message));
    } catch (error) {
      return { kind: "failed", code: "disk", why: errorReason(error) };
    }
  }

  /** Resolves at once: what is sent on this machine is in the inbox already. */
  async subscribe(listener: Listener): Promise<void> {
    await listener.onConnect?.();
  }

  #live(matches: (session: ListedSession) => boolean): ListedSession[] {
    const { agentId } = this.#options;
    return liveSessions(this.#mesh).filter((session) =>
      (agentId === undefined || session.agentId === agentId) && matches(session)
    );
  }

  /** The sessions that were there when a message to all was sent, without its sender. */
  #hearing({ at, from }: Message): ListedSession[] {
    return this.#live(({ key, startedAt }) => key !== from.session && startedAt <= at + CLOCKS_MS);
  }

  /**
   * A message to an agent is for each of its sessions, or for the next one. The
   * agent's mailbox remembers it, so that a later session does not get it again.
   */
  #toAgent(message: Message, agentId: string): Published {
    const mailbox = agentMailbox(agentId);
    const stored = this.#mesh.inbox.put(mailbox, message);
    if (stored === "full") return full(`The mailbox of agent ${agentId}`);
    const sessions = this.#hearing(message).filter((session) => session.agentId === agentId);
    if (sessions.length === 0) return { kind: "waiting", fresh: stored === "new" };
    const published = this.#put(message, sessions);
    if (published.kind === "stored") this.#forget(mailbox, message);
    return published;
  }

  /** Moves a message to those that a mailbox has given away. */
  #forget(mailbox: SessionId, { id }: Message): void {
    const box = { ...mailbox, agentId: mailbox.key, project: "" };
    const taken = this.#mesh.inbox.take(box, "asked", {
      policy: "none",
      accept: (message) => message.id === id,
    });
    this.#mesh.inbox.shown(mailbox, taken.messages);
  }

  #put(message: Message, targets: readonly (ListedSession | SessionId)[]): Published {
    const live = liveSessions(this.#mesh);
    const names: string[] = [];
    let fresh = false;
    let woken: Woken | undefined;
    for (const target of targets) {
      const session = live.find(({ key, harness }) => key === target.key && harness === target.harness);
      const name = session === undefined ? target.key : uniqueHandle(session, live);
      const stored = this.#mesh.inbox.put(target, message);
      if (stored === "full") return full(name);
      names.push(name);
      if (stored === "duplicate") continue;
      fresh = true;
      woken = this.#wake(target, message) ?? woken;
    }
    return names.length === 0 ? { kind: "nobody" } : { kind: "stored", sessions: names, fresh, woken };
  }

  #wake(target: SessionId, message: Message): Woken | undefined {
    // Read after the message was stored, so that a session that falls idle now is woken.
    const session = this.#mesh.sessions.get(target);
    return session === undefined ? undefined : this.#options.wake?.(session, message);
  }
}

function full(name: string): Published {
  return { kind: "failed", code: "full", why: `${name} has 10,000 unread messages and takes no more` };
}

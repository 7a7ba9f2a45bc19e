import {
  announce,
  parseAnnouncement,
  receiveAnnouncement,
} from "../../../hooks/agents/locks/announcement.ts";
import { isExpired, type Message } from "../../../hooks/agents/message.ts";
import { Locks } from "../../../hooks/agents/locks/locks.ts";
import { newMessageId } from "../../../hooks/agents/message_id.ts";
import { AgentSessions } from "../../../hooks/agents/session.ts";
import { describe } from "../../../hooks/daemon/describe.ts";
import type { DaemonTransport } from "./daemon_transport.ts";
import type { LocalTransport } from "./local_transport.ts";
import type { Outbox, Unconfirmed } from "./outbox.ts";
import type { Published } from "./transport.ts";

export interface ReceiverOptions {
  readonly local: LocalTransport;
  readonly daemon: DaemonTransport;
  readonly outbox: Outbox;
  /** The directory of the mesh. */
  readonly dir: string;
  readonly url: string;
  readonly agentId: string;
  readonly machine: string;
  /** A sentence for a person: a connection broke, a disk is full. */
  log?(line: string): void;
}

const OUTBOX_MS = 2_000;

/**
 * Brings the daemon's messages for one agent into the inboxes of this machine.
 * It may be killed at any moment: what it has not stored, the daemon still has,
 * and what was stored is recognised by its id.
 */
export class Receiver {
  readonly #options: ReceiverOptions;
  #announcements: Promise<unknown> = Promise.resolve();

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Runs until `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { daemon, log } = this.#options;
    let failing = false;
    let connected = false;
    // Hooks leave messages in the outbox, and talk to no daemon themselves.
    const timer = setInterval(() => connected ? this.#sendNew() : undefined, OUTBOX_MS);
    await daemon.subscribe({
      onMessage: (message) => void this.#receive(message),
      onConnect: async () => {
        failing = false;
        connected = true;
        await this.flush();
        await this.#announceAgain();
      },
      onFailure: (why) => {
        // Once per outage, not once per try.
        if (!failing) log?.(why);
        failing = true;
        connected = false;
      },
    }, signal);
    clearInterval(timer);
  }

  async #sendNew(): Promise<void> {
    const { outbox, url, agentId } = this.#options;
    for (const entry of outbox.list({ url, agentId })) {
      if (entry.acceptedAt === undefined) await this.post(entry);
    }
  }

  /** Other machines may have missed the shared locks of this agent's sessions, and a daemon forgets. */
  async #announceAgain(): Promise<void> {
    const { daemon, dir, agentId } = this.#options;
    const sessions = new AgentSessions(dir);
    for (const lock of new Locks(dir).shared.dir.list()) {
      const session = sessions.get({ harness: lock.harness, key: lock.session });
      if (session !== undefined && lock.agentId === agentId) {
        await daemon.publish(announce("take", lock, session.project));
      }
    }
  }

  /** Brings what the daemon has now. Returns why it cannot. */
  async fetch(): Promise<string | undefined> {
    const { daemon, url } = this.#options;
    const messages = await daemon.messages();
    if (!Array.isArray(messages)) return describe(messages, url).message;
    for (const message of messages) await this.#receive(message);
    await this.flush();
    return undefined;
  }

  /** Sends what the daemon has not accepted yet, or has forgotten. */
  async flush(): Promise<void> {
    const { daemon, outbox, url, agentId } = this.#options;
    const entries = outbox.list({ url, agentId });
    if (entries.length === 0) return;
    const startedAt = await daemon.startedAt() ?? 0;
    for (const entry of entries) {
      if ((entry.acceptedAt ?? -1) >= startedAt) continue;
      const published = await this.post(entry);
      if (isLater(published)) return;
    }
  }

  /** Hands a message to the daemon, and keeps it until its receiver has it. */
  async post(entry: Unconfirmed): Promise<Published> {
    const { daemon, outbox } = this.#options;
    const published = await daemon.publish(entry.message);
    const { id, kind } = entry.message;
    // Nobody acknowledges a receipt or the announcement of a lock.
    const isDone = published.kind === "accepted"
      ? kind === "receipt" || parseAnnouncement(entry.message) !== undefined
      : !isLater(published);
    if (isDone) outbox.drop(id);
    else keep(outbox, published.kind === "accepted" ? { ...entry, acceptedAt: Date.now() } : entry);
    return published;
  }

  /** Stores a message before it returns; only a lock's announcement takes longer. */
  #receive(message: Message): Promise<unknown> | undefined {
    const { local, outbox, log } = this.#options;
    if (isExpired(message, Date.now())) return undefined;
    if (parseAnnouncement(message) !== undefined) {
      // In order: a lock that was taken and freed is free.
      return this.#announcements = this.#announcements.then(() =>
        receiveAnnouncement(this.#options.dir, message)
      );
    }
    if (message.kind === "receipt" || message.kind === "reply") outbox.drop(message.replyTo);
    const stored = local.deliver(message);
    if (stored.kind === "failed") {
      log?.(`A message could not be stored, and waits at the daemon: ${stored.why}.`);
    }
    const isNew = (stored.kind === "stored" || stored.kind === "waiting") && stored.fresh;
    if (isNew) this.#acknowledge(message);
    return undefined;
  }

  /** Tells the sender that the message is on this machine's disk. Nobody waits for it. */
  #acknowledge(message: Message): void {
    // Only our envelope names the machine; Signet's own tools know no receipts.
    if (message.kind === "receipt" || message.from.machine === undefined) return;
    const { daemon, agentId, machine } = this.#options;
    void daemon.publish({
      id: newMessageId(),
      at: Date.now(),
      from: { agentId, machine },
      to: { agentId: message.from.agentId, session: message.from.session },
      priority: 1,
      replyTo: message.id,
      wants: "none",
      ttl: 3600,
      kind: "receipt",
      receipt: "queued",
      hop: 0,
      text: "",
      verified: true,
    });
  }
}

/** The daemon is down, busy, or limits how many messages it takes. */
export function isLater(published: Published): boolean {
  return published.kind === "failed" && published.code === "later";
}

/** On a full disk the message still reached the daemon. */
function keep(outbox: Outbox, entry: Unconfirmed): void {
  try {
    outbox.keep(entry);
  } catch {
    // The daemon's copy is the only one.
  }
}

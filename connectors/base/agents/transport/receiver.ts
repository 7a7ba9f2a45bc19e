import {
  announce,
  parseAnnouncement,
  receiveAnnouncement,
} from "../../../../hooks/agents/locks/announcement.ts";
import { isExpired, type Message } from "../../../../hooks/agents/messages/message.ts";
import { Locks } from "../../../../hooks/agents/locks/locks.ts";
import { forgetReceiving, noteReceiving } from "../../../../hooks/agents/messages/receiving.ts";
import { newMessageId } from "../../../../hooks/agents/messages/message_id.ts";
import { AgentSessions } from "../../../../hooks/agents/sessions/session.ts";
import type { LeaseStore } from "../locks/lease.ts";
import type { LocalTransport } from "./local_transport.ts";
import type { Outbox, Unconfirmed } from "./outbox.ts";
import { loseShared } from "../locks/lost_lease.ts";
import type { Published, RemoteTransport } from "./transport.ts";

export interface ReceiverOptions {
  readonly local: LocalTransport;
  readonly transport: RemoteTransport;
  readonly outbox: Outbox;
  /** Where shared locks are exact; undefined where they are announced. */
  readonly leases?: LeaseStore;
  /** The directory of the mesh. */
  readonly dir: string;
  readonly agentId: string;
  readonly machine: string;
  /** A sentence for a person: a connection broke, a disk is full. */
  log?(line: string): void;
}

const OUTBOX_MS = 2_000;

/**
 * Brings the messages for one agent from other machines into the inboxes of this
 * machine. It may be killed at any moment: what it has not stored, the daemon or
 * server still has, and what was stored is recognised by its id.
 */
export class Receiver {
  readonly #options: ReceiverOptions;
  #announcements: Promise<unknown> = Promise.resolve();
  #sending: Promise<void> | undefined;
  /** Receipts on their way. */
  readonly #receipts = new Set<Promise<unknown>>();

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Runs until `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { transport, dir, agentId, log } = this.#options;
    let failing = false;
    let connected = false;
    // Hooks leave messages in the outbox, and talk to no daemon themselves.
    const timer = setInterval(() => connected ? this.#sendNew() : undefined, OUTBOX_MS);
    await transport.subscribe({
      onMessage: (message) => this.#receive(message),
      onConnect: async () => {
        failing = false;
        connected = true;
        await this.flush();
        await this.#announceAgain();
      },
      onAlive: () => noteReceiving(dir, transport.url, agentId),
      onFailure: (why) => {
        // Once per outage, not once per try.
        if (!failing) log?.(why);
        failing = true;
        connected = false;
        forgetReceiving(dir, transport.url, agentId);
      },
    }, signal);
    clearInterval(timer);
    forgetReceiving(dir, transport.url, agentId);
    await this.#sending;
    await this.#announcements;
    await Promise.all(this.#receipts);
  }

  /** One round at a time: a slow server must not get the same messages several times. */
  #sendNew(): Promise<void> {
    return this.#sending ??= this.#sendUnsent().finally(() => this.#sending = undefined);
  }

  async #sendUnsent(): Promise<void> {
    const { transport, outbox, agentId } = this.#options;
    for (const entry of outbox.list({ url: transport.url, agentId })) {
      if (entry.acceptedAt !== undefined) continue;
      if (isLater(await this.post(entry))) return;
    }
  }

  /** Other machines may have missed the shared locks of this agent's sessions, and a daemon forgets. */
  async #announceAgain(): Promise<void> {
    const { dir, agentId } = this.#options;
    const sessions = new AgentSessions(dir);
    for (const lock of new Locks(dir).shared.dir.list()) {
      const session = sessions.get({ harness: lock.harness, key: lock.session });
      if (session === undefined || lock.agentId !== agentId) continue;
      await this.#publish(announce("take", lock, session.project));
    }
  }

  /** Brings what waits now. Returns why it cannot. */
  async fetch(): Promise<string | undefined> {
    const why = await this.#options.transport.fetch({
      onMessage: (message) => this.#receive(message),
      onConnect: () => this.flush(),
    });
    await this.#announcements;
    await Promise.all(this.#receipts);
    return why;
  }

  /** Sends what was not accepted yet, or may be lost. */
  async flush(): Promise<void> {
    const { transport, outbox, agentId } = this.#options;
    const entries = outbox.list({ url: transport.url, agentId });
    if (entries.length === 0) return;
    const lostBefore = await transport.lostBefore();
    for (const entry of entries) {
      if ((entry.acceptedAt ?? -1) >= lostBefore) continue;
      const published = await this.post(entry);
      if (isLater(published)) return;
    }
  }

  /** Hands a message over, and keeps it until its receiver has it. */
  async post(entry: Unconfirmed): Promise<Published> {
    const { outbox } = this.#options;
    const published = await this.#publish(entry.message);
    const { id, kind } = entry.message;
    // Nobody acknowledges a receipt or the announcement of a lock.
    const isDone = published.kind === "accepted"
      ? kind === "receipt" || parseAnnouncement(entry.message) !== undefined
      : !isLater(published) && !isLogin(published);
    if (isDone) outbox.drop(id);
    else keep(outbox, published.kind === "accepted" ? { ...entry, acceptedAt: Date.now() } : entry);
    return published;
  }

  /** A lock is announced only once the store has it: what it refuses, this machine has lost. */
  async #publish(message: Message): Promise<Published> {
    const { transport, leases, dir } = this.#options;
    const announced = leases === undefined ? undefined : parseAnnouncement(message);
    if (leases === undefined || announced === undefined) return await transport.publish(message);
    try {
      if (announced.op === "free") await leases.free(announced.lock);
      else if (!await leases.renew(announced.lock)) {
        await loseShared(dir, announced.lock);
        return { kind: "accepted" };
      }
    } catch (error) {
      return { kind: "failed", code: "later", why: error instanceof Error ? error.message : String(error) };
    }
    return await transport.publish(message);
  }

  /** Stores a message before it returns; only a lock's announcement takes longer. False if it cannot. */
  #receive(message: Message): boolean {
    const { local, outbox, log } = this.#options;
    if (isExpired(message, Date.now())) return true;
    if (parseAnnouncement(message) !== undefined) {
      // In order: a lock that was taken and freed is free.
      this.#announcements = this.#announcements.then(() => receiveAnnouncement(this.#options.dir, message));
      return true;
    }
    if (message.kind === "receipt" || message.kind === "reply") outbox.drop(message.replyTo);
    const stored = local.deliver(message);
    if (stored.kind === "failed") {
      log?.(`A message could not be stored, and waits where it is: ${stored.why}.`);
      return false;
    }
    if ((stored.kind === "stored" || stored.kind === "waiting") && stored.fresh) this.#acknowledge(message);
    return true;
  }

  /** Tells the sender that the message is on this machine's disk. The next message does not wait for it. */
  #acknowledge(message: Message): void {
    // Only our envelope names the machine; Signet's own tools know no receipts.
    if (message.kind === "receipt" || message.from.machine === undefined) return;
    const { transport, agentId, machine } = this.#options;
    const receipt = transport.publish({
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
    }).finally(() => this.#receipts.delete(receipt));
    this.#receipts.add(receipt);
  }
}

/** The daemon is down, busy, or limits how many messages it takes. */
export function isLater(published: Published): boolean {
  return published.kind === "failed" && published.code === "later";
}

/** The daemon or server does not accept who sends it: a person can change that. */
function isLogin(published: Published): boolean {
  return published.kind === "failed" && published.code === "key";
}

/** On a full disk the message still reached the daemon. */
function keep(outbox: Outbox, entry: Unconfirmed): void {
  try {
    outbox.keep(entry);
  } catch {
    // The daemon's copy is the only one.
  }
}

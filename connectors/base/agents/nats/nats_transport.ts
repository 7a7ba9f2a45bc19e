import { encodeEnvelope } from "../../../../hooks/agents/messages/envelope.ts";
import { rememberPeers } from "../../../../hooks/agents/sessions/known_peers.ts";
import type { Message } from "../../../../hooks/agents/messages/message.ts";
import { pause } from "../pause.ts";
import type { Peer } from "../peers/peer.ts";
import type { Listener, Published, Reached, RemoteTransport } from "../transport/transport.ts";
import { describeNats, type NatsFailure, TooLarge } from "./failure.ts";
import type { NatsLink } from "./link.ts";
import { type MachineId, machineId } from "./machine_id.ts";
import type { NatsSettings } from "./nats_settings.ts";
import { ALL_STREAM, streamOf, subjectFor } from "./names.ts";

export interface NatsOptions {
  readonly settings: NatsSettings;
  readonly agentId: string;
  readonly machine: string;
  /** The directory of the mesh. */
  readonly dir: string;
  /** The live sessions of this agent on this machine. */
  sessions(): readonly Peer[];
}

const TRIES = 3;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** What was accepted longer ago and not acknowledged is sent again: somebody may have deleted the stream. */
const AGAIN_MS = 10 * 60_000;
const LOOK_MS = 2_000;
/** Often enough that others do not take this machine for gone. */
const PRESENCE_MS = 60_000;

/** Messages between machines through NATS JetStream, which keeps them on disk until each machine has them. */
export class NatsTransport implements RemoteTransport {
  readonly keeps = "disk";
  readonly url: string;
  readonly #options: NatsOptions;
  #id: MachineId | undefined;
  /** The connection of a subscription, which everything else uses as well. */
  #live: NatsLink | undefined;
  /** Of the subscription: nothing is tried again after its end. */
  #stopped: AbortSignal | undefined;
  /** All servers of a cluster, once one of them has named the others. */
  #servers: readonly string[];
  #offsetMs = 0;

  constructor(options: NatsOptions) {
    this.#options = options;
    this.url = options.settings.url;
    this.#servers = options.settings.servers;
  }

  async peers(): Promise<Reached> {
    try {
      return await this.use(async (link) => {
        const { readPresence } = await import("./presence.ts");
        await this.#announce(link);
        return { peers: await readPresence(link, this.#offsetMs) };
      });
    } catch (error) {
      return { peers: [], problem: this.failure(error).why };
    }
  }

  async publish(message: Message): Promise<Published> {
    const content = encodeEnvelope(message);
    let pauseMs = FIRST_PAUSE_MS;
    for (let tries = 1;; tries++, pauseMs *= 2) {
      try {
        await this.use((link) => this.#send(link, message, content));
        return { kind: "accepted" };
      } catch (error) {
        const failure = this.failure(error);
        if (failure.code !== "later" || tries === TRIES || this.#stopped?.aborted || isHopeless(error)) {
          return { kind: "failed", ...failure };
        }
        await pause(pauseMs, this.#stopped);
      }
    }
  }

  async subscribe(listener: Listener, signal: AbortSignal): Promise<void> {
    this.#stopped = signal;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const why = await this.#follow(listener, signal, () => pauseMs = FIRST_PAUSE_MS);
      if (signal.aborted) return;
      listener.onFailure?.(why);
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  async fetch(listener: Listener): Promise<string | undefined> {
    try {
      await this.#hold(async (link) => {
        const { consumersOf, pullWaiting } = await import("./pull.ts");
        const consumers = await consumersOf(link, this.#options.agentId, this.#machine.consumer);
        await this.#announce(link);
        for (const each of consumers) await pullWaiting(link, each, listener, this.#offsetMs);
        await listener.onConnect?.();
      });
      return undefined;
    } catch (error) {
      return this.failure(error).why;
    }
  }

  lostBefore(): Promise<number> {
    return Promise.resolve(Date.now() - AGAIN_MS);
  }

  /** The server's clock, which all machines share. */
  serverTime(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Runs something with a connection that knows the server's time. */
  async useTimed<T>(work: (link: NatsLink) => Promise<T>): Promise<T> {
    return await this.use(async (link) => {
      if (link !== this.#live) await this.#announce(link);
      return await work(link);
    });
  }

  /** Runs something with the connection that is there, or with one for this alone. */
  async use<T>(work: (link: NatsLink) => Promise<T>): Promise<T> {
    const live = this.#live;
    if (live !== undefined && !live.isClosed) return await work(live);
    const link = await this.#connect();
    try {
      return await work(link);
    } finally {
      await link.close();
    }
  }

  /** The same, for everything that happens meanwhile. */
  async #hold(work: (link: NatsLink) => Promise<void>): Promise<void> {
    await this.use(async (link) => {
      const isMine = this.#live === undefined || this.#live.isClosed;
      if (isMine) this.#live = link;
      try {
        await work(link);
      } finally {
        if (isMine) this.#live = undefined;
      }
    });
  }

  async #connect(): Promise<NatsLink> {
    const { settings, agentId } = this.#options;
    if (settings.problem !== undefined) throw new Error(settings.problem);
    const { NatsLink } = await import("./link.ts");
    const link = await NatsLink.open(settings, agentId, this.#servers);
    this.#servers = [...new Set([...settings.servers, ...link.servers])];
    return link;
  }

  async #send(link: NatsLink, message: Message, content: string): Promise<void> {
    const { agentId } = this.#options;
    const { to, id } = message;
    const bytes = new TextEncoder().encode(content).length;
    // Room for the headers, which count as well.
    if (bytes + 1024 > link.maxPayload) throw new TooLarge(bytes, link.maxPayload);
    const { SESSION_HEADER, orNoInbox } = await import("./pull.ts");
    const fields: Record<string, string> = to.session === undefined
      ? {}
      : { [SESSION_HEADER]: encodeURIComponent(to.session) };
    const send = () => link.send(subjectFor(to.agentId, agentId), content, id, fields);
    try {
      return await send();
    } catch (error) {
      const { isMissing } = await import("./link.ts");
      if (!isMissing(error)) throw error;
    }
    const { createInbox, createShared } = await import("./streams.ts");
    const receiver = to.agentId;
    await orNoInbox(
      receiver === undefined ? ALL_STREAM : streamOf(receiver),
      () => receiver === undefined ? createShared(link) : createInbox(link, receiver),
    );
    await send();
  }

  /** Follows the agent's messages until the connection breaks; returns why. */
  async #follow(listener: Listener, signal: AbortSignal, connected: () => void): Promise<string> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    signal.addEventListener("abort", abort, { once: true });
    try {
      await this.#hold(async (link) => {
        const { consumersOf, pullForever } = await import("./pull.ts");
        const consumers = await consumersOf(link, this.#options.agentId, this.#machine.consumer);
        await this.#announce(link);
        await this.#notePeers(link);
        connected();
        const parts = consumers.map((each) =>
          pullForever(link, each, listener, () => this.#offsetMs, stop.signal)
        );
        const all = Promise.all([...parts, this.#keepPresent(link, stop.signal), listener.onConnect?.()]);
        const ended = link.closed().then((error) => {
          if (!stop.signal.aborted) throw error ?? new Error("the server closed the connection");
        });
        try {
          // The first that fails ends the others.
          await Promise.race([all, ended]);
        } finally {
          abort();
          await Promise.allSettled([...parts, all]);
        }
      });
      return `The connection to ${this.url} ended.`;
    } catch (error) {
      return this.failure(error).why;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Tells others when sessions come and go, and now and then that they are still there. */
  async #keepPresent(link: NatsLink, signal: AbortSignal): Promise<void> {
    let published = this.#summary();
    let at = performance.now();
    while (!signal.aborted) {
      await pause(LOOK_MS, signal);
      const now = this.#summary();
      if (signal.aborted || (now === published && performance.now() - at < PRESENCE_MS)) continue;
      await this.#announce(link);
      await this.#notePeers(link);
      published = now;
      at = performance.now();
    }
  }

  async #announce(link: NatsLink): Promise<void> {
    const { agentId, machine, sessions } = this.#options;
    const [{ announcePresence, presenceText }, { orNoInbox }, { isMissing }] = await Promise.all([
      import("./presence.ts"),
      import("./pull.ts"),
      import("./link.ts"),
    ]);
    const tell = () =>
      announcePresence(link, agentId, this.#machine.place, presenceText(machine, sessions(), Date.now()));
    try {
      this.#offsetMs = await tell();
    } catch (error) {
      if (!isMissing(error)) throw error;
      const { createShared } = await import("./streams.ts");
      await orNoInbox("for presence", () => createShared(link));
      this.#offsetMs = await tell();
    }
  }

  /** For hooks, which do not ask the server who is there. */
  async #notePeers(link: NatsLink): Promise<void> {
    const { readPresence } = await import("./presence.ts");
    rememberPeers(this.#options.dir, this.#options.agentId, await readPresence(link, this.#offsetMs));
  }

  #summary(): string {
    return this.#options.sessions().map(({ harness, key, status }) => `${harness} ${key} ${status}`).join(
      "\n",
    );
  }

  get #machine(): MachineId {
    return this.#id ??= machineId(this.#options.dir, this.#options.machine);
  }

  /** What an error of the library means. */
  failure(error: unknown): NatsFailure {
    const { settings, agentId } = this.#options;
    if (settings.problem !== undefined) return { code: "later", why: settings.problem };
    return describeNats(error, this.url, agentId);
  }
}

/** Nobody changes this within seconds. */
function isHopeless(error: unknown): boolean {
  return error instanceof Error && (error.name === "NoInbox" || error.name === "JetStreamNotEnabled");
}

import { encodeEnvelope } from "../../../../hooks/agents/messages/envelope.ts";
import { parseItem } from "../../../../hooks/agents/messages/daemon_messages.ts";
import { MAX_CONTENT, type Message } from "../../../../hooks/agents/messages/message.ts";
import type { DaemonClient } from "../../../../hooks/daemon/client.ts";
import { describe, type FailedReply } from "../../../../hooks/daemon/describe.ts";
import { isObject } from "../../../../hooks/json.ts";
import { records } from "../../memory/daemon.ts";
import { readEvents } from "./event_stream.ts";
import { presentPeers } from "../peers/peer.ts";
import { pause } from "../pause.ts";
import type { Listener, Published, Reached, RemoteTransport } from "./transport.ts";

const MESSAGES = "/api/cross-agent/messages";
/** As many as the daemon answers at once. */
const MOST = 500;
const PEERS_MS = 3_000;
const PUBLISH_MS = 10_000;
/** The daemon sends something every 15 s; a connection that is silent for so long is dead. */
const SILENT_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Messages between machines, through the daemon. It keeps the newest 1,000 in
 * memory: a restart loses them, so senders keep theirs until a receipt arrives.
 */
export class DaemonTransport implements RemoteTransport {
  readonly keeps = "memory";
  readonly #client: DaemonClient;

  constructor(client: DaemonClient) {
    this.#client = client;
  }

  async peers(): Promise<Reached> {
    const query = this.#query({ include_self: "true", limit: String(MOST) });
    const reply = await this.#client.request("GET", `/api/cross-agent/presence?${query}`, undefined, {
      timeoutMs: PEERS_MS,
    });
    if (reply.kind !== "ok") return { peers: [], problem: describe(reply, this.#client.url).message };
    return { peers: presentPeers(reply.body, reply.offsetMs) };
  }

  async publish(message: Message): Promise<Published> {
    const content = encodeEnvelope(message);
    if (content.length > MAX_CONTENT) {
      return { kind: "failed", code: "refused", why: `The daemon takes at most ${MAX_CONTENT} characters.` };
    }
    const { agentId, session } = message.to;
    const reply = await this.#client.request("POST", MESSAGES, {
      // The daemon checks that the key belongs to this agent.
      fromAgentId: this.#client.agentId,
      agent_id: this.#client.agentId,
      // A session that the daemon has forgotten would be refused, so only the envelope names it.
      ...(agentId === undefined ? {} : { toAgentId: agentId }),
      ...(session === undefined ? {} : { toSessionKey: session }),
      ...(agentId === undefined && session === undefined ? { broadcast: true } : {}),
      type: message.wants === "reply" ? "question" : "info",
      content,
    }, { timeoutMs: PUBLISH_MS });
    return reply.kind === "ok" ? { kind: "accepted" } : this.#failure(reply);
  }

  async subscribe(listener: Listener, signal: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const why = await this.#follow(listener, signal, () => pauseMs = FIRST_PAUSE_MS);
      if (signal.aborted) return;
      listener.onFailure?.(why);
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** The messages that the daemon has for this agent, oldest first. */
  async messages(options: { signal?: AbortSignal } = {}): Promise<Message[] | FailedReply> {
    const query = this.#query({ limit: String(MOST) });
    const reply = await this.#client.request("GET", `${MESSAGES}?${query}`, undefined, {
      timeoutMs: PUBLISH_MS,
      signal: options.signal,
    });
    if (reply.kind !== "ok") return reply;
    return records(reply.body.items).map((item) => parseItem(item, reply.offsetMs))
      .filter((message) => message !== undefined).toReversed();
  }

  get url(): string {
    return this.#client.url;
  }

  async fetch(listener: Listener): Promise<string | undefined> {
    const messages = await this.messages();
    if (!Array.isArray(messages)) return describe(messages, this.#client.url).message;
    messages.forEach((each) => listener.onMessage(each));
    await listener.onConnect?.();
    return undefined;
  }

  /** When the daemon started: it has lost what it got before. */
  async lostBefore(): Promise<number> {
    const reply = await this.#client.request("GET", "/health", undefined, { timeoutMs: PEERS_MS });
    const uptime = reply.kind === "ok" ? reply.body.uptime : undefined;
    return typeof uptime === "number" ? Date.now() - uptime * 1000 : 0;
  }

  /** Follows the stream until it breaks; returns why. */
  async #follow(listener: Listener, signal: AbortSignal, connected: () => void): Promise<string> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    signal.addEventListener("abort", abort, { once: true });
    let timer = 0;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(abort, SILENT_MS);
    };
    try {
      const opened = await this.#client.open(`/api/cross-agent/stream?${this.#query({})}`, {
        signal: stop.signal,
      });
      if (opened.kind !== "stream") return describe(opened, this.#client.url).message;
      heard();
      // The stream is open, so nothing falls between what waits and what follows.
      const waiting = await this.messages({ signal: stop.signal });
      if (!Array.isArray(waiting)) {
        await opened.body.cancel();
        return describe(waiting, this.#client.url).message;
      }
      connected();
      waiting.forEach((each) => listener.onMessage(each));
      await listener.onConnect?.();
      const alive = () => {
        heard();
        listener.onAlive?.();
      };
      for await (const event of readEvents(opened.body, { onBytes: alive, signal: stop.signal })) {
        const value = opened.clean(event);
        const message = isObject(value) && value.type === "message"
          ? parseItem(value.message, opened.offsetMs)
          : undefined;
        if (message !== undefined) listener.onMessage(message);
      }
      return `The daemon at ${this.#client.url} closed the connection.`;
    } catch (error) {
      return `The connection to ${this.#client.url} broke: ${error instanceof Error ? error.message : error}`;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  #query(fields: Record<string, string>): URLSearchParams {
    return new URLSearchParams({ ...fields, agent_id: this.#client.agentId });
  }

  #failure(reply: FailedReply): Published {
    const { kind, message } = describe(reply, this.#client.url);
    switch (kind) {
      case "unauthorized":
      case "forbidden":
        return { kind: "failed", code: "key", why: message };
      case "refused":
      case "unsupported":
      case "blocked":
      case "not found":
        return { kind: "failed", code: "refused", why: message };
      default:
        return {
          kind: "failed",
          code: "later",
          why: message,
          retryMs: reply.kind === "http" ? reply.retryAfterMs : undefined,
        };
    }
  }
}

import type { Message } from "../../../../hooks/agents/messages/message.ts";
import type { Woken } from "../../../../hooks/agents/wake/wake.ts";
import type { Peer } from "../peers/peer.ts";

/**
 * A way for messages to travel. What a message means, when it is shown and who
 * may send it is the same above every transport.
 */
export interface Transport {
  /** The sessions that it reaches. */
  peers(): Promise<Reached>;
  /** Hands a message over. Never throws. */
  publish(message: Message): Promise<Published>;
  /**
   * Calls `onMessage` with every message for the agent, first those that wait.
   * Connects again when the connection breaks; resolves when `signal` is aborted.
   */
  subscribe(listener: Listener, signal: AbortSignal): Promise<void>;
}

/** A way to other machines. */
export interface RemoteTransport extends Transport {
  /** The daemon or server that it goes through. */
  readonly url: string;
  /** Where a message is that was accepted: in memory it is lost at a restart. */
  readonly keeps: "memory" | "disk";
  /** Hands over what waits now, then calls `onConnect`; returns why it cannot. */
  fetch(listener: Listener): Promise<string | undefined>;
  /** What was accepted before this moment may be lost, in ms since 1970, unless its receiver has acknowledged it. */
  lostBefore(): Promise<number>;
}

export interface Listener {
  /** The message is stored when this returns; it may come more than once. False: it could not be stored. */
  onMessage(message: Message): boolean;
  /** The connection is there, or there again. */
  onConnect?(): Promise<void>;
  /** Something has just arrived through the connection. */
  onAlive?(): void;
  /** The connection failed or broke. */
  onFailure?(why: string): void;
}

export interface Reached {
  readonly peers: readonly Peer[];
  /** Why there may be more sessions than these. */
  readonly problem?: string;
}

/** What became of a message that was handed over. */
export type Published =
  /** It is in the inboxes of these sessions, on disk; `fresh` if it was not there before. */
  | {
    readonly kind: "stored";
    readonly sessions: readonly string[];
    readonly fresh: boolean;
    readonly woken?: Woken;
  }
  /** It waits on disk for a session that is not there yet. */
  | { readonly kind: "waiting"; readonly fresh: boolean }
  /** The daemon or server has it. */
  | { readonly kind: "accepted" }
  /** There is no such session here. */
  | { readonly kind: "nobody" }
  | { readonly kind: "failed"; readonly why: string; readonly code: FailureCode; readonly retryMs?: number };

/** `later`: the same message may be accepted later. */
export type FailureCode = "later" | "key" | "refused" | "full" | "disk";

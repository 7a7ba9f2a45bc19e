import { appendAgentLog } from "../../../../hooks/agents/log_line.ts";
import { harnessMailbox } from "../../../../hooks/agents/messages/mailbox.ts";
import { defaultTtl, type Message, type Priority } from "../../../../hooks/agents/messages/message.ts";
import { newMessageId } from "../../../../hooks/agents/messages/message_id.ts";
import { knownPeers } from "../../../../hooks/agents/sessions/known_peers.ts";
import type { Woken } from "../../../../hooks/agents/wake/wake.ts";
import { EXIT, UserError } from "../../cli/command.ts";
import { age } from "../../cli/output/age.ts";
import { suggestion } from "../../cli/suggestion.ts";
import { errorReason } from "../../fs/error_reason.ts";
import { findSession, uniqueHandle } from "../peers/lookup.ts";
import { checkText } from "./message_text.ts";
import { mergePeers, type Peer } from "../peers/peer.ts";
import { everyPeer, senderOf, type Station } from "../station.ts";
import type { Published } from "../transport/transport.ts";

/** A message as its sender writes it. */
export interface Draft {
  readonly text: string;
  readonly priority: Priority;
  readonly wants: Message["wants"];
  /** In seconds. */
  readonly ttl?: number;
  readonly thread?: string;
  /** How many agents passed it on. */
  readonly hop?: number;
}

/** What became of a message. */
export interface Sent {
  readonly message: Message;
  /** Whom it is for, in words: `codex-3f9a`. */
  readonly to: string;
  readonly peer?: Peer;
  /**
   * `stored`: in the receiver's inbox, on this machine. `accepted`: the daemon has
   * it. `kept`: the daemon is not reachable, and gets it later. `nobody`: it waits
   * for somebody to come.
   */
  readonly state: "stored" | "accepted" | "kept" | "nobody";
  /** What was done to get the receiver's attention. */
  readonly woken?: Woken;
  /** Why it is not further. */
  readonly why?: string;
  /** The harness that has no session. */
  readonly harness?: string;
}

export interface SendOptions {
  /** Do not keep a message for which nobody is there: the caller starts somebody. */
  readonly starts?: boolean;
}

export interface Known {
  /** The ids of all harnesses. */
  readonly harnesses: readonly string[];
  /** Agents that have settings on this machine. */
  readonly agents: readonly string[];
}

/** Sends a message to the session, agent or harness that a handle names. */
export async function send(
  station: Station,
  handle: string,
  draft: Draft,
  known: Known,
  options: SendOptions = {},
): Promise<Sent> {
  checkText(draft.text);
  const { peers, problem } = await everyPeer(station);
  const { caller } = station;
  const self = caller.kind === "session" ? caller.session.key : undefined;
  const find = (live: readonly Peer[]) => findSession(live, handle, { ...known, self });
  let live = peers.filter(({ status }) => status !== "gone");
  let lookup = find(live);
  const isFound = lookup.kind === "session" || lookup.kind === "ambiguous";
  if (problem !== undefined && !isFound && !options.starts) {
    // The daemon is away: the message is kept for whom it named when it last answered.
    const elsewhere = knownPeers(station.mesh.dir, station.agentId)
      .map((peer) => ({ ...peer, here: false, seenAt: 0 }));
    live = mergePeers(peers, elsewhere).filter(({ status }) => status !== "gone");
    lookup = find(live);
  }
  switch (lookup.kind) {
    case "session":
      if (lookup.session.key === self) {
        if (caller.kind === "session" && caller.how === "named") throw toOneself(handle);
        // The caller was only taken for this session: it is a person who writes to it.
        return await send({ ...station, caller: { kind: "person" } }, handle, draft, known, options);
      }
      return await toPeer(station, lookup.session, draft, uniqueHandle(lookup.session, live));
    case "ambiguous":
      throw new UserError(
        `${handle} can be any of ${candidates(lookup.candidates, live)}. Nothing was sent.`,
        EXIT.usage,
        `send ${uniqueHandle(lookup.candidates[0] ?? NONE, live)} …`,
      );
    case "nobody":
      if (options.starts && lookup.harness !== undefined) {
        const message = compose(station, {}, draft);
        return { message, to: lookup.harness, state: "nobody", harness: lookup.harness };
      }
      return await toNobody(station, lookup, draft);
    case "unknown":
      throw unknown(handle, live, known, problem);
  }
}

const NONE = { key: "", harness: "", agentId: "", project: "" };

/** Builds a message from the caller. */
export function compose(
  station: Station,
  to: Message["to"],
  draft: Draft,
  more: Partial<Message> = {},
): Message {
  const id = newMessageId();
  return {
    id,
    at: Date.now(),
    from: senderOf(station),
    to,
    priority: draft.priority,
    wants: draft.wants,
    ttl: draft.ttl ?? defaultTtl(draft.priority),
    thread: draft.thread,
    kind: "message",
    hop: draft.hop ?? 0,
    text: draft.text,
    verified: true,
    ...more,
  };
}

async function toPeer(station: Station, peer: Peer, draft: Draft, to: string): Promise<Sent> {
  const message = compose(station, { agentId: peer.agentId, session: peer.key }, draft);
  return await handOver(station, message, { to, peer, here: peer.here });
}

/** Hands a message over: on this machine into the inbox, else to the daemon. */
export async function handOver(
  station: Station,
  message: Message,
  { to, peer, here }: { to: string; peer?: Peer; here: boolean },
): Promise<Sent> {
  if (here) {
    const published = await station.local.publish(message);
    if (published.kind === "stored") return { message, to, peer, state: "stored", woken: published.woken };
    throw notSent(published, to);
  }
  return await throughDaemon(station, message, to, peer);
}

async function throughDaemon(station: Station, message: Message, to: string, peer?: Peer): Promise<Sent> {
  const { remote, outbox, agentId } = station;
  if (remote === undefined) {
    throw new UserError(`${to} is on another machine, and no harness is connected to a daemon.`);
  }
  const entry = { message, url: remote.url, agentId };
  try {
    // On disk before it is sent: the daemon may take it and forget it.
    outbox.keep(entry);
  } catch {
    // On a full disk the daemon's copy is the only one.
  }
  const published = await remote.receiver.post(entry);
  // An inbox on this machine logs what is put into it; nobody else knows of this message here.
  const isOut = published.kind === "accepted" || (published.kind === "failed" && published.code === "later");
  if (isOut) appendAgentLog(station.mesh.dir, { event: "sent", message, to: message.to.session });
  if (published.kind === "accepted") return { message, to, peer, state: "accepted" };
  if (published.kind === "failed" && published.code === "later") {
    return { message, to, peer, state: "kept", why: published.why };
  }
  outbox.drop(message.id);
  throw notSent(published, to);
}

/** Nobody is there: the message waits, on disk and at the daemon, for a session that begins later. */
async function toNobody(
  station: Station,
  { harness, agentId }: { readonly harness?: string; readonly agentId?: string },
  draft: Draft,
): Promise<Sent> {
  if (harness !== undefined) {
    const message = compose(station, {}, draft);
    try {
      if (station.mesh.inbox.put(harnessMailbox(harness), message) === "full") {
        throw new UserError(`10,000 messages wait for ${harness} already. Nothing was sent.`);
      }
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw onDisk(errorReason(error));
    }
    return { message, to: harness, state: "nobody", harness };
  }
  const message = compose(station, { agentId }, draft);
  const to = `agent ${agentId}`;
  const published = await station.local.publish(message);
  if (published.kind === "failed") throw notSent(published, to);
  // The agent may come back on another machine.
  if (station.remote !== undefined) await throughDaemon(station, message, to);
  return { message, to, state: "nobody" };
}

/** Sends a message to every session of an agent, or of all agents, wherever they are. */
export async function sendToAll(station: Station, agentId: string | undefined, draft: Draft): Promise<Sent> {
  checkText(draft.text);
  const message = compose(station, { agentId }, draft);
  const to = agentId === undefined ? "all agents" : `agent ${agentId}`;
  const published = await station.local.publish(message);
  if (published.kind === "failed") throw notSent(published, to);
  const isHere = published.kind === "stored";
  const sent = station.remote === undefined ? undefined : await throughDaemon(station, message, to);
  return { ...(sent ?? { message, to }), state: isHere ? "stored" : sent?.state ?? "nobody" };
}

function toOneself(handle: string): UserError {
  return new UserError(`${handle} is this session: an agent cannot send messages to itself.`, EXIT.usage);
}

function candidates(some: readonly Peer[], live: readonly Peer[]): string {
  return some.map((peer) => {
    const { agentId, project, status, since, seenAt } = peer;
    const place = project === "" ? "" : ` in ${project}`;
    const does = status === undefined ? "" : `, ${status} for ${age(Date.now() - (since ?? seenAt))}`;
    return `${uniqueHandle(peer, live)} (agent ${agentId}${place}${does})`;
  }).join(", ");
}

function unknown(handle: string, live: readonly Peer[], known: Known, problem?: string): UserError {
  const names = [...live.map((peer) => uniqueHandle(peer, live)), ...known.harnesses];
  const near = suggestion(handle, names);
  const why = problem === undefined ? "" : ` ${problem} So only sessions on this machine are known.`;
  return new UserError(
    `There is no agent ${handle}.${
      near === undefined ? "" : ` Did you mean ${near}?`
    }${why} Nothing was sent.`,
    EXIT.usage,
    "agents lists who is there",
  );
}

function onDisk(why: string): UserError {
  return new UserError(`The message could not be stored: ${why}. Nothing was sent.`);
}

function notSent(published: Published, to: string): UserError {
  if (published.kind !== "failed") {
    return new UserError(`${to} has just ended. Nothing was sent.`, EXIT.nobody);
  }
  switch (published.code) {
    case "disk":
      return onDisk(published.why);
    case "full":
      return new UserError(`${published.why}. Nothing was sent.`);
    case "key":
      return new UserError(`${published.why} Nothing was sent.`, EXIT.key);
    default:
      return new UserError(`${published.why} Nothing was sent.`);
  }
}

import { AckPolicy, type ConsumerInfo, DeliverPolicy, type JsMsg, ReplayPolicy } from "@nats-io/jetstream";
import { decodeEnvelope, hasEnvelope } from "../../../../hooks/agents/messages/envelope.ts";
import { MAX_TTL, type Message } from "../../../../hooks/agents/messages/message.ts";
import type { Listener } from "../transport/transport.ts";
import { isMissing, type NatsLink } from "./link.ts";
import { ALL_STREAM, ALL_SUBJECTS, inboxSubjects, readSubject, streamOf } from "./names.ts";
import { createInbox, createShared } from "./streams.ts";
import { isForbidden, NoInbox } from "./failure.ts";

export const SESSION_HEADER = "Signet-Session";

const MS = 1_000_000;
/** A message that was handed to a process and not acknowledged goes to the next one after this time. */
const ACK_WAIT_MS = 10_000;
/** Nothing is lost with a consumer that was not used for so long: its messages have expired. */
const INACTIVE_MS = (MAX_TTL + 3600) * 1000;
const BATCH = 200;
const PULL_MS = 20_000;
/** How long to leave a message that could not be stored, for instance on a full disk. */
const AGAIN_MS = 5_000;

/** Where a machine reads the messages to one agent, and those to all. Made at first use. */
export async function consumersOf(link: NatsLink, agentId: string, name: string): Promise<ConsumerInfo[]> {
  return [
    await consumer(link, streamOf(agentId), inboxSubjects(agentId), name, () => createInbox(link, agentId)),
    await consumer(link, ALL_STREAM, ALL_SUBJECTS, name, () => createShared(link)),
  ];
}

async function consumer(
  link: NatsLink,
  stream: string,
  filter: string,
  name: string,
  create: () => Promise<void>,
): Promise<ConsumerInfo> {
  const add = () =>
    link.manager.consumers.add(stream, {
      durable_name: name,
      // The filter is part of the request's subject, where the server's permissions see it.
      filter_subject: filter,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      replay_policy: ReplayPolicy.Instant,
      ack_wait: ACK_WAIT_MS * MS,
      max_ack_pending: 5_000,
      inactive_threshold: INACTIVE_MS * MS,
    });
  try {
    return await add();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await orNoInbox(stream, create);
  return await add();
}

/** Runs what needs an administrator's rights. */
export async function orNoInbox(stream: string, create: () => Promise<void>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (isForbidden(error)) {
      throw new NoInbox(`no stream ${stream}`);
    }
    throw error;
  }
}

/** Hands over what waits now, at most `limit` messages. */
export async function pullWaiting(
  link: NatsLink,
  info: ConsumerInfo,
  listener: Listener,
  offsetMs: number,
): Promise<void> {
  for (let left = info.num_pending; left > 0;) {
    const wanted = Math.min(left, BATCH);
    const received = await pull(link, info, listener, offsetMs, { max_messages: wanted, expires: 1_000 });
    // Another process of this machine takes the rest.
    if (received < wanted) return;
    left -= received;
  }
}

/** Hands over messages as they come, until the connection ends or `signal` is aborted. Throws if it breaks. */
export async function pullForever(
  link: NatsLink,
  info: ConsumerInfo,
  listener: Listener,
  offsetMs: () => number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pull(link, info, listener, offsetMs(), { max_messages: BATCH, expires: PULL_MS }, signal);
  }
}

async function pull(
  link: NatsLink,
  info: ConsumerInfo,
  listener: Listener,
  offsetMs: number,
  options: { max_messages: number; expires: number },
  signal?: AbortSignal,
): Promise<number> {
  const messages = await link.js.consumers.getConsumerFromInfo(info).fetch(options);
  const stop = () => messages.stop();
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  let received = 0;
  try {
    for await (const each of messages) {
      received++;
      take(each, listener, offsetMs);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  return received;
}

function take(each: JsMsg, listener: Listener, offsetMs: number): void {
  const message = readMessage(each, offsetMs);
  if (message === undefined) each.term();
  else if (listener.onMessage(message)) each.ack();
  else each.nak(AGAIN_MS);
}

/**
 * A message as a sender published it; undefined for anything else. A server can be
 * made to send its own answers to any subject: they have no envelope, not the
 * message's id, or say which stream they come from.
 */
export function readMessage(
  each: Pick<JsMsg, "subject" | "headers" | "string" | "time">,
  offsetMs: number,
): Message | undefined {
  const subject = readSubject(each.subject);
  const content = each.string();
  if (subject === undefined || !hasEnvelope(content) || each.headers?.has("Nats-Stream")) return undefined;
  const id = each.headers?.get("Nats-Msg-Id") ?? "";
  const session = each.headers?.get(SESSION_HEADER) || undefined;
  const message = decodeEnvelope(content, {
    id,
    // By this machine's clock, which decides whether a message has expired.
    createdAt: new Date(each.time.getTime() - offsetMs).toISOString(),
    fromAgentId: subject.from,
    toAgentId: subject.to,
    toSessionKey: session === undefined ? undefined : decodeSession(session),
  });
  return message.id === id ? message : undefined;
}

function decodeSession(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

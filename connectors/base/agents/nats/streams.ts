import { DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { MAX_TTL } from "../../../../hooks/agents/messages/message.ts";
import type { NatsLink } from "./link.ts";
import { ALL_STREAM, ALL_SUBJECTS, inboxSubjects, LOCKS_BUCKET, PRESENCE_BUCKET, streamOf } from "./names.ts";

const SECOND = 1_000_000_000;
const DAY_MS = 24 * 3600 * 1000;
/** A sender that is not read for so long has gone wrong; other senders are not affected. */
const PER_SENDER = 50_000;
/** As long as an outbox may send the same message again. */
const DUPLICATES_MS = DAY_MS;
/** A machine that was not heard of for so long is off. */
export const PRESENCE_TTL_MS = 15 * 60_000;
/** Longer than any lease. */
const LOCKS_TTL_MS = 2 * DAY_MS;
const NOT_CLUSTERED = 10074;

/** Creates the stream with the messages for an agent. Needs a login that may do so. */
export async function createInbox(link: NatsLink, agentId: string): Promise<void> {
  await createStream(link, streamOf(agentId), inboxSubjects(agentId));
}

/** Creates what all agents share: messages to all, presence and locks. */
export async function createShared(link: NatsLink): Promise<void> {
  await createStream(link, ALL_STREAM, ALL_SUBJECTS);
  await createBucket(link, PRESENCE_BUCKET, PRESENCE_TTL_MS);
  await createBucket(link, LOCKS_BUCKET, LOCKS_TTL_MS);
}

async function createStream(link: NatsLink, name: string, subjects: string): Promise<void> {
  await withReplicas(link, (replicas) =>
    link.manager.streams.add({
      name,
      subjects: [subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: MAX_TTL * SECOND,
      duplicate_window: DUPLICATES_MS / 1000 * SECOND,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      max_msgs_per_subject: PER_SENDER,
      num_replicas: replicas,
    }));
}

async function createBucket(link: NatsLink, name: string, ttl: number): Promise<void> {
  await withReplicas(
    link,
    (replicas) => new Kvm(link.js).create(name, { history: 1, ttl, replicas, allow_direct: false }),
  );
}

/** A server with the name of a cluster may still be alone. */
async function withReplicas(link: NatsLink, create: (replicas: number) => Promise<unknown>): Promise<void> {
  try {
    await create(link.replicas);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== NOT_CLUSTERED) throw error;
    await create(1);
  }
}

import { describe, type FailedReply } from "../../../hooks/daemon/describe.ts";
import { acknowledged } from "../../../hooks/spool/acknowledged.ts";
import { unconfirmed } from "../../../hooks/spool/verdict.ts";
import { type Answer, isTemporary, type MemoryDaemon, record, succeeded } from "./daemon.ts";
import { memoryPath } from "./memory_path.ts";
import { readMemory } from "./memory_text.ts";

/** The daemon splits a memory into chunks of 800 characters; a longer text is a document. */
export const MOST_CONTENT = 100_000;

export interface NewMemory {
  readonly content: string;
  readonly type?: string;
  /** Separated by commas, the form that every daemon accepts. */
  readonly tags?: string;
  readonly importance?: number;
  readonly pinned?: boolean;
  readonly project?: string;
  /** Only this agent may recall it, where the daemon separates agents. */
  readonly private?: boolean;
  /** Other words that should match it. */
  readonly hints?: readonly string[];
}

export type Remembered =
  | {
    readonly kind: "stored";
    readonly ids: readonly string[];
    readonly known: boolean;
    readonly type?: string;
  }
  /** On disk; delivered when the daemon is back. */
  | { readonly kind: "kept"; readonly answer: FailedReply }
  | { readonly kind: "failed"; readonly answer: FailedReply };

/**
 * Stores a memory, or saves it on disk if the daemon is down. Both use the same
 * idempotency key, so that a request which timed out here and succeeded there
 * does not become two memories. `stopping` ends the wait early.
 */
export async function remember(
  daemon: MemoryDaemon,
  memory: NewMemory,
  stopping?: Promise<Answer>,
): Promise<Remembered> {
  const body = rememberBody(memory, daemon.harness, crypto.randomUUID());
  const sent = daemon.request("POST", "/api/memory/remember", body);
  const answer = confirmed(await (stopping ? Promise.race([sent, stopping]) : sent));
  if (succeeded(answer)) return await withType(daemon, memory, readStored(answer.body));
  if (!isTemporary(answer)) return { kind: "failed", answer };
  try {
    await daemon.keep(body);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    const { message } = describe(answer, daemon.url);
    const problem = `${message} The memory could not be saved on disk either: ${why}.`;
    return { kind: "failed", answer: { kind: "blocked", problem, ms: 0 } };
  }
  return { kind: "kept", answer };
}

/** A 200 that confirms nothing, such as a captive portal's, is a failure: the memory must not be lost. */
function confirmed(answer: Answer): Answer {
  return succeeded(answer) && !acknowledged("remember", answer.body) ? unconfirmed(answer) : answer;
}

function rememberBody(memory: NewMemory, who: string, idempotencyKey: string): Record<string, unknown> {
  const { content, tags, importance, pinned, project, hints } = memory;
  const visibility = memory.private ? "private" : undefined;
  const fields = { content, tags, importance, pinned, project, hints, visibility, who, idempotencyKey };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function readStored(body: unknown): Extract<Remembered, { kind: "stored" }> {
  const raw = record(body);
  const memory = readMemory(body);
  // Long content comes back as the `ids` of its chunks, without an `id`.
  const chunks = Array.isArray(raw?.ids) ? raw.ids.filter((id) => typeof id === "string") : [];
  return {
    kind: "stored",
    ids: memory ? [memory.id] : chunks,
    known: raw?.deduped === true,
    type: memory?.type,
  };
}

/**
 * The daemon infers a memory's type and ignores the one in the body, so setting it
 * needs a second request. Without permission to modify, the inferred type stays.
 */
async function withType(
  daemon: MemoryDaemon,
  { type }: NewMemory,
  stored: Extract<Remembered, { kind: "stored" }>,
): Promise<Remembered> {
  const [id] = stored.ids;
  const path = id === undefined ? undefined : memoryPath(id);
  if (!type || stored.type === undefined || stored.type === type || path === undefined || stored.known) {
    return stored;
  }
  const answer = await daemon.request("PATCH", path, { type, reason: "type given when it was stored" });
  return succeeded(answer) ? { ...stored, type } : stored;
}

import { describe, type FailedReply } from "../../../hooks/daemon/describe.ts";
import { type Answer, isPassing, type MemoryDaemon, record, succeeded } from "./daemon.ts";
import { readMemory } from "./memory_text.ts";

/** The daemon cuts a memory into pieces of 800 characters; past this it is a document. */
export const MOST_CONTENT = 100_000;

export interface NewMemory {
  readonly content: string;
  readonly type?: string;
  /** Separated by commas, the one spelling that every daemon takes. */
  readonly tags?: string;
  readonly importance?: number;
  readonly pinned?: boolean;
  readonly project?: string;
  /** Other words under which it should be found. */
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
 * Stores a memory, or keeps it on disk if the daemon is away. Both carry one
 * idempotency key, so that a request which timed out here and succeeded there
 * does not become two memories. `leaving` cuts the wait short.
 */
export async function remember(
  daemon: MemoryDaemon,
  memory: NewMemory,
  leaving?: Promise<Answer>,
): Promise<Remembered> {
  const body = rememberBody(memory, daemon.harness, crypto.randomUUID());
  const sent = daemon.request("POST", "/api/memory/remember", body);
  const answer = await (leaving ? Promise.race([sent, leaving]) : sent);
  if (succeeded(answer)) return await withType(daemon, memory, readStored(answer.body));
  if (!isPassing(answer)) return { kind: "failed", answer };
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

function rememberBody(memory: NewMemory, who: string, idempotencyKey: string): Record<string, unknown> {
  const { content, tags, importance, pinned, project, hints } = memory;
  const fields = { content, tags, importance, pinned, project, hints, who, idempotencyKey };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function readStored(body: unknown): Extract<Remembered, { kind: "stored" }> {
  const raw = record(body);
  const one = readMemory(body);
  // Long content comes back as `ids` of its pieces, and without an `id`.
  const many = Array.isArray(raw?.ids) ? raw.ids.filter((id) => typeof id === "string") : [];
  return { kind: "stored", ids: one ? [one.id] : many, known: raw?.deduped === true, type: one?.type };
}

/**
 * The daemon infers a memory's type and ignores the one in the body, so a wish
 * needs a second request. A key without the right to modify keeps the inferred one.
 */
async function withType(
  daemon: MemoryDaemon,
  { type }: NewMemory,
  stored: Extract<Remembered, { kind: "stored" }>,
): Promise<Remembered> {
  const [id] = stored.ids;
  if (!type || stored.type === undefined || stored.type === type || id === undefined || stored.known) {
    return stored;
  }
  const path = `/api/memory/${encodeURIComponent(id)}`;
  const answer = await daemon.request("PATCH", path, { type, reason: "type given when it was stored" });
  return succeeded(answer) ? { ...stored, type } : stored;
}

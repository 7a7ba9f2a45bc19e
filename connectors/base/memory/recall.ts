import type { FailedReply } from "../../../hooks/daemon/describe.ts";
import { type MemoryDaemon, succeeded } from "./daemon.ts";
import { type Memory, readMemories } from "./memory_text.ts";

export interface Query {
  readonly query: string;
  readonly limit?: number;
  readonly type?: string;
  readonly tags?: string;
  readonly project?: string;
  readonly since?: string;
  /** Not a parameter of the daemon: applied here. */
  readonly minScore?: number;
}

export type Recalled =
  | { readonly kind: "found"; readonly memories: readonly Memory[]; readonly body: unknown }
  | { readonly kind: "failed"; readonly answer: FailedReply };

/**
 * Sends no session key: with one, the daemon hides what this session has already
 * seen, and repeating a search would find nothing.
 */
export async function recall(daemon: MemoryDaemon, wanted: Query): Promise<Recalled> {
  const { minScore, ...fields } = wanted;
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const answer = await daemon.request("POST", "/api/memory/recall", body);
  if (!succeeded(answer)) return { kind: "failed", answer };
  const memories = readMemories(answer.body)
    .filter(({ score }) => minScore === undefined || score === undefined || score >= minScore);
  return { kind: "found", memories: memories.slice(0, wanted.limit), body: answer.body };
}

import type { Reply } from "../../../hooks/daemon/client.ts";
import { isObject } from "../../../hooks/json.ts";

/** The reply to one request; its body is unknown until it is checked. */
export type Answer = Reply<unknown>;

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * The daemon as memory commands and MCP tools see it. The agent is fixed when it
 * is created: no argument of a tool can select another agent's memory.
 */
export interface MemoryDaemon {
  readonly url: string;
  readonly agentId: string;
  readonly harness: string;
  request(method: Method, path: string, body?: Record<string, unknown>, timeoutMs?: number): Promise<Answer>;
  /** Saves a `/api/memory/remember` body on disk, to be delivered when the daemon is back. */
  keep(body: Record<string, unknown>): Promise<void>;
}

export function succeeded(answer: Answer): answer is Extract<Answer, { kind: "ok" }> {
  return answer.kind === "ok";
}

/** Whether a retry with the same body may succeed: the daemon is unreachable or busy. */
export function isTemporary(answer: Answer): boolean {
  switch (answer.kind) {
    case "unreachable":
    case "timeout":
    case "notJson":
    case "redirect":
      return true;
    case "http":
      return answer.status >= 500 || answer.status === 429 || answer.status === 408;
    default:
      return false;
  }
}

/** The value as an object, or undefined. */
export function record(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? value : undefined;
}

export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

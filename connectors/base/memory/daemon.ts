/** The outcome of one request to the daemon. */
export type Answer =
  /** It answered, with any status. `body` is undefined if the answer was not JSON. */
  | { readonly kind: "answered"; readonly status: number; readonly body?: unknown }
  /** Nothing answered, or something else did: a captive portal, a proxy's redirect. */
  | { readonly kind: "unreachable"; readonly cause: "offline" | "timeout" | "stranger" }
  /** The request was not sent: the settings do not allow it. */
  | { readonly kind: "unusable"; readonly message: string };

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

export function succeeded(answer: Answer): answer is Extract<Answer, { kind: "answered" }> {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

/** Whether a retry with the same body may succeed: the daemon is unreachable or busy. */
export function isTemporary(answer: Answer): boolean {
  return answer.kind === "unreachable" ||
    (answer.kind === "answered" && (answer.status >= 500 || answer.status === 429 || answer.status === 408));
}

/** A missing route is a 404 that is not JSON; a missing memory is a 404 with `error`. */
export function isMissingRoute(answer: Answer): boolean {
  if (answer.kind !== "answered") return false;
  return [405, 410, 501].includes(answer.status) ||
    (answer.status === 404 && record(answer.body) === undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object, or undefined. */
export function record(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

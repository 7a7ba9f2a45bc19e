/** What came of one request to the daemon. */
export type Answer =
  /** It answered, whatever the status. `body` is undefined where the answer was not JSON. */
  | { readonly kind: "answered"; readonly status: number; readonly body?: unknown }
  /** Nobody answered, or something that is not the daemon: a captive portal, a proxy's redirect. */
  | { readonly kind: "unreachable"; readonly cause: "offline" | "timeout" | "stranger" }
  /** The request was not sent: the settings do not allow it. */
  | { readonly kind: "unusable"; readonly message: string };

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * The daemon as memory commands and MCP tools see it. Whoever makes one binds
 * the agent: nothing that a tool passes in decides whose memory is meant.
 */
export interface MemoryDaemon {
  readonly url: string;
  readonly agentId: string;
  readonly harness: string;
  request(method: Method, path: string, body?: Record<string, unknown>, timeoutMs?: number): Promise<Answer>;
  /** Puts a `/api/memory/remember` body on disk, to be delivered when the daemon is back. */
  keep(body: Record<string, unknown>): Promise<void>;
}

export function succeeded(answer: Answer): answer is Extract<Answer, { kind: "answered" }> {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

/** Worth another try later with the same body: nobody is there, or it said "not now". */
export function isPassing(answer: Answer): boolean {
  return answer.kind === "unreachable" ||
    (answer.kind === "answered" && (answer.status >= 500 || answer.status === 429 || answer.status === 408));
}

/** A daemon without the route answers a 404 that is not JSON; a missing memory is a 404 with `error`. */
export function isMissingRoute(answer: Answer): boolean {
  if (answer.kind !== "answered") return false;
  return [405, 410, 501].includes(answer.status) ||
    (answer.status === 404 && record(answer.body) === undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object, or undefined: what arrives from outside is `unknown` until looked at. */
export function record(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

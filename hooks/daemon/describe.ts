import type { FailedReply, Reply } from "./client.ts";
import { plainText } from "../context_text/plain_text.ts";
import { redact } from "../redact.ts";
import { truncate } from "../context_text/truncate.ts";

export type { FailedReply } from "./client.ts";

/** A request that was not sent, because the daemon hung a moment ago. */
export interface SkippedRequest {
  readonly kind: "breaker";
  readonly ms: number;
}

/** What went wrong: hook.log's word for it. Exit codes, advice and retries depend on it. */
export type FailureKind =
  | "offline"
  | "timeout"
  | "breaker"
  | "blocked"
  | "unauthorized"
  | "forbidden"
  | "not found"
  | "unsupported"
  | "conflict"
  | "rate-limited"
  | "server error"
  | "refused"
  | "not JSON"
  | "too large"
  | "redirect";

/** A failed request, in words for a person. */
export interface RequestFailure {
  readonly kind: FailureKind;
  /** What happened, without a full stop and without text from outside: safe in a model's context. */
  readonly summary: string;
  /** What the system or the daemon reported about it, safe to print. */
  readonly detail?: string;
  /** The summary and the detail as one sentence. */
  readonly message: string;
}

/** Describes a failed request to the daemon at `url`. Every message about one comes from here. */
export function describe(reply: FailedReply | SkippedRequest, url: string): RequestFailure {
  const daemon = `The daemon at ${url}`;
  switch (reply.kind) {
    case "unreachable":
      return failure("offline", `${daemon} is not reachable`, reply.reason);
    case "timeout":
    case "breaker":
      return failure(reply.kind, `${daemon} did not answer in time`);
    case "notJson":
      return failure(
        "not JSON",
        `What answers at ${url} is not a Signet daemon`,
        reply.found ?? "the answer is not JSON",
      );
    case "redirect":
      return failure("redirect", `What answers at ${url} is not a Signet daemon`, "it redirects elsewhere");
    case "tooLarge":
      return failure("too large", `The answer of the daemon at ${url} is too large`);
    case "blocked":
      return {
        kind: "blocked",
        summary: "The daemon was not called because of a problem in the settings (run status)",
        detail: reply.problem,
        message: reply.problem,
      };
    case "http":
      return describeStatus(reply, daemon);
  }
}

function describeStatus(reply: FailedReply & { kind: "http" }, daemon: string): RequestFailure {
  const { status, error, json } = reply;
  const say = (kind: FailureKind, text: string) => failure(kind, `${daemon} ${text} (HTTP ${status})`, error);
  if (isMissingRoute(reply)) return say("unsupported", "does not support this request");
  switch (status) {
    case 401:
      return say("unauthorized", "requires a valid API key");
    case 403:
      return say("forbidden", "does not allow this request with this key");
    case 404:
      return say("not found", "has no such item");
    case 409:
      return say("conflict", "reports a conflict");
    case 429: {
      const wait = reply.retryAfterMs === undefined
        ? undefined
        : `try again in ${Math.ceil(reply.retryAfterMs / 1000)} s`;
      return failure("rate-limited", `${daemon} is rate-limiting requests (HTTP 429)`, wait);
    }
  }
  if (status >= 500 || status === 408) return say("server error", "failed");
  return say("refused", json ? "rejected the request" : "did not accept the request");
}

/** A daemon without the route answers a 404 that is not JSON; a missing memory is a 404 in JSON. */
export function isMissingRoute(reply: Reply<unknown>): boolean {
  if (reply.kind !== "http") return false;
  return reply.status === 405 || reply.status === 410 || reply.status === 501 ||
    (reply.status === 404 && !reply.json);
}

function failure(kind: FailureKind, summary: string, reported?: string): RequestFailure {
  const detail = reported === undefined ? "" : printable(reported);
  return detail === ""
    ? { kind, summary, message: `${summary}.` }
    : { kind, summary, detail, message: `${summary}: ${detail}.` };
}

const MAX_DETAIL = 300;

/** Text from outside as part of one line: no control characters, no keys, no full stop at the end. */
function printable(text: string): string {
  return truncate(redact(plainText(text)).replaceAll(/\s+/g, " ").trim().replace(/\.$/, ""), MAX_DETAIL);
}

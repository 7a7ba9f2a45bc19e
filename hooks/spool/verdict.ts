import { acknowledged } from "./acknowledged.ts";
import type { Reply } from "../daemon/client.ts";
import { describe, type FailedReply } from "../daemon/describe.ts";
import { isObject } from "../json.ts";
import type { SpoolKind } from "./spool.ts";

/** What a drain does after a request. */
export type Verdict =
  | { do: "sent" }
  /** The daemon will never accept this event: move it to `rejected/`, with the label in its name. */
  | { do: "reject"; label: string; reason: string }
  /** The daemon does not accept this agent's key; another agent's events may go through. */
  | { do: "hold agent"; reason: string }
  /** This event has to wait, and so do the later ones of its session. */
  | { do: "hold session"; reason: string }
  /** Nothing can be sent now. `offline` if no daemon answered. */
  | { do: "stop"; offline: boolean; reason: string; retryAfterMs?: number };

/** With these statuses the daemon says that it will never accept this event. */
const DEFINITIVE = new Set([400, 405, 409, 410, 415, 422]);

/** Decides what to do next. An event counts as sent only if the daemon confirms it in its own format. */
export function verdict(kind: SpoolKind, reply: Reply<unknown>, url: string): Verdict {
  if (reply.kind === "ok") {
    const error = isObject(reply.body) ? reply.body.error : undefined;
    if (typeof error === "string") {
      return { do: "hold session", reason: reasonOf({ ...reply, kind: "http", error, json: true }, url) };
    }
    if (acknowledged(kind, reply.body)) return { do: "sent" };
    return { do: "hold session", reason: reasonOf(unconfirmed(reply), url) };
  }
  const reason = reasonOf(reply, url);
  switch (reply.kind) {
    case "http":
      return httpVerdict(reply, reason);
    case "unreachable":
    case "timeout":
      return { do: "stop", offline: true, reason };
    case "notJson":
    case "redirect":
    case "blocked":
      return { do: "stop", offline: false, reason };
    case "tooLarge":
      return { do: "hold session", reason };
  }
}

/** A 200 that does not confirm the event, as the failure that it is. */
export function unconfirmed({ status, ms }: { status: number; ms: number }): FailedReply {
  return { kind: "notJson", status, ms, found: "it did not confirm the event" };
}

/** Without the full stop: status shows it in brackets. */
function reasonOf(reply: Parameters<typeof describe>[0], url: string): string {
  return describe(reply, url).message.replace(/\.$/, "");
}

function httpVerdict(reply: Reply<unknown> & { kind: "http" }, reason: string): Verdict {
  const { status, json } = reply;
  if (status === 401 || status === 403) return { do: "hold agent", reason };
  // A reverse proxy's size limit comes without JSON, and concerns this event alone.
  if (status === 413 || (DEFINITIVE.has(status) && json)) {
    return { do: "reject", label: `HTTP ${status}`, reason };
  }
  // B answers 500 to an event that it cannot process: the others must not wait behind it.
  if (status === 500 && json) return { do: "hold session", reason };
  return { do: "stop", offline: false, reason, retryAfterMs: reply.retryAfterMs };
}

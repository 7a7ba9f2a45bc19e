import type { Reply } from "../daemon/client.ts";

/** What a drain does after an answer. */
export type Verdict =
  | { do: "sent" }
  /** The daemon will never take it: park it. */
  | { do: "reject"; reason: string }
  /** Nothing of this agent goes through with this key; another agent's may. */
  | { do: "hold agent"; reason: string }
  /** This one has to wait, and what follows it in its session too. */
  | { do: "hold session"; reason: string }
  /** Nothing goes through now: there is no daemon, or it takes nothing. */
  | { do: "stop"; away: boolean; reason: string; retryAfterMs?: number };

/** Statuses by which the daemon says that this very event will never do. */
const DEFINITIVE = new Set([400, 405, 409, 410, 415, 422]);

/** An event is delivered only when the daemon itself said so, in its own format. */
export function verdict(reply: Reply<Record<string, unknown>>): Verdict {
  switch (reply.kind) {
    case "ok":
      return typeof reply.body.error === "string"
        ? { do: "hold session", reason: `the daemon answered "${reply.body.error}"` }
        : { do: "sent" };
    case "http":
      return httpVerdict(reply);
    case "unreachable":
      return { do: "stop", away: true, reason: `the daemon cannot be reached (${reply.reason})` };
    case "timeout":
      return { do: "stop", away: true, reason: "the daemon did not answer in time" };
    case "notJson":
      return { do: "stop", away: false, reason: "what answers there is not a Signet daemon" };
    case "redirect":
      return { do: "stop", away: false, reason: "what answers there redirects elsewhere" };
    case "tooLarge":
      return { do: "hold session", reason: "the answer was too large" };
    case "blocked":
      return { do: "stop", away: false, reason: reply.problem };
  }
}

function httpVerdict(reply: Reply<unknown> & { kind: "http" }): Verdict {
  const { status, error, json } = reply;
  const said = error === undefined ? `HTTP ${status}` : `HTTP ${status}: ${error}`;
  if (status === 401 || status === 403) return { do: "hold agent", reason: said };
  // A reverse proxy's own limit comes without JSON, and is about this event alone.
  if (status === 413) return { do: "reject", reason: said };
  if (DEFINITIVE.has(status) && json) return { do: "reject", reason: said };
  // B answers 500 to an event that it cannot digest: the others must not starve behind it.
  if (status === 500 && json) return { do: "hold session", reason: said };
  return { do: "stop", away: false, reason: said, retryAfterMs: reply.retryAfterMs };
}

import { describe, type FailedReply } from "../../../hooks/daemon/describe.ts";
import { EXIT, UserError } from "../../base/cli/command.ts";

const ADMIN = "Give an admin key with --api-key-file or SIGNET_API_KEY, or log in with --admin-user NAME.";

/** A failed admin request, as an error that says what to do. */
export function failure(reply: FailedReply, url: string, doing: string): UserError {
  const { kind, message } = describe(reply, url);
  const text = `Could not ${doing}. ${message}`;
  if (kind === "unauthorized" || kind === "forbidden") return new UserError(text, EXIT.key, ADMIN);
  if (kind === "unsupported") {
    return new UserError(text, EXIT.failed, "Signet 0.58 has no API keys: install without one.");
  }
  if (reply.kind === "http" && reply.status === 500 && !reply.json) {
    // 0.145 answers this, in plain text, to its admin limiter and to keys that are not an admin's.
    return reply.retryAfterMs !== undefined
      ? new UserError(text, EXIT.failed, "The daemon limits admin requests: wait a minute and try again.")
      : new UserError(text, EXIT.key, `The key may not be an admin's. ${ADMIN}`);
  }
  if (reply.kind === "http") return new UserError(text, EXIT.failed);
  return new UserError(text, EXIT.unreachable, "Name the daemon with --url or SIGNET_DAEMON_URL.");
}

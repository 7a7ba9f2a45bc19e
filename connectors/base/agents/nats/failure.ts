import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import type { FailureCode } from "../transport/transport.ts";

/** What went wrong at a NATS server, for a person and for whoever decides whether to try again. */
export interface NatsFailure {
  readonly code: FailureCode;
  readonly why: string;
}

/**
 * Describes an error of the NATS library in a sentence. The library is not loaded
 * for this: its errors are recognised by their names.
 */
export function describeNats(error: unknown, url: string, agentId: string): NatsFailure {
  const server = `The NATS server at ${url}`;
  if (!(error instanceof Error)) {
    return { code: "later", why: `${server} failed: ${stripControls(String(error))}` };
  }
  const text = stripControls(error.message).replace(/[.\s]+$/, "");
  if (isForbidden(error)) {
    return { code: "key", why: `${server} does not allow this to agent ${agentId}: ${text}.` };
  }
  switch (error.name) {
    case "AuthorizationError":
    case "UserAuthenticationExpiredError":
      return { code: "key", why: `${server} rejected the login of agent ${agentId}.` };
    case "JetStreamNotEnabled":
      return {
        code: "later",
        why: `${server} runs without JetStream, which keeps the messages: start it with -js.`,
      };
    case "NoInbox":
      return { code: "later", why: `${server} ${text}.` };
    case "TooLarge":
      return { code: "refused", why: `${server} ${text}.` };
    case "JetStreamApiError":
      return { code: "later", why: `${server} answered: ${text}.` };
    case "TimeoutError":
    case "RequestError":
      return { code: "later", why: `${server} did not answer in time.` };
    case "ClosedConnectionError":
    case "DrainingConnectionError":
      return { code: "later", why: `The connection to ${url} broke.` };
    default:
      // Deno reports a certificate that it does not trust as a connection that ended.
      if (/certificate|UnknownIssuer|before secure TLS/i.test(text)) {
        return {
          code: "later",
          why:
            `${server} has no certificate that this machine trusts: name its authority with agents login --ca FILE.`,
        };
      }
      return { code: "later", why: `${server} is not reachable: ${text || error.name}.` };
  }
}

/** Whether the server's permissions forbid it. The library may wrap the error. */
export function isForbidden(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "PermissionViolationError" || isForbidden(error.cause);
}

/** The server has no place for messages to this agent, and this login may not make one. */
export class NoInbox extends Error {
  override name = "NoInbox";

  constructor(place: string) {
    super(
      `has ${place}, and this login may not create it: an administrator does, with agents prepare`,
    );
  }
}

export class TooLarge extends Error {
  override name = "TooLarge";

  constructor(bytes: number, limit: number) {
    super(`takes at most ${limit} bytes in a message, and this one has ${bytes}`);
  }
}

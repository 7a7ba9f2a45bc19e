import { describeProblem, readUserConfig } from "../../../hooks/agents/config/config_files.ts";
import { HOST, type Surroundings } from "../../../hooks/state/paths.ts";
import { EXIT, UserError } from "../cli/command.ts";

/** How messages travel between machines. */
export type TransportSetting =
  /** Through the Signet daemon. */
  | { readonly kind: "daemon" }
  /** `url` has no user and no password: those are in a file that only the user can read. */
  | { readonly kind: "nats"; readonly url: string; readonly user?: string };

/** The protocols of NATS: in the clear, with TLS, and the same over WebSocket. */
const PROTOCOLS = ["nats:", "tls:", "ws:", "wss:"];

/**
 * `transport` in the user's agents.yaml; a repository's file cannot set it.
 *
 * @throws {UserError} if the file is broken: messages must not take another way than the user chose
 */
export function readTransport(host: Surroundings = HOST): TransportSetting {
  const file = readUserConfig(host);
  if (file.state === "broken") throw new UserError(`${describeProblem(file)}.`, EXIT.file, "Fix the file.");
  return parseTransport(file.config.transport ?? "daemon");
}

/**
 * `daemon`, or the URL of a NATS server.
 *
 * @throws {UserError} if it is neither, or holds a password
 */
export function parseTransport(text: string): TransportSetting {
  if (text === "daemon") return { kind: "daemon" };
  const url = URL.parse(text);
  if (url === null || !PROTOCOLS.includes(url.protocol) || url.hostname === "") {
    throw new UserError(
      `transport must be daemon or the URL of a NATS server, not ${withoutPassword(text)}.`,
      EXIT.usage,
      "nats://user@host:4222",
    );
  }
  if (url.password !== "") {
    throw new UserError(
      "transport must not hold a password: other programs read this file.",
      EXIT.usage,
      `nats://${url.username}@${url.host}`,
    );
  }
  const user = url.username === "" ? undefined : decodeURIComponent(url.username);
  return { kind: "nats", url: `${url.protocol}//${url.host}`, user };
}

function withoutPassword(text: string): string {
  return text.replace(/:[^:@/]*@/, ":…@");
}

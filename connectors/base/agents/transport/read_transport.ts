import { describeProblem, readUserConfig } from "../../../../hooks/agents/config/config_files.ts";
import { isLoopback } from "../../../../hooks/daemon/origin.ts";
import { HOST, type Surroundings } from "../../../../hooks/state/paths.ts";
import { EXIT, UserError } from "../../cli/command.ts";

/** How messages travel between machines. */
export type TransportSetting =
  /** Through the Signet daemon. */
  | { readonly kind: "daemon" }
  /** `url` has no user and no password: those are in a file that only the user can read. */
  | {
    readonly kind: "nats";
    readonly url: string;
    /** `host:port` of each server of a cluster. */
    readonly servers: readonly string[];
    /** Whether connections without TLS are refused. */
    readonly tls: boolean;
    readonly user?: string;
  };

const PROTOCOLS = ["nats:", "tls:"];

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
 * `daemon`, or the URL of a NATS server; several with commas for a cluster. Between
 * machines it is TLS, with `nats://` as well.
 *
 * @throws {UserError} if it is neither, or holds a password
 */
export function parseTransport(text: string): TransportSetting {
  if (text === "daemon") return { kind: "daemon" };
  const urls = text.split(",").map((part) => parseServer(part.trim()));
  const user = urls.find(({ username }) => username !== "")?.username;
  return {
    kind: "nats",
    url: urls.map(({ protocol, host }) => `${protocol}//${host}`).join(","),
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || "4222"}`),
    tls: urls.some(({ protocol, hostname }) => protocol === "tls:" || !isLoopback(hostname)),
    user: user === undefined ? undefined : decodeURIComponent(user),
  };
}

function parseServer(text: string): URL {
  const url = URL.parse(text);
  if (
    url === null || !PROTOCOLS.includes(url.protocol) || url.hostname === "" ||
    !["", "/"].includes(url.pathname)
  ) {
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
      `set it to ${url.protocol}//${url.username}@${url.host}, and store the password with agents login`,
    );
  }
  return url;
}

function withoutPassword(text: string): string {
  return text.replace(/:[^:@/]*@/, ":…@");
}

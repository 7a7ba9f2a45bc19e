import { isObject, parseObject } from "../../../../hooks/json.ts";
import { makeConfigDir } from "../../../../hooks/state/made_dirs.ts";
import { configDir, join, type Surroundings } from "../../../../hooks/state/paths.ts";
import { readPrivateFile } from "../../../../hooks/state/private_file.ts";
import { writeNote } from "../../../../hooks/state/state_file.ts";
import { readTransport } from "../transport/read_transport.ts";

/** How an agent proves who it is to a NATS server. */
export type NatsLogin =
  | { readonly user: string; readonly password: string }
  | { readonly token: string }
  /** The seed of an nkey: `SU…`. */
  | { readonly seed: string }
  /** The text of a creds file. */
  | { readonly creds: string };

/** What is stored for one server. */
export interface NatsAccess {
  /** The certificates of the authority that signed the server's, as PEM. */
  readonly ca?: string;
  /** TLS is not needed, because something else protects the connection. */
  readonly plain?: boolean;
  /** For agents without an entry in `agents`. */
  readonly login?: NatsLogin;
  readonly agents: Readonly<Record<string, NatsLogin>>;
}

/** A NATS server and how to connect to it. */
export interface NatsSettings extends NatsAccess {
  readonly url: string;
  /** `host:port`. */
  readonly servers: readonly string[];
  /** Whether a connection without TLS is refused. */
  readonly tls: boolean;
  /** Why it must not be used, as a sentence. */
  readonly problem?: string;
}

/** `~/.config/signet/nats.json`, mode 0600: it has passwords in it. */
export function accessPath(host: Surroundings): string | undefined {
  const dir = configDir(host);
  return dir === undefined ? undefined : join(host, dir, "nats.json");
}

/**
 * The NATS server of the user's agents.yaml; undefined if messages go through the daemon.
 *
 * @throws {UserError} if agents.yaml is broken
 */
export function natsSettings(host: Surroundings): NatsSettings | undefined {
  const transport = readTransport(host);
  if (transport.kind === "daemon") return undefined;
  const { url, servers, tls } = transport;
  const { fields, problem } = readFile(host);
  const access = accessOf(fields, url);
  return { ...access, url, servers, tls: tls && !access.plain, problem };
}

function accessOf(fields: Record<string, unknown>, url: string): NatsAccess {
  const entry = isObject(fields.servers) ? fields.servers[url] : undefined;
  const stored = isObject(entry) ? entry : {};
  const agents: Record<string, NatsLogin> = {};
  for (const [id, value] of Object.entries(isObject(stored.agents) ? stored.agents : {})) {
    const login = parseLogin(value);
    if (login !== undefined) agents[id] = login;
  }
  return {
    ca: typeof stored.ca === "string" ? stored.ca : undefined,
    plain: stored.plain === true,
    login: parseLogin(stored.login),
    agents,
  };
}

function parseLogin(value: unknown): NatsLogin | undefined {
  if (!isObject(value)) return undefined;
  const { user, password, token, seed, creds } = value;
  if (typeof user === "string" && typeof password === "string") return { user, password };
  if (typeof token === "string") return { token };
  if (typeof seed === "string") return { seed };
  return typeof creds === "string" ? { creds } : undefined;
}

function readFile(host: Surroundings): { fields: Record<string, unknown>; problem?: string } {
  const path = accessPath(host);
  const file = path === undefined ? undefined : readPrivateFile(path, host);
  if (file?.kind === "problem") return { fields: {}, problem: file.problem };
  const fields = file?.kind === "text" ? parseObject(file.text) : {};
  return fields === undefined
    ? { fields: {}, problem: `${path} is not JSON; remove it and log in again.` }
    : { fields };
}

export interface AccessChange {
  readonly ca?: string;
  readonly plain?: boolean;
  readonly login?: NatsLogin;
  /** Whose login it is; all agents' without it. */
  readonly agentId?: string;
}

/** Stores how to connect to one server. Throws if the file cannot be used. */
export function storeAccess(host: Surroundings, url: string, change: AccessChange): void {
  const path = accessPath(host);
  if (path === undefined) throw new Error("HOME is not set, so there is no place for settings.");
  const { fields, problem } = readFile(host);
  if (problem !== undefined) throw new Error(problem);
  const old = accessOf(fields, url);
  const { ca = old.ca, plain = old.plain, login, agentId } = change;
  const next: NatsAccess = {
    ca,
    plain: plain || undefined,
    login: login !== undefined && agentId === undefined ? login : old.login,
    agents: login !== undefined && agentId !== undefined ? { ...old.agents, [agentId]: login } : old.agents,
  };
  const servers = isObject(fields.servers) ? fields.servers : {};
  makeConfigDir(host);
  writeNote(path, `${JSON.stringify({ v: 1, servers: { ...servers, [url]: next } }, null, 2)}\n`);
}

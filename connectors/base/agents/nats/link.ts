import {
  jetstream,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
} from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import {
  type ConnectionOptions,
  credsAuthenticator,
  headers,
  type NatsConnection,
  NatsConnectionImpl,
  nkeyAuthenticator,
  setTransportFactory,
} from "@nats-io/nats-core/internal";
import { DenoSocket } from "./deno_socket.ts";
import type { NatsLogin, NatsSettings } from "./nats_settings.ts";
import { inboxPrefix, LOCKS_BUCKET, PRESENCE_BUCKET } from "./names.ts";

const CONNECT_MS = 10_000;
const REQUEST_MS = 10_000;
/** A connection that does not answer two of these is dead. */
const PING_MS = 15_000;

/** One connection to a NATS server as one agent. It ends when it breaks: whoever needs another opens it. */
export class NatsLink {
  readonly #connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;

  private constructor(connection: NatsConnection, manager: JetStreamManager) {
    this.#connection = connection;
    this.js = jetstream(connection, { timeout: REQUEST_MS });
    this.manager = manager;
  }

  /** Connects to the first of the servers that answers. */
  static async open(
    settings: NatsSettings,
    agentId: string,
    servers: readonly string[] = settings.servers,
  ): Promise<NatsLink> {
    setTransportFactory({ factory: () => new DenoSocket() });
    const connection = await NatsConnectionImpl.connect({
      servers: [...servers],
      name: "signet",
      timeout: CONNECT_MS,
      // A new connection knows nothing of the old one, which is simpler than a repaired one.
      reconnect: false,
      // Deno looks names up itself, so that a certificate is checked for the name.
      resolve: false,
      pingInterval: PING_MS,
      maxPingOut: 2,
      inboxPrefix: inboxPrefix(agentId),
      tls: settings.tls || settings.ca !== undefined ? { ca: settings.ca } : undefined,
      ...credentials(settings.agents[agentId] ?? settings.login),
    });
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_MS });
    return new NatsLink(connection, manager);
  }

  /** The largest message that the server takes, in bytes. */
  get maxPayload(): number {
    return this.#connection.info?.max_payload ?? Infinity;
  }

  /** A cluster keeps three copies of everything. */
  get replicas(): number {
    return this.#connection.info?.cluster === undefined ? 1 : 3;
  }

  /** The servers of the cluster that can be connected to. */
  get servers(): readonly string[] {
    return this.#connection.info?.connect_urls ?? [];
  }

  get isClosed(): boolean {
    return this.#connection.isClosed();
  }

  /** Resolves when the connection has ended, with the reason if there is one. */
  closed(): Promise<void | Error> {
    return this.#connection.closed();
  }

  async close(): Promise<void> {
    // What was acknowledged last must leave before the connection ends.
    if (!this.isClosed) await this.#connection.flush().catch(() => {});
    await this.#connection.close();
  }

  /** Stores a message once: the server recognises its id. */
  async send(subject: string, text: string, id: string, fields: Record<string, string>): Promise<void> {
    const head = headers();
    for (const [name, value] of Object.entries(fields)) head.set(name, value);
    await this.js.publish(subject, text, { msgID: id, headers: head, timeout: REQUEST_MS });
  }

  presence(): Promise<KV> {
    return this.#bucket(PRESENCE_BUCKET);
  }

  locks(): Promise<KV> {
    return this.#bucket(LOCKS_BUCKET);
  }

  /** Read from the leader: a follower's answer may be older than what was written. */
  #bucket(name: string): Promise<KV> {
    return new Kvm(this.js).open(name, { bindOnly: true, allow_direct: false });
  }
}

/** Whether the server has no such stream, which may also mean that it has no streams at all. */
export function isMissing(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.code === 10059;
  return error instanceof Error && ["NoRespondersError", "JetStreamNotEnabled"].includes(error.name);
}

/** Whether somebody else has written in the meantime. */
export function isWrongRevision(error: unknown): boolean {
  return error instanceof JetStreamApiError && (error.code === 10071 || error.code === 10164);
}

function credentials(login: NatsLogin | undefined): ConnectionOptions {
  const bytes = (text: string) => new TextEncoder().encode(text);
  if (login === undefined) return {};
  if ("user" in login) return { user: login.user, pass: login.password };
  if ("token" in login) return { token: login.token };
  if ("seed" in login) return { authenticator: nkeyAuthenticator(bytes(login.seed)) };
  return { authenticator: credsAuthenticator(bytes(login.creds)) };
}

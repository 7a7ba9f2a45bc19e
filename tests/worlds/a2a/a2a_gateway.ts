import type { DatabaseSync } from "node:sqlite";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { Message } from "../../../hooks/agents/messages/message.ts";
import type { ListedSession } from "../../../hooks/agents/sessions/session.ts";
import { Inbox, type Taken } from "../../../hooks/agents/messages/inbox.ts";
import { sendReceipt } from "../../../hooks/agents/messages/receipt.ts";
import { openMesh } from "../../../connectors/base/agents/mesh.ts";
import { reply } from "../../../connectors/base/agents/messages/reply.ts";
import { openStation } from "../../../connectors/base/agents/station.ts";
import { until } from "../../../connectors/base/testing/until.ts";
import { Gateway, type GatewaySettings } from "../../../connectors/connect/a2a/gateway.ts";
import { Clients } from "../../../connectors/connect/a2a/server/clients.ts";
import { openGatewayDatabase } from "../../../connectors/connect/a2a/tasks/gateway_database.ts";
import { HARNESSES } from "../../../connectors/registry.ts";
import { AgentMachine } from "../agents/agent_machine.ts";
import { listenAgain } from "../listen_again.ts";

export type Binding = "JSONRPC" | "HTTP+JSON";

/** A machine of the mesh with a gateway that listens on loopback. */
export class A2aGateway implements AsyncDisposable {
  readonly machine: AgentMachine;
  readonly lines: string[] = [];
  readonly #more: Partial<GatewaySettings>;
  #running?: { gateway: Gateway; server: Deno.HttpServer<Deno.NetAddr>; stop(): Promise<void> };
  #port = 0;
  #token = "";

  private constructor(machine: AgentMachine, more: Partial<GatewaySettings>) {
    this.machine = machine;
    this.#more = more;
  }

  static async start(more: Partial<GatewaySettings> = {}, machine?: AgentMachine): Promise<A2aGateway> {
    const world = new A2aGateway(machine ?? await AgentMachine.make(), more);
    world.#token = await world.tokenOf("tester");
    await world.restart();
    return world;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get token(): string {
    return this.#token;
  }

  get gateway(): Gateway {
    if (this.#running === undefined) throw new Error("The gateway does not run.");
    return this.#running.gateway;
  }

  async tokenOf(client: string): Promise<string> {
    const database = this.#open();
    try {
      const token = await new Clients(database).create(client);
      if (token === undefined) throw new Error(`There is a client ${client} already.`);
      return token;
    } finally {
      database.close();
    }
  }

  /** Starts the gateway, on the same port as before. */
  async restart(): Promise<void> {
    const database = this.#open();
    const mesh = openMesh(this.machine.host, true);
    const station = openStation({
      mesh,
      caller: { kind: "person" },
      agentId: "me",
      machine: this.machine.path,
      cwd: this.machine.path,
    });
    const started = Promise.withResolvers<Gateway>();
    const server = await listenAgain(() =>
      Deno.serve(
        { hostname: "127.0.0.1", port: this.#port, onListen: () => {} },
        async (request) => await (await started.promise).app.fetch(request),
      )
    );
    this.#port = server.addr.port;
    const gateway = new Gateway({
      database,
      station,
      known: { harnesses: HARNESSES.map(({ id }) => id), agents: [] },
      harnesses: HARNESSES,
      host: this.machine.host,
      addresses: { scheme: "http", hosts: [] },
      url: this.url,
      defaultAgent: "",
      ttlMs: 3_600_000,
      rules: { allow: [] },
      log: (line) => this.lines.push(line),
      ...this.#more,
    });
    started.resolve(gateway);
    const ends = new AbortController();
    const running = gateway.run(ends.signal);
    this.#running = {
      gateway,
      server,
      async stop() {
        ends.abort();
        await running;
        await server.shutdown();
        database.close();
      },
    };
  }

  /** What waits for another try to be sent is due now. */
  retryNow(): void {
    const database = this.#open();
    database.exec("update deliveries set due = 0");
    database.close();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }

  /** A client of the SDK for the default agent, or for the one of a handle. */
  async client(binding: Binding = "JSONRPC", handle = "", token: string = this.#token): Promise<Client> {
    const fetchImpl: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      request.headers.set("authorization", `Bearer ${token}`);
      return fetch(request);
    };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
      preferredTransports: [binding],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    });
    const base = handle === "" ? this.url : `${this.url}/agents/${handle}`;
    return await factory.createFromUrl(`${base}/.well-known/agent-card.json`, "");
  }

  /** What a hook shows to an agent: the message is taken, and its sender is notified. */
  async seenBy(session: ListedSession): Promise<Taken> {
    const inbox = new Inbox(this.machine.dir);
    return await until("a message is there", () => {
      const limits = { messages: 1, chars: Infinity };
      const { messages: [message] } = inbox.take(session, "idle", { limits });
      if (message === undefined) return undefined;
      inbox.shown(session, [message]);
      sendReceipt(this.machine.dir, session, message, "seen");
      return message;
    });
  }

  /** The agent answers, as with `reply` or the MCP tool. */
  async answer(
    session: ListedSession,
    { id }: Pick<Message, "id">,
    text: string,
    failed = false,
  ): Promise<void> {
    const mesh = openMesh(this.machine.host);
    const { agentId, machine, project } = session;
    const caller = { kind: "session", session, how: "named" } as const;
    await reply(openStation({ mesh, caller, agentId, machine, cwd: project }), { id, text, failed });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.machine[Symbol.asyncDispose]();
  }

  #open(): DatabaseSync {
    return openGatewayDatabase(this.machine.dir);
  }
}

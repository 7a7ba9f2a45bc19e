import { type NatsConnection, NatsConnectionImpl, setTransportFactory } from "@nats-io/nats-core/internal";
import { DenoSocket } from "../../../connectors/base/agents/nats/deno_socket.ts";
import { inboxPrefix } from "../../../connectors/base/agents/nats/names.ts";
import { NatsLink } from "../../../connectors/base/agents/nats/link.ts";
import type { AccessChange, NatsSettings } from "../../../connectors/base/agents/nats/nats_settings.ts";
import { storeAccess } from "../../../connectors/base/agents/nats/nats_settings.ts";
import { createInbox, createShared } from "../../../connectors/base/agents/nats/streams.ts";
import { parseTransport } from "../../../connectors/base/agents/transport/read_transport.ts";
import { AgentMachine } from "../agents/agent_machine.ts";
import type { Meeting } from "../agents/delivery.ts";
import { loginOf, NatsServer, type NatsServerOptions, type NatsUser } from "./nats_server.ts";

/** How one user of the documented configuration connects. */
export function settingsOf(url: string, user?: NatsUser): NatsSettings {
  const transport = parseTransport(url);
  if (transport.kind !== "nats") throw new Error("not NATS");
  return { ...transport, agents: {}, login: user === undefined ? undefined : loginOf(user) };
}

/** A connection without anything around it. */
export async function connectAs(url: string, user: NatsUser): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new DenoSocket() });
  const { servers } = settingsOf(url);
  const login = loginOf(user);
  return await NatsConnectionImpl.connect({
    servers: [...servers],
    reconnect: false,
    inboxPrefix: inboxPrefix(user),
    user: login.user,
    pass: login.password,
  });
}

/** What an administrator does once. */
export async function prepare(url: string, agents: readonly string[] = ["alice", "bob"]): Promise<void> {
  const link = await NatsLink.open(settingsOf(url, "admin"), "admin");
  try {
    await createShared(link);
    for (const agent of agents) await createInbox(link, agent);
  } finally {
    await link.close();
  }
}

/** Makes a machine send its messages through a NATS server. */
export async function useNats(machine: AgentMachine, url: string, access: AccessChange = {}): Promise<void> {
  await machine.write(".config/signet/agents.yaml", `transport: ${JSON.stringify(url)}\n`);
  storeAccess(machine.host, url, access);
}

/** Two machines at one NATS server: alice with Claude Code, bob with Codex. No daemon is there. */
export async function meetAtNats(options: NatsServerOptions = {}): Promise<Meeting & { nats: NatsServer }> {
  const nats = await NatsServer.start(options);
  if (!options.open) await prepare(nats.url);
  const laptop = await AgentMachine.make();
  const server = await AgentMachine.make();
  await laptop.connect("claude-code", { url: "http://127.0.0.1:1", agentId: "alice" });
  await server.connect("codex", { url: "http://127.0.0.1:1", agentId: "bob" });
  await useNats(laptop, nats.url, options.open ? {} : { login: loginOf("alice") });
  await useNats(server, nats.url, options.open ? {} : { login: loginOf("bob") });
  const claude = laptop.begin("claude-code", { agentId: "alice" });
  const codex = server.begin("codex", { agentId: "bob" });
  // The MCP server of a session says that it is there; so does any command.
  await laptop.run("inbox", "--as", "claude");
  await server.run("inbox", "--as", "codex");
  return {
    nats,
    laptop,
    server,
    claude,
    codex,
    async [Symbol.asyncDispose]() {
      await laptop[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await nats[Symbol.asyncDispose]();
    },
  };
}

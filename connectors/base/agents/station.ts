import { projectName } from "../../../hooks/agents/sessions/handle.ts";
import { rememberPeers } from "../../../hooks/agents/sessions/known_peers.ts";
import type { Sender } from "../../../hooks/agents/messages/message.ts";
import type { SessionId } from "../../../hooks/agents/sessions/session.ts";
import { wake } from "../../../hooks/agents/wake/wake.ts";
import type { DaemonClient } from "../../../hooks/daemon/client.ts";
import type { Caller } from "./peers/caller.ts";
import { DaemonTransport } from "./transport/daemon_transport.ts";
import type { LeaseStore } from "./locks/lease.ts";
import { LocalTransport } from "./transport/local_transport.ts";
import { localPeers, type Mesh } from "./mesh.ts";
import { NatsLeases } from "./nats/nats_leases.ts";
import type { NatsSettings } from "./nats/nats_settings.ts";
import { NatsTransport } from "./nats/nats_transport.ts";
import { Outbox } from "./transport/outbox.ts";
import { mergePeers } from "./peers/peer.ts";
import { Receiver } from "./transport/receiver.ts";
import type { Reached, RemoteTransport } from "./transport/transport.ts";

/** Who sends and receives, and the ways that messages take. */
export interface Station {
  readonly mesh: Mesh;
  readonly caller: Caller;
  /** The agent that acts; the daemon checks that the key is its own. */
  readonly agentId: string;
  readonly machine: string;
  readonly cwd: string;
  readonly local: LocalTransport;
  readonly outbox: Outbox;
  /** Where shared locks are exact; undefined where they are announced. */
  readonly leases?: LeaseStore;
  /** The way to other machines; undefined if no harness is connected to a daemon. */
  readonly remote?: {
    readonly url: string;
    readonly transport: RemoteTransport;
    readonly receiver: Receiver;
  };
}

export interface StationOptions {
  readonly mesh: Mesh;
  readonly caller: Caller;
  readonly agentId: string;
  readonly machine: string;
  readonly cwd: string;
  readonly client?: DaemonClient;
  /** Messages go through this server instead of the daemon. */
  readonly nats?: NatsSettings;
  log?(line: string): void;
}

export function openStation(options: StationOptions): Station {
  const { mesh, caller, agentId, machine, cwd, log } = options;
  const local = new LocalTransport(mesh, { wake });
  const outbox = new Outbox(mesh.dir);
  const { transport, leases } = remoteOf(options);
  if (transport === undefined) return { mesh, caller, agentId, machine, cwd, local, outbox };
  const { url } = transport;
  const receiver = new Receiver({
    // What comes through this agent's key is for this agent's sessions.
    local: new LocalTransport(mesh, { wake, agentId }),
    transport,
    outbox,
    leases,
    dir: mesh.dir,
    agentId,
    machine,
    log,
  });
  return { mesh, caller, agentId, machine, cwd, local, outbox, leases, remote: { url, transport, receiver } };
}

function remoteOf(options: StationOptions): { transport?: RemoteTransport; leases?: LeaseStore } {
  const { mesh, agentId, machine, client, nats } = options;
  if (nats === undefined) return { transport: client && new DaemonTransport(client) };
  const transport = new NatsTransport({
    settings: nats,
    agentId,
    machine,
    dir: mesh.dir,
    sessions: () => localPeers(mesh).filter((peer) => peer.agentId === agentId && peer.status !== "gone"),
  });
  return { transport, leases: new NatsLeases(transport) };
}

/** Where the caller's messages are. */
export function mailboxOf({ mesh, caller }: Pick<Station, "mesh" | "caller">): SessionId {
  return caller.kind === "session" ? caller.session : mesh.person;
}

/** The caller as the sender of a message. A person has no harness. */
export function senderOf({ mesh, caller, agentId, machine, cwd }: Station): Sender {
  if (caller.kind === "person") {
    return { agentId, session: mesh.person.key, machine, cwd: projectName(cwd) || undefined };
  }
  const { key, harness, project } = caller.session;
  return { agentId, session: key, harness, machine: caller.session.machine, cwd: projectName(project) };
}

/** Every session that can be written to, and why there may be more. */
export async function everyPeer(
  { mesh, agentId, local, remote }: Pick<Station, "mesh" | "agentId" | "local" | "remote">,
): Promise<Reached> {
  const [here, elsewhere] = await Promise.all([local.peers(), remote?.transport.peers()]);
  // A prompt that begins with a handle may have to do without the transport.
  if (elsewhere !== undefined && elsewhere.problem === undefined) {
    rememberPeers(mesh.dir, agentId, elsewhere.peers);
  }
  return { peers: mergePeers(here.peers, elsewhere?.peers ?? []), problem: elsewhere?.problem };
}

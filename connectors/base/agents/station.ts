import { projectName } from "../../../hooks/agents/handle.ts";
import type { Sender } from "../../../hooks/agents/message.ts";
import type { SessionId } from "../../../hooks/agents/session.ts";
import { wake } from "../../../hooks/agents/wake.ts";
import type { DaemonClient } from "../../../hooks/daemon/client.ts";
import type { Caller } from "./caller.ts";
import { DaemonTransport } from "./daemon_transport.ts";
import type { LeaseStore } from "./lease.ts";
import { LocalTransport } from "./local_transport.ts";
import type { Mesh } from "./mesh.ts";
import { Outbox } from "./outbox.ts";
import { mergePeers } from "./peer.ts";
import { Receiver } from "./receiver.ts";
import type { Reached } from "./transport.ts";

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
  /** Undefined if no harness is connected to a daemon. */
  readonly remote?: { readonly url: string; readonly daemon: DaemonTransport; readonly receiver: Receiver };
}

export interface StationOptions {
  readonly mesh: Mesh;
  readonly caller: Caller;
  readonly agentId: string;
  readonly machine: string;
  readonly cwd: string;
  readonly client?: DaemonClient;
  log?(line: string): void;
}

export function openStation(options: StationOptions): Station {
  const { mesh, caller, agentId, machine, cwd, client, log } = options;
  const local = new LocalTransport(mesh, { wake });
  const outbox = new Outbox(mesh.dir);
  if (client === undefined) return { mesh, caller, agentId, machine, cwd, local, outbox };
  const { url } = client;
  const daemon = new DaemonTransport(client);
  const receiver = new Receiver({
    // What comes through this agent's key is for this agent's sessions.
    local: new LocalTransport(mesh, { wake, agentId }),
    daemon,
    outbox,
    dir: mesh.dir,
    url,
    agentId,
    machine,
    log,
  });
  return { mesh, caller, agentId, machine, cwd, local, outbox, remote: { url, daemon, receiver } };
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
export async function everyPeer({ local, remote }: Pick<Station, "local" | "remote">): Promise<Reached> {
  const [here, elsewhere] = await Promise.all([local.peers(), remote?.daemon.peers()]);
  return { peers: mergePeers(here.peers, elsewhere?.peers ?? []), problem: elsewhere?.problem };
}

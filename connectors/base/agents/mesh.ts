import { agentsDir, makeAgentsDir } from "../../../hooks/agents/dir.ts";
import { Inbox } from "../../../hooks/agents/messages/inbox.ts";
import { machineName } from "../../../hooks/agents/machine.ts";
import { gatewayMailbox, personMailbox } from "../../../hooks/agents/messages/mailbox.ts";
import { AgentSessions, type ListedSession, type SessionId } from "../../../hooks/agents/sessions/session.ts";
import { HOST, type Surroundings } from "../../../hooks/state/paths.ts";
import { localPeer, type Peer } from "./peers/peer.ts";

/** The sessions and inboxes of this machine. */
export interface Mesh {
  readonly dir: string;
  readonly sessions: AgentSessions;
  readonly inbox: Inbox;
  /** Where answers to a person at a command line wait. */
  readonly person: SessionId;
  /** Where answers to the A2A gateway wait. */
  readonly gateway: SessionId;
}

/**
 * Opens the mesh, and with `make` creates its directory. Throws if the directory
 * belongs to somebody else or cannot be made.
 */
export function openMesh(host: Surroundings = HOST, make = false): Mesh {
  const dir = make || exists(agentsDir(host)) ? makeAgentsDir(host) : agentsDir(host) ?? "";
  return {
    dir,
    sessions: new AgentSessions(dir),
    inbox: new Inbox(dir),
    person: personMailbox(machineName(), dir),
    gateway: gatewayMailbox(machineName(), dir),
  };
}

/** The mailbox of this machine that no session owns and that has this key. */
export function mailboxWithKey({ person, gateway }: Mesh, key: string | undefined): SessionId | undefined {
  return [person, gateway].find((mailbox) => mailbox.key === key);
}

/** The sessions that are live on this machine. */
export function liveSessions(mesh: Mesh): ListedSession[] {
  return mesh.sessions.list().filter(({ gone }) => !gone);
}

/** Every session of this machine that has not ended, also those whose process is gone. */
export function localPeers(mesh: Mesh): Peer[] {
  return mesh.sessions.list().map((session) => {
    const { waiting, held } = mesh.inbox.count(session);
    return localPeer(session, waiting + held);
  });
}

function exists(path: string | undefined): boolean {
  try {
    return path !== undefined && Deno.lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

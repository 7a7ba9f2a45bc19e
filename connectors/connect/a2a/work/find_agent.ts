import { findSession, type Lookup, uniqueHandle } from "../../../base/agents/peers/lookup.ts";
import { localPeer, type Peer } from "../../../base/agents/peers/peer.ts";
import type { Known } from "../../../base/agents/messages/send.ts";
import { everyPeer, type Station } from "../../../base/agents/station.ts";

/** Whom a task is for. */
export type Found =
  | { readonly kind: "session"; readonly peer: Peer }
  | { readonly kind: "nobody"; readonly harness?: string; readonly agentId?: string }
  /** Nobody in particular; the text is for the client. */
  | { readonly kind: "unclear"; readonly why: string };

/**
 * Finds the agent that a handle names: on this machine first, which costs no
 * request. Without a handle it is the only live session.
 */
export async function findAgent(station: Station, handle: string, known: Known): Promise<Found> {
  // Without their unread messages: to count those, every inbox would be read for each task.
  const here = live(station.mesh.sessions.list().map((session) => localPeer(session, 0)));
  if (handle === "") return only(here);
  const local = findSession(here, handle, known);
  const isElsewhere = local.kind === "nobody" || local.kind === "unknown";
  if (!isElsewhere || station.remote === undefined) return found(local, here);
  const { peers } = await everyPeer(station);
  return found(findSession(live(peers), handle, known), live(peers));
}

function only(here: readonly Peer[]): Found {
  const [first, second] = here;
  if (first !== undefined && second === undefined) return { kind: "session", peer: first };
  return {
    kind: "unclear",
    why: first === undefined
      ? "No agent is live. Send the task to /agents/HANDLE."
      : `Several agents are live. Send the task to /agents/HANDLE, with one of ${handles(here, here)}.`,
  };
}

function found(lookup: Lookup<Peer>, all: readonly Peer[]): Found {
  switch (lookup.kind) {
    case "session":
      return { kind: "session", peer: lookup.session };
    case "nobody":
      return lookup;
    case "ambiguous":
      return { kind: "unclear", why: `Several agents have this handle: ${handles(lookup.candidates, all)}.` };
    case "unknown":
      return { kind: "unclear", why: "There is no such agent." };
  }
}

function live(peers: readonly Peer[]): Peer[] {
  return peers.filter(({ status }) => status !== "gone");
}

function handles(some: readonly Peer[], all: readonly Peer[]): string {
  return some.map((peer) => uniqueHandle(peer, all)).join(", ");
}

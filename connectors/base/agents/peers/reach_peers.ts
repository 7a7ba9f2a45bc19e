import { errorReason } from "../../fs/error_reason.ts";
import { mergePeers, type Peer } from "./peer.ts";
import { everyPeer, type Station } from "../station.ts";

/** The sessions that several stations reach. */
export interface Elsewhere {
  readonly peers: readonly Peer[];
  /** Why there may be more, in sentences. */
  readonly problems: readonly string[];
}

/** Looks for sessions at every daemon or server. Never throws: the agents of this machine are known without one. */
export async function reachPeers(stations: readonly Station[]): Promise<Elsewhere> {
  const reached = await Promise.all(stations.map((station) =>
    everyPeer(station).catch((error) => ({
      peers: [],
      problem: `Other machines cannot be reached: ${errorReason(error)}.`,
    }))
  ));
  return {
    // Two agents of one daemon see the same sessions.
    peers: reached.reduce<readonly Peer[]>((peers, each) => mergePeers(peers, each.peers), []),
    problems: [...new Set(reached.flatMap(({ problem }) => problem ?? []))],
  };
}

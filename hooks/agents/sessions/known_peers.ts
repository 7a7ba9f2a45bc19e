import { isObject } from "../../json.ts";
import { readStateObject, writeNote } from "../../state/state_file.ts";
import { fnv } from "../dir.ts";
import type { Peer } from "./presence.ts";

/** A session that nobody has heard of for a day has most likely ended. */
const KEPT_MS = 24 * 3600 * 1000;
const MAX_BYTES = 256 * 1024;
const MAX_PEERS = 500;

/** One agent may reach others than the next. */
function peersPath(dir: string, agentId: string): string {
  return `${dir}/peers/${fnv(agentId, 0x811c9dc5)}${fnv(agentId, 0x01000193)}.json`;
}

/** Notes which sessions an agent reaches on other machines, for when nobody can say. Never throws. */
export function rememberPeers(
  dir: string,
  agentId: string,
  peers: readonly Peer[],
  now: number = Date.now(),
): void {
  const kept = peers.slice(0, MAX_PEERS).map(({ key, harness, agentId, project }) => {
    return { key, harness, agentId, project };
  });
  try {
    // Without agents on this machine nobody asks for it.
    Deno.lstatSync(dir);
    writeNote(peersPath(dir, agentId), JSON.stringify({ v: 1, at: now, peers: kept }));
  } catch {
    // No directory; or the disk is full, and the older note does, too.
  }
}

/** The sessions on other machines as they were last heard of, within a day. */
export function knownPeers(dir: string, agentId: string, now: number = Date.now()): Peer[] {
  const note = readStateObject(peersPath(dir, agentId), MAX_BYTES);
  const age = now - (typeof note?.at === "number" ? note.at : 0);
  if (age > KEPT_MS || age < 0 || !Array.isArray(note?.peers)) return [];
  return note.peers.flatMap(parsePeer);
}

function parsePeer(value: unknown): Peer[] {
  if (!isObject(value)) return [];
  const { key, harness, agentId, project } = value;
  if (typeof key !== "string" || typeof harness !== "string" || typeof agentId !== "string") return [];
  return [{ key, harness, agentId, project: typeof project === "string" ? project : "" }];
}

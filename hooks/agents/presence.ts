import { isObject } from "../json.ts";
import type { Run } from "../run.ts";

/** A live session somewhere, as far as a handle needs it. */
export interface Peer {
  readonly key: string;
  readonly harness: string;
  readonly agentId: string;
  readonly project: string;
}

/** The sessions that the daemon knows, without this one; none if it does not answer. */
export async function presence(
  { client, deadline, settings }: Pick<Run, "client" | "deadline" | "settings">,
  own: string,
): Promise<Peer[]> {
  const path = `/api/cross-agent/presence?agent_id=${encodeURIComponent(settings.agentId)}&limit=200`;
  const reply = await client.request<unknown>("GET", path, undefined, { timeoutMs: deadline.left() / 2 });
  const sessions = reply.kind === "ok" && isObject(reply.body) ? reply.body.sessions : undefined;
  if (!Array.isArray(sessions)) return [];
  const peers: Peer[] = [];
  for (const session of sessions) {
    if (!isObject(session)) continue;
    const { sessionKey: key, harness, agentId, project } = session;
    if (typeof key !== "string" || typeof harness !== "string" || typeof agentId !== "string") continue;
    if (key !== own) {
      peers.push({ key, harness, agentId, project: typeof project === "string" ? project : "" });
    }
  }
  return peers;
}

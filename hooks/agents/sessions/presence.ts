import { isObject } from "../../json.ts";
import type { Run } from "../../run.ts";

/** A live session somewhere, as far as a handle needs it. */
export interface Peer {
  readonly key: string;
  readonly harness: string;
  readonly agentId: string;
  readonly project: string;
}

/** The sessions that the daemon knows, without this one; undefined if it does not answer. */
export async function presence(
  { client, deadline, settings, breaker }: Pick<Run, "client" | "deadline" | "settings" | "breaker">,
  own: string,
): Promise<Peer[] | undefined> {
  const path = `/api/cross-agent/presence?agent_id=${encodeURIComponent(settings.agentId)}&limit=200`;
  const timeoutMs = deadline.left() / 2;
  if (settings.problem !== undefined || breaker.skip(timeoutMs)) return undefined;
  const reply = await client.request<unknown>("GET", path, undefined, { timeoutMs });
  const sessions = reply.kind === "ok" && isObject(reply.body) ? reply.body.sessions : undefined;
  if (!Array.isArray(sessions)) return undefined;
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

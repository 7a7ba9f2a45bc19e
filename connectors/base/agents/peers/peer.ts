import type { AgentStatus, ListedSession, Wake } from "../../../../hooks/agents/sessions/session.ts";
import { isObject } from "../../../../hooks/json.ts";
import { records } from "../../memory/daemon.ts";
import type { Named } from "./lookup.ts";

/** A session that can be written to, on this machine or elsewhere. */
export interface Peer extends Named {
  /** On this machine; else it is known from the daemon alone. */
  readonly here: boolean;
  /** Only sessions on this machine tell what they do. */
  readonly status?: AgentStatus | "gone";
  /** Since when it has this status, in ms since 1970. */
  readonly since?: number;
  /** When a hook of it last ran. */
  readonly seenAt: number;
  readonly machine?: string;
  readonly tool?: string;
  readonly file?: string;
  readonly wake?: Wake;
  /** Messages that wait for it. */
  readonly unread?: number;
}

export function localPeer(session: ListedSession, unread: number): Peer {
  const { key, harness, agentId, project, machine, status, since, hookAt, gone, tool, file, wake } = session;
  return {
    key,
    harness,
    agentId,
    project,
    here: true,
    status: gone ? "gone" : status,
    since: gone ? hookAt : since,
    seenAt: hookAt,
    machine,
    tool,
    file,
    wake,
    unread,
  };
}

/** The sessions in an answer of `/api/cross-agent/presence`, from a daemon whose clock is `offsetMs` ahead. */
export function presentPeers(body: unknown, offsetMs = 0): Peer[] {
  return records(isObject(body) ? body.sessions : undefined).flatMap((entry) => {
    const { sessionKey, harness, agentId, project, lastSeenAt } = entry;
    if (typeof sessionKey !== "string" || typeof harness !== "string" || typeof agentId !== "string") {
      return [];
    }
    const seenAt = typeof lastSeenAt === "string" ? Date.parse(lastSeenAt) : NaN;
    return [{
      key: sessionKey,
      harness,
      agentId,
      project: typeof project === "string" ? project : "",
      here: false,
      seenAt: Number.isNaN(seenAt) ? 0 : seenAt - offsetMs,
    }];
  });
}

/** One entry per session: what this machine knows about a session is more than what the daemon knows. */
export function mergePeers(here: readonly Peer[], elsewhere: readonly Peer[]): Peer[] {
  const known = new Set(here.map(({ harness, key }) => `${harness} ${key}`));
  const others = elsewhere.filter(({ harness, key }) => !known.has(`${harness} ${key}`));
  return [...here, ...others].sort((a, b) => b.seenAt - a.seenAt);
}

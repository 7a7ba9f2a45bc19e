import type { AgentStatus } from "../../../../hooks/agents/sessions/session.ts";
import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import { isObject, parseObject } from "../../../../hooks/json.ts";
import { records } from "../../memory/daemon.ts";
import type { Peer } from "../peers/peer.ts";
import type { NatsLink } from "./link.ts";
import { agentOf, PRESENCE_BUCKET, token } from "./names.ts";

const STATUSES: readonly AgentStatus[] = ["starting", "working", "idle", "waiting"];

/** What a machine tells others about the sessions of one agent. Ages, not dates: clocks differ. */
export function presenceText(machine: string, sessions: readonly Peer[], now: number): string {
  return JSON.stringify({
    v: 1,
    machine,
    sessions: sessions.map(({ key, harness, project, status, since, seenAt }) => ({
      key,
      harness,
      project,
      status,
      sinceMs: since === undefined ? undefined : now - since,
      seenMs: now - seenAt,
    })),
  });
}

/** The sessions in a machine's text, which was written `ageMs` ago. The agent is the server's word. */
export function presentSessions(text: string, agentId: string, ageMs: number, now: number): Peer[] {
  const fields = parseObject(text);
  const machine = plain(fields?.machine);
  return records(fields?.sessions).flatMap((entry) => {
    const key = plain(entry.key);
    const harness = plain(entry.harness);
    if (key === undefined || harness === undefined) return [];
    const before = (ms: unknown) => now - ageMs - (typeof ms === "number" && ms >= 0 ? ms : 0);
    return [{
      key,
      harness,
      agentId,
      project: plain(entry.project) ?? "",
      here: false,
      status: STATUSES.find((status) => status === entry.status),
      since: entry.sinceMs === undefined ? undefined : before(entry.sinceMs),
      seenAt: before(entry.seenMs),
      machine,
    }];
  });
}

function plain(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= 4096 ? stripControls(value) : undefined;
}

/**
 * Tells others which sessions an agent has on this machine. Returns how far the
 * server's clock is ahead of this machine's, in ms.
 */
export async function announcePresence(
  link: NatsLink,
  agentId: string,
  place: string,
  text: string,
): Promise<number> {
  const bucket = await link.presence();
  const key = `${token(agentId)}.${place}`;
  const before = Date.now();
  await bucket.put(key, text);
  const after = Date.now();
  const entry = await bucket.get(key);
  return entry === null ? 0 : entry.created.getTime() - (before + after) / 2;
}

/** Every session at the server. */
export async function readPresence(link: NatsLink, offsetMs: number): Promise<Peer[]> {
  const { state } = await link.manager.streams.info(`KV_${PRESENCE_BUCKET}`, { subjects_filter: ">" });
  const bucket = await link.presence();
  const prefix = `$KV.${PRESENCE_BUCKET}.`;
  const keys = Object.keys(isObject(state.subjects) ? state.subjects : {}).map((name) =>
    name.slice(prefix.length)
  );
  const found = await Promise.all(keys.map(async (key) => {
    const entry = await bucket.get(key);
    const agentId = agentOf(key.split(".", 1)[0] ?? "");
    if (entry === null || entry.operation !== "PUT" || agentId === undefined) return [];
    const now = Date.now();
    const ageMs = Math.max(0, now + offsetMs - entry.created.getTime());
    return presentSessions(entry.string(), agentId, ageMs, now);
  }));
  return found.flat();
}

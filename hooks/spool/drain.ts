import { Backoff, type BackoffKind } from "./backoff.ts";
import { keyFor } from "../daemon/agent_keys.ts";
import { DaemonClient } from "../daemon/client.ts";
import { finishDrafts } from "./draft.ts";
import { DrainLock } from "./drain_lock.ts";
import { LiveSessions } from "../state/live_sessions.ts";
import { HOST, stateDir, type Surroundings } from "../state/paths.ts";
import { sendEntry } from "./send_entry.ts";
import type { Settings } from "../daemon/settings.ts";
import { sweepTemporary } from "./sweep_temporary.ts";
import { bindEntry, Spool, type SpoolEntry, type SpoolItem } from "./spool.ts";
import { verdict } from "./verdict.ts";

export interface DrainOptions {
  host?: Surroundings;
  now?: () => number;
  /** No new request starts after this long. */
  maxMs?: number;
  /** Send entries that are meant for another daemon to the one in the settings. */
  rebind?: boolean;
  /** How long to wait for another drain to finish. Default 0. */
  waitForLockMs?: number;
}

export interface DrainReport {
  sent: number;
  kept: number;
  rejected: number;
  /** Another process is draining the spool. */
  busy: boolean;
  /** Why events were kept. */
  reason?: string;
  /** The daemon stopped the drain, so a later try may succeed. */
  stopped: boolean;
  /** Some events are meant for another daemon. */
  elsewhere?: boolean;
  /** The agents whose events wait because their key is not on this machine. */
  withoutKey?: string[];
  /** No daemon answered. */
  offline?: boolean;
  /** How long the daemon asked to wait. */
  retryAfterMs?: number;
}

const DRAIN_MS = 120_000;
/** One event that the daemon cannot process must not stop the others; three in a row mean a broken daemon. */
const HELD_IN_A_ROW = 3;

/**
 * Sends the spooled events, oldest first, one process at a time. Used by `flush`,
 * by uninstall, and by the drains that hooks start.
 */
export async function drain(settings: Settings, options: DrainOptions = {}): Promise<DrainReport> {
  const report: DrainReport = { sent: 0, kept: 0, rejected: 0, busy: false, stopped: false };
  const dir = stateDir(settings.harness, options.host ?? HOST);
  if (dir === undefined) return report;
  const spool = new Spool(dir, options.now);
  const end = performance.now() + (options.maxMs ?? DRAIN_MS);
  const seen = new Set<string>();
  let fresh = !spool.isEmpty();
  while (fresh && !report.stopped && performance.now() < end) {
    const lock = await DrainLock.wait(dir, "drain.lock", options.waitForLockMs ?? 0);
    if (lock === undefined) {
      report.busy = true;
      break;
    }
    try {
      sweepTemporary(dir, options.now);
      await finishDrafts(spool);
      await pass(settings, options, dir, spool, seen, report, end);
    } finally {
      lock.release();
    }
    // A hook may have spooled an event while we held the lock: its drain found
    // the lock taken and exited.
    fresh = spool.list().some(({ name }) => !seen.has(name));
  }
  report.kept = spool.list().length;
  const reason = reasonKept(report);
  if (reason !== undefined) report.reason = reason;
  updateBackoff(new Backoff(dir, options.now), report);
  return report;
}

async function pass(
  settings: Settings,
  options: DrainOptions,
  dir: string,
  spool: Spool,
  seen: Set<string>,
  report: DrainReport,
  end: number,
): Promise<void> {
  const heldSessions = new Set<string>();
  const heldAgents = new Set<string>();
  let heldInARow = 0;
  const live = new LiveSessions(dir, options.now);
  for (const item of spool.list()) {
    if (performance.now() >= end) {
      report.reason = "the time limit was reached; the next drain continues";
      return;
    }
    seen.add(item.name);
    const stored = spool.read(item);
    if (stored === "gone") continue;
    if (stored === "newer") {
      report.reason ??= "a newer version of this program wrote some events";
      continue;
    }
    if (stored === "corrupt") {
      park(spool, item, "corrupt", report);
      continue;
    }
    const entry = bindEntry(stored, settings);
    if (entry.url !== settings.url && !options.rebind) {
      report.reason ??= `some events are meant for ${entry.url}`;
      report.elsewhere = true;
      continue;
    }
    const order = entry.sessionKey ?? entry.id;
    if (heldSessions.has(order) || heldAgents.has(entry.agentId)) continue;
    const key = keyFor(settings, entry);
    if (key === undefined) {
      heldAgents.add(entry.agentId);
      report.withoutKey = [...new Set([...report.withoutKey ?? [], entry.agentId])];
      continue;
    }
    const client = new DaemonClient({
      ...settings,
      ...key,
      harness: entry.harness,
      agentId: entry.agentId,
      runtimePath: entry.runtimePath,
    });
    const result = verdict(entry.kind, await sendEntry(client, entry, dir), settings.url);
    switch (result.do) {
      case "sent":
        if (entry.kind === "session-end") forgetSession(live, entry, item);
        spool.remove(item);
        report.sent++;
        heldInARow = 0;
        break;
      case "reject":
        park(spool, item, result.label, report, result.reason);
        break;
      case "hold agent":
        heldAgents.add(entry.agentId);
        report.reason = result.reason;
        break;
      case "hold session":
        heldSessions.add(order);
        report.reason = result.reason;
        if (++heldInARow < HELD_IN_A_ROW) break;
        report.stopped = true;
        return;
      case "stop":
        report.stopped = true;
        report.reason = result.reason;
        report.offline = result.offline;
        report.retryAfterMs = result.retryAfterMs;
        return;
    }
  }
}

/** The hook that spooled the end may have been killed before it could do this. */
function forgetSession(live: LiveSessions, { url, agentId, sessionKey: key }: SpoolEntry, item: SpoolItem) {
  if (key !== undefined) live.end({ url, agentId, key }, item.stamp);
}

/** Why events were kept, with the agents whose keys are missing. */
function reasonKept({ reason, withoutKey = [] }: DrainReport): string | undefined {
  const missing = withoutKey.map((id) =>
    `agent ${id} has no key here: run agent set ${id} --api-key-file FILE`
  );
  return [...missing, ...reason === undefined ? [] : [reason]].join("; ") || undefined;
}

function park(spool: Spool, item: SpoolItem, label: string, report: DrainReport, reason = label): void {
  spool.reject(item, label);
  report.rejected++;
  report.reason ??= reason;
}

function updateBackoff(backoff: Backoff, report: DrainReport): void {
  if (report.busy) return;
  const kind: BackoffKind = report.offline ? "offline" : report.stopped ? "busy" : "held";
  if (report.kept === 0) backoff.clear();
  else backoff.failed(kind, report.reason ?? "unknown", report.retryAfterMs);
}

import { parseObject } from "./json.ts";
import { Backoff } from "./spool/backoff.ts";
import { Breaker, type BreakerState } from "./daemon/breaker.ts";
import { EVENT_NAMES } from "./event.ts";
import { isRehearsal, logPath, type LogRecord } from "./log.ts";
import { HOST, stateDir, type Surroundings } from "./state/paths.ts";
import type { Settings } from "./daemon/settings.ts";
import type { DroppedEvents } from "./spool/dropped.ts";
import { Spool, SPOOL_CAPS, type SpoolCaps } from "./spool/spool.ts";
import { readState } from "./state/state_file.ts";

export interface EventReport {
  event: string;
  lastFired?: string;
  lastOutcome?: string;
  /** The cause, if the log has one. */
  lastDetail?: string;
  /** Of the recent calls, from the start of the process to the end of its work. */
  medianMs?: number;
  count: number;
}

export interface SpoolReport {
  depth: number;
  bytes: number;
  /** Age of the oldest event; undefined if there is none. */
  oldestMs?: number;
  caps: SpoolCaps;
  rejected: number;
  rejectedDir: string;
  /** Events that the limits cost since the last flush. */
  dropped: DroppedEvents[];
  /** When the next automatic drain is due, and why it waits. */
  retryInMs?: number;
  waitingFor?: string;
}

/** What `status` shows of the hooks. */
export interface HookReport {
  events: EventReport[];
  spool: SpoolReport;
  breaker: BreakerState;
  log: string;
}

/** How many calls the median covers. */
const RECENT = 50;

/** Undefined if there is no state directory. */
export function hookReport(
  settings: Settings,
  host: Surroundings = HOST,
  now: () => number = Date.now,
): HookReport | undefined {
  const dir = stateDir(settings.harness, host);
  if (dir === undefined) return undefined;
  return {
    events: eventReports(readLog(dir)),
    spool: spoolReport(dir, now),
    breaker: new Breaker(dir, settings.url, now).state(),
    log: logPath(dir),
  };
}

function spoolReport(dir: string, now: () => number): SpoolReport {
  const spool = new Spool(dir, now);
  const items = spool.list();
  const [oldest] = items;
  const { waitMs, reason } = new Backoff(dir, now).read();
  return {
    depth: items.length,
    bytes: items.reduce((sum, item) => sum + item.bytes, 0),
    oldestMs: oldest === undefined ? undefined : Math.max(0, now() - oldest.stamp),
    caps: SPOOL_CAPS,
    rejected: spool.rejectedCount(),
    rejectedDir: spool.rejectedDir,
    dropped: spool.dropped.read(),
    retryInMs: items.length > 0 && waitMs > 0 ? waitMs : undefined,
    waitingFor: items.length > 0 ? reason : undefined,
  };
}

/** The log's lines, oldest first; malformed lines are skipped. */
export function readLog(dir: string): LogRecord[] {
  const path = logPath(dir);
  const text = (readState(`${path}.1`) ?? "") + (readState(path) ?? "");
  const records: LogRecord[] = [];
  for (const line of text.split("\n")) {
    const fields = parseObject(line);
    if (fields === undefined) continue;
    const { at, event, outcome, ms, status, chars, session, detail } = fields;
    if (typeof at !== "string" || typeof event !== "string" || typeof outcome !== "string") continue;
    records.push({
      at,
      event,
      outcome,
      ms: typeof ms === "number" ? ms : 0,
      status: typeof status === "number" ? status : undefined,
      chars: typeof chars === "number" ? chars : undefined,
      session: typeof session === "string" ? session : undefined,
      detail: typeof detail === "string" ? detail : undefined,
    });
  }
  return records;
}

/**
 * One row per event, in the order of a session, including events that never fired.
 * Only hooks that a harness ran count: doctor's rehearsals prove nothing about it.
 */
export function eventReports(records: readonly LogRecord[]): EventReport[] {
  const real = records.filter((record) => !isRehearsal(record));
  return EVENT_NAMES.map((event) => {
    const calls = real.filter((record) => record.event === event);
    const last = calls.at(-1);
    return {
      event,
      lastFired: last?.at,
      lastOutcome: last?.outcome,
      lastDetail: last?.detail,
      medianMs: median(calls.slice(-RECENT).map(({ ms }) => ms)),
      count: calls.length,
    };
  });
}

function median(values: number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

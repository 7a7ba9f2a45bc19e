import { drain, type DrainOptions, type DrainReport } from "./drain.ts";
import type { DroppedEvents } from "./dropped.ts";
import { HOST, stateDir } from "../state/paths.ts";
import { Spool } from "./spool.ts";
import type { Settings } from "../daemon/settings.ts";

export interface FlushReport extends DrainReport {
  /** Events that the limits cost since the last flush. */
  dropped: DroppedEvents[];
}

/** The `flush` command: ignores the breaker and the back-off, and waits for a drain that is running. */
export async function flush(settings: Settings, options: DrainOptions = {}): Promise<FlushReport> {
  const report = await drain(settings, { waitForLockMs: 10_000, ...options });
  const dir = stateDir(settings.harness, options.host ?? HOST);
  const spool = dir === undefined ? undefined : new Spool(dir);
  const dropped = spool?.dropped.read() ?? [];
  spool?.dropped.clear();
  return { ...report, dropped };
}

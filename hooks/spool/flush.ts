import { drain, type DrainOptions, type DrainReport } from "./drain.ts";
import type { DroppedEvents } from "./dropped.ts";
import { Spool } from "./spool.ts";
import type { Settings } from "../daemon/settings.ts";
import type { HookProfile } from "../profile.ts";
import { HOST, stateDir } from "../state/paths.ts";
import { sweep } from "../sweep/sweep.ts";

export interface FlushOptions extends DrainOptions {
  /** Look for sessions of this harness that have no end. */
  profile?: HookProfile;
}

export interface FlushReport extends DrainReport {
  /** Events that the limits cost since the last flush. */
  dropped: DroppedEvents[];
}

/** The `flush` command: ignores the breaker and the back-off, and waits for a drain that is running. */
export async function flush(settings: Settings, options: FlushOptions = {}): Promise<FlushReport> {
  const { profile, ...drainOptions } = options;
  const dir = stateDir(settings.harness, options.host ?? HOST);
  if (profile !== undefined && dir !== undefined) await sweep(profile, settings, dir, options);
  const report = await drain(settings, { waitForLockMs: 10_000, ...drainOptions });
  const spool = dir === undefined ? undefined : new Spool(dir);
  const dropped = spool?.dropped.read() ?? [];
  spool?.dropped.clear();
  return { ...report, dropped };
}

import { drain, type DrainOptions, type DrainReport } from "./drain.ts";
import type { Settings } from "../daemon/settings.ts";

/** The `flush` command: ignores the breaker and the back-off, and waits for a drain that is running. */
export function flush(settings: Settings, options: DrainOptions = {}): Promise<DrainReport> {
  return drain(settings, { waitForLockMs: 10_000, ...options });
}

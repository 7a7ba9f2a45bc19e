import { Backoff } from "./backoff.ts";
import { Breaker } from "../daemon/breaker.ts";
import { drainBegins } from "./detach.ts";
import { drain, type DrainReport } from "./drain.ts";
import { DrainLock } from "./drain_lock.ts";
import { appendLog } from "../log.ts";
import { isDirectory, stateDir } from "../state/paths.ts";
import { SessionNotes } from "../state/session_notes.ts";
import { loadSettings } from "../daemon/settings.ts";

/** A daemon that restarts is back within this; longer, the next hook takes over. */
const MAX_WAIT_MS = 60_000;
const LEAST_PAUSE_MS = 2_000;
/** Whatever happens, a drain does not outlive this. */
const MAX_LIFE_MS = 240_000;

/** The detached process behind a session-end: delivers, waits a little for a daemon that is away, ends. */
export async function drainMain(harness: string): Promise<void> {
  setTimeout(() => Deno.exit(0), MAX_LIFE_MS);
  const dir = stateDir(harness);
  if (dir === undefined) return;
  drainBegins(dir);
  const settings = loadSettings(harness);
  const backoff = new Backoff(dir);
  const breaker = new Breaker(dir, settings.url);
  let waited = 0;
  let waiter: DrainLock | undefined;
  let report: DrainReport | undefined;
  while (true) {
    const { kind, waitMs } = backoff.read();
    const asked = Math.max(breaker.state().leftMs, kind === "held" ? 0 : waitMs);
    // Where no note can be kept (a full disk) a failed try must still not follow upon another.
    const pause = report === undefined ? asked : Math.max(LEAST_PAUSE_MS, asked);
    if (pause > 0) {
      // At most one process waits, and it holds no lock that a deliverer needs.
      waiter ??= DrainLock.take(dir, "drain.waiter");
      waited += pause;
      if (waiter === undefined || waited > MAX_WAIT_MS) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    report = await drain(settings);
    if (!report.stopped) break;
  }
  // An uninstall removes the directory; a drain that outlives it must not bring it back.
  if (report !== undefined && !report.busy && isDirectory(dir)) {
    appendLog(dir, {
      at: new Date().toISOString(),
      event: "drain",
      outcome: report.stopped ? "waiting" : report.kept > 0 ? "kept" : "delivered",
      ms: Math.round(performance.now()),
      detail: `sent ${report.sent}, kept ${report.kept}, rejected ${report.rejected}` +
        (report.reason === undefined ? "" : `: ${report.reason}`),
    });
  }
  new SessionNotes(dir, settings.url, settings.agentId).prune();
}

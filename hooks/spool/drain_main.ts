import { Backoff } from "./backoff.ts";
import { Breaker } from "../daemon/breaker.ts";
import { drainBegins } from "./detach.ts";
import { drain, type DrainReport } from "./drain.ts";
import { DrainLock } from "./drain_lock.ts";
import { appendLog } from "../log.ts";
import type { HookProfile } from "../profile.ts";
import { sweep } from "../sweep/sweep.ts";
import { Spool } from "./spool.ts";
import { pruneKept } from "../transcript/kept.ts";
import { stateDir } from "../state/paths.ts";
import { neverCreate } from "../state/state_file.ts";
import { SessionNotes } from "../state/session_notes.ts";
import { loadSettings } from "../daemon/settings.ts";

/** Long enough for a daemon to restart; after that, the next hook starts a new drain. */
const MAX_WAIT_MS = 60_000;
const MIN_PAUSE_MS = 2_000;
/** The longest life of a drain process. */
const MAX_LIFE_MS = 240_000;

/**
 * The detached process that a hook starts: looks for sessions without an end,
 * sends the spool, and waits a while for an offline daemon.
 */
export async function drainMain(profile: HookProfile): Promise<void> {
  const harness = profile.id;
  setTimeout(() => Deno.exit(0), MAX_LIFE_MS);
  const dir = stateDir(harness);
  if (dir === undefined) return;
  neverCreate(dir);
  drainBegins(dir);
  const settings = loadSettings(harness);
  const swept = await sweep(profile, settings, dir);
  if (swept.ended + swept.checkpoints > 0) {
    appendLog(dir, {
      at: new Date().toISOString(),
      event: "sweep",
      outcome: "ok",
      ms: Math.round(performance.now()),
      detail: `ended ${swept.ended}, checkpoints ${swept.checkpoints}`,
    });
  }
  const backoff = new Backoff(dir);
  const breaker = new Breaker(dir, settings.url);
  let waited = 0;
  let waiter: DrainLock | undefined;
  let report: DrainReport | undefined;
  while (!new Spool(dir).isEmpty()) {
    const { kind, waitMs } = backoff.read();
    const required = Math.max(breaker.state().leftMs, kind === "held" ? 0 : waitMs);
    // On a full disk there is no back-off file, and failed tries still need a pause between them.
    const pause = report === undefined ? required : Math.max(MIN_PAUSE_MS, required);
    if (pause > 0) {
      // At most one process waits, and it does not hold the drain lock.
      waiter ??= DrainLock.take(dir, "drain.waiter");
      waited += pause;
      if (waiter === undefined || waited > MAX_WAIT_MS) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    report = await drain(settings);
    if (!report.stopped) break;
  }
  if (report !== undefined && !report.busy) {
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
  pruneKept(dir, Date.now());
}

import { combinePlans } from "../../install/plan/plan.ts";
import { planInstall } from "../../install/plan/plan_install.ts";
import { configDir, home, join, stateDir } from "../../../../hooks/state/paths.ts";
import { flush } from "../../../../hooks/spool/flush.ts";
import { loadSettings } from "../../../../hooks/daemon/settings.ts";
import { readLedger } from "../../install/ledger/ledger.ts";
import { realOs } from "../../fs/os.ts";
import { showPlan } from "../../install/plan/show_plan.ts";
import { ownedAt } from "../../sync/owned.ts";
import { type SyncJob, syncJob } from "../../sync/sync_job.ts";

import { planSync } from "../../sync/plan_sync.ts";
import { stopSignal } from "../../sync/stop_signal.ts";
import { syncOnce, type SyncReport } from "../../sync/sync_once.ts";
import { watch } from "../../sync/watch.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { installedSite } from "../installed_site.ts";
import { notConnected, writeSyncService } from "../install/write_sync_service.ts";

/** A sync need not wait long for a daemon that does not answer. */
const DELIVER_MS = 10_000;
/** How often a watch looks for sessions without an end. */
const DELIVER_EVERY_MS = 10 * 60 * 1000;

/** Updates the identity files and skill links of installed harnesses, once or continuously. */
export async function run(context: Context): Promise<Outcome> {
  const { flags } = context;
  const jobs = await installedJobs(context);
  if (flags.on("service")) return await writeSyncService(context, jobs);
  if (flags.on("dry-run")) return await dryRun(context, jobs);
  if (flags.on("watch")) return await keepWatching(context);
  if (jobs.length === 0) throw notConnected(context);
  const reports: SyncReport[] = [];
  for (const job of jobs) {
    const report = await syncOnce(job);
    reports.push(report);
    printReport(context, report);
    await deliver(context, job.harness);
  }
  return { code: EXIT.ok, data: reports.length === 1 ? reports[0] : reports };
}

/** Ends sessions that were killed, and delivers what waits; a problem is for `status` to report. */
async function deliver({ known, host }: Context, id: string): Promise<void> {
  const profile = known.find((harness) => harness.id === id);
  if (profile === undefined) return;
  await flush(loadSettings(id, host), { host, profile, maxMs: DELIVER_MS, waitForLockMs: 0 });
}

/** The jobs of the named harnesses, or of all, as far as they are installed. */
async function installedJobs(context: Context): Promise<SyncJob[]> {
  const jobs: SyncJob[] = [];
  for (const harness of context.harnesses.length > 0 ? context.harnesses : context.known) {
    const dir = stateDir(harness.id, context.host);
    if (dir !== undefined && (await readLedger(realOs, dir)).kind === "ok") {
      jobs.push(syncJob(harness, await installedSite(context, harness), dir));
    }
  }
  return jobs;
}

function nameOf({ known, ui }: Context, id: string): string {
  return ui.bold(known.find((harness) => harness.id === id)?.displayName ?? id);
}

function printReport(context: Context, { harness, changes, warnings, notes }: SyncReport): void {
  const { ui } = context;
  const name = nameOf(context, harness);
  ui.ok(changes.length === 0 ? `${name} is up to date` : `Updated ${name}`);
  for (const { kind, path } of changes) {
    ui.next(kind === "keep" ? `your changes were kept as ${ui.path(path)}` : ui.path(path));
  }
  for (const warning of warnings) ui.warn(warning);
  for (const note of notes) ui.next(note);
}

async function dryRun({ ui, host }: Context, jobs: readonly SyncJob[]): Promise<Outcome> {
  const plans = [];
  for (const job of jobs) {
    const { targets, drop } = await planSync(job, await ownedAt(job.stateDir));
    const { harness, stateDir } = job;
    plans.push(await planInstall(realOs, { harness, stateDir, targets, drop, partial: true }));
  }
  const plan = combinePlans(...plans);
  ui.block(showPlan(plan, { color: ui.color, home: host.env("HOME") ?? "" }));
  ui.ok("Nothing was written: this was a dry run");
  return {
    code: EXIT.ok,
    data: { dryRun: true, changes: plan.changes.map(({ kind, path }) => ({ kind, path })) },
  };
}

async function keepWatching(context: Context): Promise<Outcome> {
  const { ui, host } = context;
  using stop = stopSignal();
  const base = home(host);
  const config = configDir(host);
  let syncs = 0;
  let changes = 0;
  const printed = new Set<string>();
  const deliveries = setInterval(async () => {
    for (const { harness } of await installedJobs(context)) await deliver(context, harness);
  }, DELIVER_EVERY_MS);
  await watch({
    jobs: () => installedJobs(context),
    // Places where a workspace may appear or be configured later, and what an install writes.
    also: [
      ...(base === undefined ? [] : [join(host, base, ".agents")]),
      ...(config === undefined ? [] : [join(host, config, "workspace.json")]),
      ...context.known.flatMap(({ id }) => stateDir(id, host) ?? []).map((dir) =>
        join(host, dir, "ledger.json")
      ),
    ],
    signal: stop.signal,
    onSync(reports) {
      if (syncs++ === 0) ui.ok("Watching the workspace. Press Ctrl-C to stop.");
      for (const report of reports) {
        changes += report.changes.length;
        // A persistent warning is printed once, not on every change.
        const fresh = (text: string) => !printed.has(text) && printed.add(text);
        const warnings = report.warnings.filter(fresh);
        const notes = report.notes.filter(fresh);
        if (report.changes.length + warnings.length + notes.length > 0) {
          printReport(context, { ...report, warnings, notes });
        }
      }
    },
    onTrouble: (sentence) => ui.warn(sentence),
  });
  clearInterval(deliveries);
  ui.ok("Stopped watching");
  return { code: stop.exitCode, data: { syncs, changes } };
}

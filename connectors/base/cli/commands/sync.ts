import { configDir, home, join, stateDir } from "../../../../hooks/state/paths.ts";
import { applyPlan } from "../../install/apply.ts";
import { readLedger } from "../../install/ledger.ts";
import { realOs } from "../../fs/os.ts";
import { combinePlans } from "../../install/plan.ts";
import { planInstall } from "../../install/plan_install.ts";
import { showPlan } from "../../install/show_plan.ts";
import { ownedAt } from "../../sync/owned.ts";
import { type SyncJob, syncJob } from "../../sync/sync_job.ts";
import type { SyncReport } from "../../sync/sync_once.ts";
import { planSync } from "../../sync/plan_sync.ts";
import { syncService, watchArgv } from "../../sync/service.ts";
import { stopSignal } from "../../sync/stop_signal.ts";
import { syncOnce } from "../../sync/sync_once.ts";
import { watch } from "../../sync/watch.ts";
import { type Context, EXIT, type Outcome, UserError } from "../command.ts";
import { confirm } from "../confirm.ts";
import { installedSite } from "../installed_site.ts";

/** Brings the identity files and skill links of installed harnesses up to date: once, or as long as it runs. */
export async function run(context: Context): Promise<Outcome> {
  const { flags } = context;
  const jobs = await installedJobs(context);
  if (flags.on("service")) return await writeService(context, jobs);
  if (flags.on("dry-run")) return await dryRun(context, jobs);
  if (flags.on("watch")) return await keepWatching(context);
  if (jobs.length === 0) throw notInstalled(context);
  const reports: SyncReport[] = [];
  for (const job of jobs) {
    const report = await syncOnce(job);
    reports.push(report);
    tell(context, report);
  }
  return { code: EXIT.ok, data: reports.length === 1 ? reports[0] : reports };
}

/** The named harnesses that are installed, or all that are. */
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

function notInstalled({ harnesses, binary, known }: Context): UserError {
  const names = harnesses.map(({ displayName }) => displayName).join(", ") || "No harness";
  const which = known.length > 1 ? ` ${harnesses.map(({ id }) => id).join(" ") || "--all"}` : "";
  return new UserError(
    `${names} is not connected, so there is nothing to sync.`,
    EXIT.failed,
    `${binary} install${which} --url URL --api-key-file FILE`,
  );
}

function nameOf({ known, ui }: Context, id: string): string {
  return ui.bold(known.find((harness) => harness.id === id)?.displayName ?? id);
}

function tell(context: Context, { harness, changes, warnings, notes }: SyncReport): void {
  const { ui } = context;
  const name = nameOf(context, harness);
  ui.ok(changes.length === 0 ? `${name} is up to date` : `Brought ${name} up to date`);
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
  const told = new Set<string>();
  await watch({
    jobs: () => installedJobs(context),
    // Where a workspace may turn up, or be named, later; and what an install writes.
    also: [
      ...(base === undefined ? [] : [join(host, base, ".agents")]),
      ...(config === undefined ? [] : [join(host, config, "workspace.json")]),
      ...context.known.flatMap(({ id }) => stateDir(id, host) ?? []).map((dir) =>
        join(host, dir, "ledger.json")
      ),
    ],
    signal: stop.signal,
    onSync(reports) {
      if (syncs++ === 0) ui.ok("Watching the workspace; Ctrl-C stops it");
      for (const report of reports) {
        changes += report.changes.length;
        // A warning that stays true is said once, not at every change.
        const fresh = (text: string) => !told.has(text) && told.add(text);
        const warnings = report.warnings.filter(fresh);
        const notes = report.notes.filter(fresh);
        if (report.changes.length + warnings.length + notes.length > 0) {
          tell(context, { ...report, warnings, notes });
        }
      }
    },
    onTrouble: (sentence) => ui.warn(sentence),
  });
  ui.ok("Stopped watching");
  return { code: EXIT.ok, data: { syncs, changes } };
}

/** Shows the service's files, writes them into the first harness's record, and says how to start it. */
async function writeService(context: Context, jobs: readonly SyncJob[]): Promise<Outcome> {
  const { ui, host, flags, binary, known } = context;
  const [first] = jobs;
  const harness = known.find(({ id }) => id === first?.harness);
  if (first === undefined || harness === undefined) throw notInstalled(context);
  const program = (await installedSite(context, harness)).argv()[0] ?? binary;
  const service = syncService({ binary, argv: watchArgv(program), host });
  if (service === undefined) {
    throw new UserError(
      "This system has neither systemd nor launchd.",
      EXIT.failed,
      `Have ${binary} sync --watch started when you log in.`,
    );
  }
  const plan = await planInstall(realOs, {
    harness: first.harness,
    stateDir: first.stateDir,
    targets: service.targets,
    partial: true,
  });
  if (plan.problems.length > 0) {
    throw new UserError(plan.problems.join("\n  "), EXIT.file, "Nothing was written.");
  }
  ui.block(showPlan(plan, { color: ui.color, home: host.env("HOME") ?? "" }));
  const paths = plan.changes.map(({ path }) => path);
  if (flags.on("dry-run")) {
    ui.ok("Nothing was written: this was a dry run");
    return {
      code: EXIT.ok,
      data: { dryRun: true, changes: plan.changes.map(({ kind, path }) => ({ kind, path })) },
    };
  }
  if (paths.length > 0 && ui.interactive && !flags.on("yes") && !await confirm(ui, "Write this service?")) {
    throw new UserError("Nothing was written.", EXIT.failed);
  }
  const applied = await applyPlan(realOs, plan);
  for (const warning of applied.warnings) ui.warn(warning);
  ui.ok(
    paths.length > 0 ? "Wrote a service that keeps identity files current" : "The service is there already",
  );
  ui.next(`To start it now, run: ${ui.bold(service.start)}`);
  ui.next(`Before an uninstall, which removes it, run: ${ui.bold(service.stop)}`);
  return { code: EXIT.ok, data: { filesWritten: paths, start: service.start, stop: service.stop } };
}

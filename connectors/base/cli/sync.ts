import { configDir, home, join, stateDir } from "../../../hooks/paths.ts";
import { applyPlan } from "../apply.ts";
import type { Harness } from "../harness.ts";
import { recordedProgram, thisProcess } from "../installed_program.ts";
import { realOs } from "../os.ts";
import { planInstall } from "../plan_install.ts";
import { showPlan } from "../show.ts";
import { type SyncJob, syncJob, type SyncReport } from "../sync/job.ts";
import { syncService } from "../sync/service.ts";
import { stopSignal } from "../sync/stop_signal.ts";
import { syncOnce } from "../sync/sync_once.ts";
import { watch } from "../sync/watch.ts";
import { type Context, EXIT, type Outcome, UserError } from "./command.ts";
import { installedSite } from "./site_of.ts";

/** The harnesses of this call that are installed; there is nothing to sync for others. */
async function installed({ harnesses, known, host }: Context): Promise<Harness[]> {
  const found: Harness[] = [];
  for (const harness of harnesses.length ? harnesses : known) {
    if (await recordedProgram(harness.id, host) !== undefined) found.push(harness);
  }
  return found;
}

async function jobOf(context: Context, harness: Harness): Promise<SyncJob | undefined> {
  const dir = stateDir(harness.id, context.host);
  const site = await installedSite(context, harness);
  return dir === undefined ? undefined : syncJob(harness, site, dir);
}

/** Brings identity files and skill links up to date, once or as long as it runs. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, ui, binary } = context;
  const harnesses = await installed(context);
  if (harnesses.length === 0) {
    throw new UserError(
      "Nothing is connected, so there is nothing to sync.",
      EXIT.failed,
      `${binary} install --url URL`,
    );
  }
  if (flags.on("service")) return await service(context, harnesses);
  if (flags.on("watch")) return await follow(context, harnesses);
  const reports: SyncReport[] = [];
  for (const harness of harnesses) {
    const job = await jobOf(context, harness);
    if (job === undefined) continue;
    const report = await syncOnce(job);
    reports.push(report);
    tell(context, harness.displayName, report);
  }
  return { code: EXIT.ok, data: reports.length === 1 ? reports[0] : reports };
}

function tell({ ui }: Context, name: string, { changes, warnings, notes }: SyncReport): void {
  ui.ok(changes.length === 0 ? `${ui.bold(name)} is up to date` : `Brought ${ui.bold(name)} up to date`);
  for (const { kind, path } of changes) {
    ui.next(kind === "keep" ? `your changes were kept as ${ui.path(path)}` : ui.path(path));
  }
  for (const warning of warnings) ui.warn(warning);
  for (const note of notes) ui.next(note);
}

async function follow(context: Context, harnesses: readonly Harness[]): Promise<Outcome> {
  const { ui, host } = context;
  using stop = stopSignal();
  ui.ok(
    `Following the workspace for ${
      harnesses.map(({ displayName }) => displayName).join(", ")
    }; Ctrl-C ends it`,
  );
  const base = home(host);
  const config = configDir(host);
  await watch({
    async jobs() {
      const found = await Promise.all(harnesses.map((harness) => jobOf(context, harness)));
      return found.filter((job) => job !== undefined);
    },
    also: [
      ...base ? [join(host, base, ".agents")] : [],
      ...config ? [join(host, config, "workspace.json")] : [],
    ],
    signal: stop.signal,
    onSync(reports) {
      for (const report of reports) if (report.changes.length > 0) tell(context, report.harness, report);
    },
    onTrouble: (sentence) => ui.warn(sentence),
  });
  return { code: EXIT.ok, data: { stopped: true } };
}

/** Writes a user service that keeps following; uninstall takes it away with the rest. */
async function service(context: Context, harnesses: readonly Harness[]): Promise<Outcome> {
  const { ui, host, binary, flags } = context;
  const [first] = harnesses;
  const dir = first && stateDir(first.id, host);
  const program = first && await recordedProgram(first.id, host) || thisProcess().execPath;
  const made = syncService({ binary, argv: [program, "sync", "--watch", "--quiet"], host });
  if (!made || !first || !dir) {
    throw new UserError(
      "This system has neither systemd nor launchd.",
      EXIT.failed,
      `${binary} sync --watch`,
    );
  }
  const plan = await planInstall(realOs, {
    harness: first.id,
    stateDir: dir,
    targets: made.targets,
    partial: true,
  });
  ui.block(showPlan(plan, { color: ui.color, home: host.env("HOME") ?? "" }));
  if (flags.on("dry-run")) return { code: EXIT.ok, data: { dryRun: true, start: made.start } };
  await applyPlan(realOs, plan);
  ui.ok("The service is written");
  ui.next(`To start it, run: ${ui.bold(made.start)}`);
  ui.next(`Before uninstall, stop it: ${made.stop}`);
  return {
    code: EXIT.ok,
    data: { files: made.targets.map(({ path }) => path), start: made.start, stop: made.stop },
  };
}

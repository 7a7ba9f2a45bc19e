import { realOs } from "../../fs/os.ts";
import { applyPlan } from "../../install/apply/apply.ts";
import { planInstall } from "../../install/plan/plan_install.ts";
import { showPlan } from "../../install/plan/show_plan.ts";
import type { SyncJob } from "../../sync/sync_job.ts";
import { CONNECT_BINARY } from "../../hooks_config/hook_command.ts";
import { installedPlace, thisProcess } from "../../programs/installed_program.ts";
import { calledPath } from "../../programs/program_place.ts";
import { syncService, watchArgv } from "../../sync/service.ts";
import { type Context, EXIT, type Outcome, UserError } from "../command.ts";
import { confirm } from "../output/confirm.ts";

/** Shows the service's files, writes them, records them in the first harness's ledger, and says how to start it. */
export async function writeSyncService(context: Context, jobs: readonly SyncJob[]): Promise<Outcome> {
  const { ui, host, flags, binary, known } = context;
  const [first] = jobs;
  const harness = known.find(({ id }) => id === first?.harness);
  if (first === undefined || harness === undefined) throw notConnected(context);
  const place = await installedPlace(harness, { binary, host, running: thisProcess() });
  // signet-connect syncs all harnesses; a link to it, only its own.
  const program = binary === CONNECT_BINARY ? place.path : calledPath(place);
  const service = syncService({ binary, argv: watchArgv(program), host });
  if (service === undefined) {
    throw new UserError(
      "This system has neither systemd nor launchd.",
      EXIT.failed,
      `Start ${binary} sync --watch yourself when you log in.`,
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
    paths.length > 0
      ? "Wrote a service that keeps identity files up to date"
      : "The service is already installed",
  );
  ui.next(`To start it now, run: ${ui.bold(service.start)}`);
  ui.next(`Before you uninstall, stop it with: ${ui.bold(service.stop)}`);
  return { code: EXIT.ok, data: { filesWritten: paths, start: service.start, stop: service.stop } };
}

/** The error if there is no connected harness to sync. */
export function notConnected({ harnesses, binary, known }: Context): UserError {
  const names = harnesses.map(({ displayName }) => displayName).join(", ") || "No harness";
  const which = known.length > 1 ? ` ${harnesses.map(({ id }) => id).join(" ") || "--all"}` : "";
  return new UserError(
    `${names} is not connected, so there is nothing to sync.`,
    EXIT.failed,
    `${binary} install${which} --url URL --api-key-file FILE`,
  );
}

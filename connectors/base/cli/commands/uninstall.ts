import { flush } from "../../../../hooks/spool/flush.ts";
import { credentialsPath, stateDir } from "../../../../hooks/state/paths.ts";
import { loadSettings } from "../../../../hooks/daemon/settings.ts";
import { clearAgents, configAfter } from "../../agents/clear_agents.ts";
import { applyPlan } from "../../install/apply/apply.ts";
import type { Harness } from "../../harness.ts";
import { openSessions } from "../../install/open_sessions.ts";
import { markedTargets } from "../../install/targets.ts";
import { installedPlace, thisProcess } from "../../programs/installed_program.ts";
import { realOs } from "../../fs/os.ts";
import { combinePlans, type Plan } from "../../install/plan/plan.ts";
import { planUninstall } from "../../install/plan/plan_uninstall.ts";
import { showPlan } from "../../install/plan/show_plan.ts";
import { stopSignal } from "../../sync/stop_signal.ts";
import { clearState } from "../../install/clear_state.ts";
import { age } from "../output/age.ts";
import { type Context, EXIT, type Outcome, UserError } from "../command.ts";
import { confirm } from "../output/confirm.ts";
import { selectedHarnesses } from "../selected_harnesses.ts";

async function plan(
  context: Context,
  harness: Harness,
  dir: string,
  leaving: readonly string[],
): Promise<Plan> {
  const { host, flags, binary } = context;
  const place = await installedPlace(harness, { binary, host, running: thisProcess() });
  const secret = credentialsPath(harness.id, host);
  const keep = flags.on("keep-credentials") && secret !== undefined ? [secret] : [];
  return await planUninstall(realOs, {
    harness: harness.id,
    stateDir: dir,
    targets: [],
    marks: () => markedTargets(harness, host, place),
    keep,
    leaving,
  });
}

/** Delivers waiting events, then undoes everything that install did. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, host, flags } = context;
  const harnesses = selectedHarnesses(context, "known");
  const plans: { harness: Harness; dir: string; plan: Plan }[] = [];
  for (const harness of harnesses) {
    const dir = stateDir(harness.id, host);
    if (dir === undefined) {
      throw new UserError("HOME is not set, so the install cannot be found.", EXIT.usage, "Set HOME.");
    }
    const leaving = plans.map((earlier) => earlier.harness.id);
    plans.push({ harness, dir, plan: await plan(context, harness, dir, leaving) });
  }
  if (flags.on("dry-run")) {
    const all = combinePlans(...plans.map((each) => each.plan));
    ui.block(showPlan(all, { color: ui.color, home: host.env("HOME") ?? "" }));
    const config = flags.on("keep-credentials")
      ? undefined
      : await configAfter(harnesses.map(({ id }) => id), host);
    if (config?.kind === "removed") ui.next(`${ui.path(config.path)} would be removed.`);
    ui.ok("Nothing was removed: this was a dry run");
    return {
      code: EXIT.ok,
      data: { dryRun: true, changes: all.changes.map(({ kind, path }) => ({ kind, path })) },
    };
  }
  if (ui.interactive && !flags.on("yes")) {
    const names = plans.map(({ harness }) => harness.displayName).join(", ");
    if (!await confirm(ui, `Disconnect ${names}?`)) throw new UserError("Nothing was removed.", EXIT.failed);
  }
  const done = [];
  // Ctrl-C stops between two harnesses: each is disconnected completely or not at all.
  using stop = stopSignal();
  for (const each of plans) {
    if (stop.signal.aborted) {
      throw new UserError(`Interrupted before ${each.harness.displayName}.`, EXIT.interrupted);
    }
    done.push(await remove(context, each.harness, each.dir, each.plan));
  }
  if (harnesses.length > 1 && done.every(({ filesRemoved }) => filesRemoved.length === 0)) {
    ui.ok("No harness was connected; nothing to remove");
  }
  const left = done.some(({ kept }) => kept > 0);
  return { code: left ? EXIT.degraded : EXIT.ok, data: done.length === 1 ? done[0] : done };
}

async function remove(context: Context, harness: Harness, dir: string, plan: Plan) {
  const { ui, host } = context;
  const settings = loadSettings(harness.id, host);
  const delivered = await ui.during(
    `Delivering waiting events to ${settings.url}`,
    flush(settings, { host, maxMs: 15_000, profile: harness }),
  );
  const kept = delivered.kept + delivered.rejected;
  const open = openSessions(dir);
  // Before applying the plan, which removes the directory if it is empty.
  await clearState(dir, { keepSpool: kept > 0 });
  const config = await clearAgents(harness.id, host, { keepConfig: context.flags.on("keep-credentials") });
  // An event that a hook has spooled since is not lost.
  const clear = () => clearState(dir, { keepSpool: true });
  const applied = await ui.during(`Disconnecting ${harness.displayName}`, applyPlan(realOs, plan, { clear }));
  const paths = applied.plan.changes.map(({ path }) => path);
  if (config?.kind === "removed") paths.push(config.path);
  for (const warning of applied.warnings) ui.warn(warning);
  if (kept > 0) {
    ui.warn(
      `${kept} ${kept === 1 ? "event" : "events"} could not be delivered and stayed in ${dir}/spool; ` +
        "install again and run flush, or delete the directory.",
    );
  }
  if (paths.length > 0) ui.ok(`Disconnected ${ui.bold(harness.displayName)}`);
  else if (context.harnesses.length > 0) {
    ui.ok(`${ui.bold(harness.displayName)} was not connected; nothing to remove`);
  }
  for (const path of paths) ui.next(ui.path(path));
  if (config?.kind === "kept" && paths.length > 0) {
    ui.next(`${ui.path(config.path)} stays, because you have edited it. You can delete it.`);
  }
  if (paths.length > 0 && open.length > 0) {
    const names = open.slice(0, 5).map(({ key, at }) => `${key} (${age(Date.now() - at)} ago)`);
    const more = open.length > names.length ? ` and ${open.length - names.length} more` : "";
    ui.next(
      `These sessions may still be open and run our hooks: ${names.join(", ")}${more}. ` +
        `Restart ${harness.displayName} there.`,
    );
  }
  return {
    harness: harness.id,
    openSessions: open.map(({ key }) => key),
    delivered: delivered.sent,
    kept,
    filesRemoved: paths,
    warnings: applied.warnings,
  };
}

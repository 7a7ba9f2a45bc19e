import { dirOf } from "../../fs/file_path.ts";
import type { Harness, InstallFlags } from "../../harness.ts";
import type { SettingsFlags } from "../../../../hooks/daemon/settings.ts";
import { combinePlans } from "../../install/plan/plan.ts";
import { onPath } from "../../programs/program_place.ts";
import { showPlan } from "../../install/plan/show_plan.ts";
import { applyPrepared } from "../install/apply_install.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { givenKey } from "../install/given_key.ts";
import type { Flags } from "../flags.ts";
import { isolateAgent } from "../install/isolate_agent.ts";
import {
  earlierFlags,
  type PlannedInstall,
  prepareAll,
  reportChecks,
  requireDaemon,
} from "../install/prepare_install.ts";
import { selectedHarnesses } from "../selected_harnesses.ts";

/** What the flags of the command ask for; the agent mesh stays as it was unless a flag names it. */
function installFlags(flags: Flags, earlier: InstallFlags): InstallFlags {
  return {
    mcp: !flags.on("no-mcp"),
    identity: !flags.on("no-identity"),
    skills: !flags.on("no-skills"),
    trustHooks: flags.on("trust-hooks"),
    trustTools: flags.on("trust-tools"),
    setWorkspace: flags.on("set-workspace"),
    legacyHooks: flags.on("legacy-hooks"),
    replaceSignetCli: flags.on("replace-signet-cli"),
    agents: flags.on("agents") || (earlier.agents === true && !flags.on("no-agents")) || undefined,
  };
}

export async function askedBy(context: Context): Promise<SettingsFlags> {
  const { flags } = context;
  return {
    url: flags.text("url"),
    apiKey: await givenKey(context),
    agentId: flags.text("agent-id"),
    workspace: flags.text("workspace"),
    insecureHttp: flags.on("insecure-http") || undefined,
  };
}

/** Plans everything, checks the daemon, and only then writes. */
export async function run(context: Context): Promise<Outcome> {
  const harnesses = selectedHarnesses(context, "present");
  return await installAll(
    context,
    harnesses,
    await askedBy(context),
    (harness) => installFlags(context.flags, earlierFlags(context)(harness)),
  );
}

/** Installs again with the earlier flags, for `doctor --fix`. */
export function reinstall(context: Context, harnesses: readonly Harness[]): Promise<Outcome> {
  return installAll(context, harnesses, {}, earlierFlags(context));
}

async function installAll(
  context: Context,
  harnesses: readonly Harness[],
  settingsFlags: SettingsFlags,
  flagsOf: (harness: Harness) => InstallFlags,
): Promise<Outcome> {
  const { ui, binary, known, host } = context;
  const prepared = await prepareAll(context, harnesses, settingsFlags, flagsOf);
  if (context.flags.on("dry-run")) return dryRun(context, prepared);
  await requireDaemon(context, prepared);
  if (context.flags.on("isolated")) {
    for (const { settings } of prepared) await isolateAgent(context, settings);
  }
  const done = await applyPrepared(context, prepared);
  const which = known.length > 1 ? ` ${done.map(({ harness }) => harness).join(" ")}` : "";
  const program = prepared[0]?.program.path;
  if (program !== undefined && !onPath(dirOf(program), host)) {
    ui.next(`${ui.path(dirOf(program))} is not on PATH: add it, or run ${ui.path(program)}`);
  }
  ui.next(`To check that it works, run: ${ui.bold(`${binary} doctor${which}`)}`);
  const code = done.every(({ connected }) => connected) ? EXIT.ok : EXIT.failed;
  return { code, data: done.length === 1 ? done[0] : done };
}

function dryRun({ ui, host }: Context, prepared: readonly PlannedInstall[]): Outcome {
  const plan = combinePlans(...prepared.map((each) => each.plan));
  ui.block(showPlan(plan, { color: ui.color, home: host.env("HOME") ?? "" }));
  reportChecks(ui, prepared);
  ui.ok("Nothing was written: this was a dry run");
  const data = {
    dryRun: true,
    changes: plan.changes.map(({ kind, path }) => ({ kind, path })),
    warnings: plan.warnings,
    daemon: prepared[0]?.check.kind,
  };
  return { code: EXIT.ok, data };
}

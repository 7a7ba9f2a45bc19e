import { applyPlan } from "../apply.ts";
import { checkDaemon, type DaemonCheck } from "../daemon_check.ts";
import type { Harness, InstallFlags } from "../harness.ts";
import { type Asked, installRequest } from "../install_request.ts";
import { thisProcess } from "../installed_program.ts";
import { type Installation, installation } from "../installation.ts";
import { realOs } from "../os.ts";
import { combinePlans, type Plan } from "../plan.ts";
import { planInstall } from "../plan_install.ts";
import { programPlace } from "../program_place.ts";
import { showPlan } from "../show.ts";
import { keepEdited } from "../sync/sync_once.ts";
import { DEFAULT_FLAGS } from "../site.ts";
import { home } from "../../../hooks/paths.ts";
import { loadSettings } from "../../../hooks/settings.ts";
import { type Context, EXIT, type Outcome, UserError } from "./command.ts";
import { confirm } from "./confirm.ts";
import { givenKey } from "./given_key.ts";
import type { Flags } from "./parse.ts";
import { someHarnesses } from "./some_harnesses.ts";

interface Prepared extends Installation {
  readonly harness: Harness;
  readonly url: string;
  readonly plan: Plan;
  readonly check: DaemonCheck;
}

export function installFlags(flags: Flags): InstallFlags {
  return {
    mcp: !flags.on("no-mcp"),
    identity: !flags.on("no-identity"),
    skills: !flags.on("no-skills"),
    trustHooks: flags.on("trust-hooks"),
    trustTools: flags.on("trust-tools"),
    setWorkspace: flags.on("set-workspace"),
    legacyHooks: flags.on("legacy-hooks"),
    replaceSignetCli: flags.on("replace-signet-cli"),
  };
}

export async function askedBy(flags: Flags): Promise<Asked> {
  return {
    url: flags.text("url"),
    apiKey: await givenKey(flags),
    agentId: flags.text("agent-id"),
    workspace: flags.text("workspace"),
    insecureHttp: flags.on("insecure-http") || undefined,
  };
}

/** Plans everything, asks the daemon, and only then writes. */
export async function run(context: Context): Promise<Outcome> {
  const harnesses = someHarnesses(context, "found");
  return await installAll(
    context,
    harnesses,
    await askedBy(context.flags),
    () => installFlags(context.flags),
  );
}

/** Installs again as it was installed: what `doctor --fix` does. */
export function reinstall(context: Context, harnesses: readonly Harness[]): Promise<Outcome> {
  return installAll(context, harnesses, {}, ({ id }) => ({
    ...DEFAULT_FLAGS,
    ...loadSettings(id, context.host).options,
  }));
}

async function installAll(
  context: Context,
  harnesses: readonly Harness[],
  asked: Asked,
  flagsOf: (harness: Harness) => InstallFlags,
): Promise<Outcome> {
  const prepared: Prepared[] = [];
  for (const harness of harnesses) prepared.push(await prepare(context, harness, asked, flagsOf(harness)));
  const problems = prepared.flatMap(({ plan }) => plan.problems);
  if (problems.length > 0) {
    throw new UserError(
      problems.join("\n  "),
      EXIT.file,
      "Nothing was written. Mend it and run install again.",
    );
  }
  if (context.flags.on("dry-run")) return dryRun(context, prepared);
  await settle(context, prepared);
  return await apply(context, prepared);
}

export async function prepare(
  context: Context,
  harness: Harness,
  asked: Asked,
  wishes: InstallFlags,
): Promise<Prepared> {
  const { host, flags, binary, ui } = context;
  if (home(host) === undefined) {
    throw new UserError("HOME is not set, so nothing can be installed.", EXIT.usage, "Set HOME.");
  }
  const program = programPlace(binary, host, thisProcess(), flags.text("bin-dir"));
  const { request, settings } = installRequest(harness, host, asked, program, wishes);
  if (settings.problem) throw new UserError(settings.problem, EXIT.usage, "Nothing was written.");
  const wanted = await installation(request);
  const planning = planInstall(realOs, {
    harness: harness.id,
    stateDir: request.stateDir,
    targets: wanted.targets,
    replaceSignetCli: request.flags.replaceSignetCli,
  });
  const plan = await ui.during(`Looking at ${harness.displayName}`, planning);
  const check = await ui.during(`Asking the daemon at ${settings.url}`, checkDaemon(settings));
  return { ...wanted, harness, url: settings.url, plan, check };
}

function dryRun({ ui, host }: Context, prepared: readonly Prepared[]): Outcome {
  const plan = combinePlans(...prepared.map((each) => each.plan));
  ui.block(showPlan(plan, { color: ui.color, home: host.env("HOME") ?? "" }));
  tellChecks(ui, prepared);
  ui.ok("Nothing was written: this was a dry run");
  const data = {
    dryRun: true,
    changes: plan.changes.map(({ kind, path }) => ({ kind, path })),
    warnings: plan.warnings,
    daemon: prepared[0]?.check.kind,
  };
  return { code: EXIT.ok, data };
}

function tellChecks(ui: Context["ui"], prepared: readonly Prepared[]): void {
  const messages = prepared.flatMap(({ check }) => check.kind === "ok" ? [] : [check.message]);
  for (const message of new Set(messages)) ui.warn(message);
}

/** A rejected key is an error; a daemon that is away is a question, which --yes answers. */
async function settle({ ui, flags }: Context, prepared: readonly Prepared[]): Promise<void> {
  const rejected = prepared.map(({ check }) => check).find(({ kind }) => kind === "rejected");
  if (rejected?.kind === "rejected") {
    throw new UserError(
      rejected.message,
      EXIT.key,
      "Nothing was written. Check the key, or make one: signet-connect api-key create",
    );
  }
  if (prepared.every(({ check }) => check.kind === "ok")) return;
  tellChecks(ui, prepared);
  if (flags.on("yes") || await confirm(ui, "Install all the same?")) return;
  throw new UserError(
    "Nothing was written, because the daemon could not be asked.",
    EXIT.unreachable,
    "Start the daemon, check --url, or add --yes to install all the same.",
  );
}

async function apply(context: Context, prepared: readonly Prepared[]): Promise<Outcome> {
  const { ui } = context;
  const done = [];
  for (const { harness, plan, keep, stamp, warnings, notes, site, url } of prepared) {
    await keepEdited(keep);
    const applied = await ui.during(`Connecting ${harness.displayName}`, applyPlan(realOs, plan));
    await stamp();
    for (const warning of [...warnings, ...applied.warnings, ...applied.plan.conflicts]) ui.warn(warning);
    for (const { file, line, command } of applied.plan.signetCli) {
      ui.warn(
        `${file}:${line}: the original Signet CLI is connected too (${command}); add --replace-signet-cli to remove it.`,
      );
    }
    const files = applied.plan.changes.map(({ path }) => path);
    if (files.length === 0) {
      ui.ok(`${ui.bold(harness.displayName)} is connected already; nothing had to change`);
    } else {
      ui.ok(`Connected ${ui.bold(harness.displayName)} to ${ui.bold(url)} as agent ${ui.bold(site.agentId)}`);
      for (const path of files) ui.next(ui.path(path));
    }
    for (const note of notes) ui.next(note);
    done.push({
      harness: harness.id,
      url,
      agentId: site.agentId,
      filesWritten: files,
      warnings: applied.warnings,
      notes,
    });
  }
  ui.next(`To see that it works, run: ${ui.bold(`${context.binary} doctor`)}`);
  return { code: EXIT.ok, data: done.length === 1 ? done[0] : done };
}

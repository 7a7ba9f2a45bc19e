import { home } from "../../../../hooks/state/paths.ts";
import { loadSettings, type Settings, type SettingsFlags } from "../../../../hooks/daemon/settings.ts";
import { checkDaemon, type DaemonCheck } from "../../doctor/daemon_check.ts";
import type { Harness, InstallFlags } from "../../harness.ts";
import { installRequest } from "../../install/request.ts";
import { harnessProgram } from "../../programs/harness_program.ts";
import { recordedPlace, thisProcess } from "../../programs/installed_program.ts";
import { type InstallTargets, installTargets } from "../../install/targets.ts";
import { realOs } from "../../fs/os.ts";
import type { Plan } from "../../install/plan/plan.ts";
import { planInstall } from "../../install/plan/plan_install.ts";
import type { ProgramPlace } from "../../programs/program_place.ts";
import { programVersion } from "../../versions/program_version.ts";
import { DEFAULT_FLAGS } from "../../site/site.ts";
import { withThisBinary } from "../command_line.ts";
import { type Context, EXIT, UserError } from "../command.ts";
import { confirm } from "../output/confirm.ts";
import { isNewPlainHttp } from "../status/plain_http.ts";

/** An install of one harness that is planned and checked, and not begun. */
export interface PlannedInstall extends InstallTargets {
  readonly harness: Harness;
  readonly program: ProgramPlace;
  readonly url: string;
  readonly settings: Settings;
  readonly plan: Plan;
  readonly check: DaemonCheck;
}

/** The flags that a harness was installed with, or the defaults. */
export function earlierFlags({ host }: Pick<Context, "host">): (harness: Harness) => InstallFlags {
  // Trust is granted explicitly, once: a trust record that the user removed must stay removed.
  return ({ id }) => ({ ...DEFAULT_FLAGS, ...loadSettings(id, host).options, trustHooks: undefined });
}

/** Plans every harness and checks the daemon; throws if a file is in the way. Writes nothing. */
export async function prepareAll(
  context: Context,
  harnesses: readonly Harness[],
  settingsFlags: SettingsFlags,
  flagsOf: (harness: Harness) => InstallFlags,
): Promise<PlannedInstall[]> {
  const answers = new Map<string, Promise<DaemonCheck>>();
  const ask = (settings: Settings) => {
    const same = JSON.stringify([settings.url, settings.apiKey, settings.agentId]);
    const answer = answers.get(same) ?? checkDaemon(settings);
    answers.set(same, answer);
    return answer;
  };
  const prepared: PlannedInstall[] = [];
  for (const harness of harnesses) {
    prepared.push(await prepare(context, harness, settingsFlags, flagsOf(harness), ask));
  }
  const problems = prepared.flatMap(({ plan }) => plan.problems);
  if (problems.length > 0) {
    throw new UserError(
      problems.join("\n  "),
      EXIT.file,
      "Nothing was written. Fix the file and run install again.",
    );
  }
  refuseBesideOriginal(prepared);
  return prepared;
}

/** With both connected everything is sent twice, and some of our entries would find their place taken. */
function refuseBesideOriginal(prepared: readonly PlannedInstall[]): void {
  const found = prepared.flatMap(({ plan }) => plan.signetCli);
  const [first] = found;
  if (first === undefined) return;
  const more = found.length > 1 ? ` and ${found.length - 1} more` : "";
  throw new UserError(
    `The original Signet is connected here: ${first.file}:${first.line} (${first.command})${more}.`,
    EXIT.file,
    "Nothing was written. Add --replace-signet-cli to remove it; --dry-run shows how, and uninstall brings it back.",
  );
}

async function prepare(
  context: Context,
  harness: Harness,
  settingsFlags: SettingsFlags,
  installFlags: InstallFlags,
  ask: (settings: Settings) => Promise<DaemonCheck>,
): Promise<PlannedInstall> {
  const { host, flags, binary, ui } = context;
  if (home(host) === undefined) {
    throw new UserError("HOME is not set, so nothing can be installed.", EXIT.usage, "Set HOME.");
  }
  const program = await harnessProgram(harness, {
    binary,
    host,
    running: thisProcess(),
    binDir: flags.text("bin-dir"),
    earlier: await recordedPlace(harness.id, host),
    uid: Deno.uid() ?? undefined,
  });
  const found = await ui.during(`Checking ${harness.displayName}`, programVersion(harness, host));
  const { request, settings } = installRequest(harness, host, settingsFlags, program, installFlags, found);
  if (settings.problem) throw new UserError(settings.problem, EXIT.usage, "Nothing was written.");
  if (isNewPlainHttp(settings, host)) {
    // Prompts travel too, so this holds without a key.
    throw new UserError(
      `Prompts would be sent to ${settings.url} over plain http, and anyone on the network could read them.`,
      EXIT.usage,
      "Nothing was written. Use https, or add --insecure-http.",
    );
  }
  const install = await installTargets(request);
  const planning = planInstall(realOs, {
    harness: harness.id,
    stateDir: request.stateDir,
    targets: install.targets,
    replaceSignetCli: request.flags.replaceSignetCli,
  });
  const plan = await ui.during(`Checking ${harness.displayName}`, planning);
  const check = await ui.during(`Contacting the daemon at ${settings.url}`, ask(settings));
  const notes = install.notes.map((note) => withThisBinary(context, harness, note));
  return { ...install, notes, harness, program, url: settings.url, settings, plan, check };
}

export function reportChecks(ui: Context["ui"], prepared: readonly PlannedInstall[]): void {
  const messages = prepared.flatMap(({ check }) => check.kind === "ok" ? [] : [check.message]);
  for (const message of new Set(messages)) ui.warn(message);
}

/** Why the daemon rejects the key, if it does. */
export function rejection(prepared: readonly PlannedInstall[]): string | undefined {
  return rejected(prepared)?.message;
}

function rejected(
  prepared: readonly PlannedInstall[],
): Extract<DaemonCheck, { kind: "rejected" }> | undefined {
  return prepared.map(({ check }) => check).find((check) => check.kind === "rejected");
}

/** Fails if the key is rejected; asks whether to continue if the daemon is down, unless --yes is set. */
export async function requireDaemon(
  { ui, flags }: Context,
  prepared: readonly PlannedInstall[],
): Promise<void> {
  const refusal = rejected(prepared);
  if (refusal !== undefined) {
    const use = refusal.owner === undefined
      ? "Check the key, or create one"
      : `Install with --agent-id ${refusal.owner}, or create another key`;
    throw new UserError(
      refusal.message,
      EXIT.key,
      `Nothing was written. ${use}: signet-connect api-key create --mode admin --name NAME`,
    );
  }
  if (prepared.every(({ check }) => check.kind === "ok")) return;
  reportChecks(ui, prepared);
  if (flags.on("yes") || await confirm(ui, "Install anyway?")) return;
  throw new UserError(
    "Nothing was written because the daemon could not be checked.",
    EXIT.unreachable,
    "Start the daemon, check --url, or add --yes to install anyway.",
  );
}

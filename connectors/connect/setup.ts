import { DEFAULT_URL, loadSettings, type SettingsFlags } from "../../hooks/daemon/settings.ts";
import { applyPrepared } from "../base/cli/apply_install.ts";
import { type Context, EXIT, type Outcome, UserError } from "../base/cli/command.ts";
import { run as doctor } from "../base/cli/commands/doctor.ts";
import { askedBy } from "../base/cli/commands/install.ts";
import {
  earlierFlags,
  type PlannedInstall,
  prepareAll,
  rejection,
  requireDaemon,
} from "../base/cli/prepare_install.ts";
import { combinePlans, isEmpty } from "../base/install/plan.ts";
import { showPlan } from "../base/install/show_plan.ts";
import { describeHarness, findHarnesses, type FoundHarness } from "./find_harnesses.ts";
import { askAgent, askKey, askToContinue, askUrl, askWhich } from "./setup_questions.ts";

/** Asks for what an install needs, shows the plan, applies it and runs doctor. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, binary } = context;
  if (!ui.interactive) {
    throw new UserError(
      "setup is interactive and needs a terminal.",
      EXIT.usage,
      `${binary} install --all --url URL --api-key-file FILE --agent-id ID`,
    );
  }
  ui.progress("Looking for harnesses");
  const found = await findHarnesses(context);
  ui.progress();
  if (found.length === 0) {
    throw new UserError(
      "No harness was found on this machine: no program on PATH and no config directory.",
      EXIT.failed,
      `To connect one anyway, run: ${binary} install ${
        context.known.map(({ id }) => id).join("|")
      } --url URL`,
    );
  }
  for (const each of found) {
    const line = `${ui.bold(each.harness.displayName)}: ${describeHarness(each, ui)}`;
    if (each.connected) ui.ok(line);
    else ui.next(line);
  }
  ui.say("");
  const { prepared, chosen } = await askAndPrepare(context, found);
  const plan = combinePlans(...prepared.map((each) => each.plan));
  await requireDaemon(context, prepared);
  if (!isEmpty(plan)) {
    const home = context.host.env("HOME") ?? "";
    ui.block("\n" + showPlan(plan, { color: ui.color, home, brief: true }) + "\n");
    const names = chosen.map(({ harness }) => harness.displayName).join(", ");
    if (!await askToContinue(`Write these changes and connect ${names}?`)) {
      throw new UserError("Nothing was written.", EXIT.failed);
    }
  }
  const done = await applyPrepared(context, prepared);
  ui.say("");
  const harnesses = chosen.map(({ harness }) => harness);
  const checked = await doctor({ ...context, harnesses });
  ui.say("");
  printNextSteps(context, chosen, checked.code === EXIT.ok);
  return { code: checked.code, data: done };
}

/** Asks until the daemon accepts the key. Values from the command line are not asked for. */
async function askAndPrepare(
  context: Context,
  found: readonly FoundHarness[],
): Promise<{ prepared: PlannedInstall[]; chosen: readonly FoundHarness[] }> {
  const { ui, host } = context;
  const given = await askedBy(context.flags);
  const stored = found.find(({ connected }) => connected)?.connected;
  let url = given.url ?? host.env("SIGNET_DAEMON_URL") ?? stored?.url ?? DEFAULT_URL;
  let agentId = given.agentId ?? host.env("SIGNET_AGENT_ID") ?? stored?.agentId ?? "default";
  let chosen: readonly FoundHarness[] = context.harnesses.length > 0
    ? found.filter(({ harness }) => context.harnesses.includes(harness))
    : [];
  for (let again = false;; again = true) {
    if (given.url === undefined || again) url = await askUrl(url);
    const insecureHttp = given.insecureHttp ?? false;
    const known = found.some(({ harness }) =>
      loadSettings(harness.id, host, { url, insecureHttp }).apiKey !== undefined
    );
    const apiKey = given.apiKey !== undefined && !again
      ? given.apiKey
      : await askKey(url, { stored: known, insecureHttp });
    if (given.agentId === undefined || again) agentId = await askAgent(agentId);
    if (chosen.length === 0 || again) chosen = await askWhich(found, ui);
    const asked: SettingsFlags = { ...given, url, apiKey, agentId };
    ui.progress(`Contacting ${url}`);
    const harnesses = chosen.map(({ harness }) => harness);
    const prepared = await prepareAll(context, harnesses, asked, earlierFlags(context))
      .finally(() => ui.progress());
    const rejected = rejection(prepared);
    if (rejected === undefined) return { prepared, chosen };
    ui.warn(rejected);
    ui.next("Nothing was written. Try again with another key, or stop with Ctrl-C.");
  }
}

function printNextSteps({ ui, binary }: Context, chosen: readonly FoundHarness[], good: boolean): void {
  const names = chosen.map(({ harness }) => harness.displayName).join(", ");
  if (good) ui.ok(`Done. Start a new session in ${ui.bold(names)} to use its memory`);
  else ui.warn("Connected, but not everything works yet: see the lines marked ✗ above.");
  ui.next(`To watch hooks fire, run: ${ui.bold(`${binary} status --watch`)}`);
  ui.next(`To undo all of this, run: ${ui.bold(`${binary} uninstall --all`)}`);
}

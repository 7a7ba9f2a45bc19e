import { applyPrepared } from "../../base/cli/install/apply_install.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { diagnose } from "../../base/cli/commands/doctor.ts";
import { verdictExitCode } from "../../base/cli/status/harness_report.ts";
import { earlierFlags, prepareAll, requireDaemon } from "../../base/cli/install/prepare_install.ts";
import type { Harness } from "../../base/harness.ts";
import { combinePlans, isEmpty, type Plan } from "../../base/install/plan/plan.ts";
import { planSummary } from "../../base/install/plan/plan_summary.ts";
import { showPlan } from "../../base/install/plan/show_plan.ts";
import { describeHarness, findHarnesses, type FoundHarness } from "../find_harnesses.ts";
import { askConnection } from "./setup_connection.ts";
import { askAgents, askToWrite, askWhich } from "./setup_questions.ts";
import { waitForHello } from "./wait_for_hello.ts";

/** Asks for what an install needs, shows the plan, applies it, runs doctor and waits for the first hook. */
export async function run(context: Context): Promise<Outcome> {
  const { ui } = context;
  const found = await findAll(context);
  const asked = await askConnection(context, found);
  const named = found.filter(({ harness }) => context.harnesses.includes(harness));
  const chosen = named.length > 0 ? named : await askWhich(found, ui);
  const harnesses = chosen.map(({ harness }) => harness);
  const mesh = await wantsAgents(context, chosen);
  const earlier = earlierFlags(context);
  const flagsOf = (harness: Harness) => {
    const flags = earlier(harness);
    return mesh === undefined || harness.agents === undefined
      ? flags
      : { ...flags, agents: mesh || undefined };
  };
  const prepared = await prepareAll(context, harnesses, asked, flagsOf);
  await requireDaemon(context, prepared);
  const plan = combinePlans(...prepared.map((each) => each.plan));
  if (!isEmpty(plan)) await confirmPlan(context, plan, harnesses);
  const done = await applyPrepared(context, prepared);
  ui.say("");
  const results = await diagnose({ ...context, harnesses });
  ui.say("");
  const healthy = chosen.filter(({ harness }) =>
    results.some((each) => each.harness === harness && each.verdict.status === "healthy")
  );
  if (healthy.length < chosen.length) {
    ui.warn("Connected, but not everything works yet: see the lines marked ✗ above.");
  }
  if (healthy.length > 0 && !isEmpty(plan)) await greet(context, healthy);
  printNextSteps(context);
  return {
    code: verdictExitCode({ ...context, harnesses }, results.map(({ verdict }) => verdict)),
    data: done,
  };
}

/**
 * Whether the chosen harnesses should take part in the agent mesh; undefined leaves
 * it as it is. Nobody is asked again about a harness that is connected already.
 */
async function wantsAgents(
  { flags }: Context,
  chosen: readonly FoundHarness[],
): Promise<boolean | undefined> {
  if (flags.on("agents")) return true;
  if (flags.on("no-agents")) return false;
  const able = chosen.filter(({ harness, connected }) => harness.agents !== undefined && !connected);
  return able.length === 0 ? undefined : await askAgents(able.map(({ harness }) => harness.displayName));
}

/** Finds the harnesses on this machine and lists them. */
async function findAll(context: Context): Promise<FoundHarness[]> {
  const { ui, binary, known } = context;
  if (!ui.interactive) {
    throw new UserError(
      "setup is interactive and needs a terminal.",
      EXIT.usage,
      `${binary} install --all --url URL --api-key-file FILE --agent-id ID`,
    );
  }
  const found = await ui.during("Looking for harnesses", findHarnesses(context));
  if (found.length === 0) {
    throw new UserError(
      "No harness was found on this machine: no program on PATH and no config directory.",
      EXIT.failed,
      `To connect one anyway, run: ${binary} install ${known.map(({ id }) => id).join("|")} --url URL`,
    );
  }
  for (const each of found) {
    const line = `${ui.bold(each.harness.displayName)}: ${describeHarness(each, ui)}`;
    if (each.connected) ui.ok(line);
    else ui.next(line);
  }
  ui.say("");
  return found;
}

/** Shows what would change, one line per file, and asks; the diff is shown on request. */
async function confirmPlan({ ui, host }: Context, plan: Plan, harnesses: readonly Harness[]): Promise<void> {
  const rows = planSummary(plan).map(([path, effect]) => [ui.path(path), effect] as const);
  const width = Math.max(...rows.map(([path]) => path.length));
  ui.block(`\n${rows.map(([path, effect]) => `  ${path.padEnd(width)}  ${effect}\n`).join("")}\n`);
  const names = harnesses.map(({ displayName }) => displayName).join(", ");
  for (;;) {
    const answer = await askToWrite(`Write these changes and connect ${names}?`);
    if (answer === "yes") return;
    if (answer === "no") throw new UserError("Nothing was written.", EXIT.failed);
    ui.block(`\n${showPlan(plan, { color: ui.color, home: host.env("HOME") ?? "" })}\n`);
  }
}

/** Waits for proof: the first hook of a harness that the user opens. */
async function greet(context: Context, chosen: readonly FoundHarness[]): Promise<void> {
  const { ui } = context;
  const commands = chosen.map(({ harness, program }) =>
    program === undefined ? harness.displayName : harness.programs[0] ?? harness.displayName
  );
  ui.ok(`Now open ${ui.bold(commands.join(" or "))} and say hello`);
  ui.next("Waiting for the first hook. Press Enter to skip.");
  const hello = await waitForHello(context, chosen.map(({ harness }) => harness));
  if (hello) ui.ok(`${ui.bold(hello.harness.displayName)} said hello: ${hello.ms} ms`);
  else ui.next("Skipped. The memory is there from the next session on.");
}

function printNextSteps({ ui, binary }: Context): void {
  ui.next(`To watch hooks fire, run: ${ui.bold(`${binary} log --follow`)}`);
  ui.next(`To undo all of this, run: ${ui.bold(`${binary} uninstall --all`)}`);
}

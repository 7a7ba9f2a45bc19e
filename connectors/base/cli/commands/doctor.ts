import type { Diagnosis } from "../../doctor/diagnosis.ts";
import { examine } from "../../doctor/examine.ts";
import { isUnconnected, type Verdict } from "../../doctor/verdict.ts";
import type { Harness } from "../../harness.ts";
import { stateOf } from "../../install/install_state.ts";
import { programVersion } from "../../versions/program_version.ts";
import type { Context, Outcome } from "../command.ts";
import { forThisBinary, installRecord, judge, verdictExitCode } from "../status/harness_report.ts";
import { installedSite } from "../installed_site.ts";
import { selectedHarnesses } from "../selected_harnesses.ts";
import { reinstall } from "./install.ts";

/** Checks that it works: runs every installed hook as the harness would. */
export async function run(context: Context): Promise<Outcome> {
  const first = await diagnose(context);
  const fixable = first.filter(({ findings }) => findings.some(({ ok, fixable }) => !ok && fixable));
  if (!context.flags.on("fix") || fixable.length === 0) return outcome(context, first);
  const harnesses = fixable.map(({ harness }) => harness);
  context.ui.say("");
  await reinstall(context, harnesses);
  context.ui.say("");
  return outcome(context, await diagnose({ ...context, harnesses }));
}

/** What doctor found out about one harness. */
export interface Result {
  readonly harness: Harness;
  readonly verdict: Verdict;
  readonly findings: Diagnosis[];
}

/** Examines the selected harnesses and prints each finding as it comes. */
export async function diagnose(context: Context): Promise<Result[]> {
  const { ui, host } = context;
  if (host.env("SIGNET_CONNECTOR_MODE") === "readonly") {
    ui.warn("SIGNET_CONNECTOR_MODE is readonly: hooks started from this shell do nothing.");
  }
  const results: Result[] = [];
  for (const harness of selectedHarnesses(context, "present")) {
    results.push(await diagnoseOne(context, harness));
  }
  return results;
}

async function diagnoseOne(context: Context, harness: Harness): Promise<Result> {
  const { ui, host, known } = context;
  const found = await ui.during(`Checking ${harness.displayName}`, programVersion(harness, host));
  const site = await installedSite(context, harness, found?.version);
  const state = await ui.during("Contacting the daemon", stateOf(harness, site, host));
  const { installed } = await installRecord(state);
  const findings: Diagnosis[] = [];
  if (known.length > 1 && context.harnesses.length === 0 && !state.connected && !installed) {
    ui.say(`${ui.bold(harness.displayName)} is not connected`);
    return { harness, verdict: judge(context, harness, state, installed, findings), findings };
  }
  ui.say(ui.bold(harness.displayName));
  const add = (found: Diagnosis) => {
    const finding = forThisBinary(context, harness, found);
    findings.push(finding);
    ui.finding(finding.ok, finding.message);
    if (finding.fix) ui.next(finding.fix);
  };
  const steps = examine(harness, site, state, host)[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await ui.during("Running the hooks", steps.next());
    if (done) break;
    add(value);
  }
  if (Object.keys(site.agentEvents).length > 0) {
    const { checkTransport } = await import("../agents/check_transport.ts");
    (await ui.during("Contacting the server", checkTransport(harness, host, Deno.cwd()))).forEach(add);
  }
  const verdict = judge(context, harness, state, installed, findings);
  if (!state.connected) ui.next(`To connect it, run: ${verdict.nextSteps[0]}`);
  return { harness, verdict, findings };
}

function outcome(context: Context, results: readonly Result[]): Outcome {
  const { ui, binary, known } = context;
  if (results.every(({ verdict }) => isUnconnected(verdict))) {
    ui.warn("No harness is connected.");
    if (known.length > 1) ui.next(`To connect one, run: ${binary} setup`);
  }
  const data = results.map(({ harness, verdict: { status, checks, nextSteps }, findings }) => ({
    harness: harness.id,
    status,
    checks,
    findings,
    nextSteps,
  }));
  const code = verdictExitCode(context, results.map(({ verdict }) => verdict));
  return { code, data: known.length === 1 ? data[0] : data };
}

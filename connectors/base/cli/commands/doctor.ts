import type { Diagnosis } from "../../doctor/diagnosis.ts";
import { examine } from "../../doctor/examine.ts";
import { readLedger } from "../../install/ledger.ts";
import { realOs } from "../../fs/os.ts";
import { stateOf } from "../../install/install_state.ts";
import { commandLine, withThisBinary } from "../command_line.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { reinstall } from "./install.ts";
import { installedSite } from "../installed_site.ts";
import { programVersion } from "../../versions/program_version.ts";
import { selectedHarnesses } from "../selected_harnesses.ts";

/** Checks that it works: runs every installed hook as the harness would. */
export async function run(context: Context): Promise<Outcome> {
  const fix = context.flags.on("fix");
  const first = await diagnose(context);
  if (!fix || !first.some(({ findings }) => findings.some(({ fixable }) => fixable))) {
    return outcome(context, first);
  }
  const broken = first.filter(({ findings }) => findings.some(({ fixable }) => fixable));
  const harnesses = context.known.filter(({ id }) => broken.some(({ harness }) => harness === id));
  context.ui.say("");
  await reinstall(context, harnesses);
  context.ui.say("");
  return outcome(context, await diagnose({ ...context, harnesses }));
}

interface Result {
  readonly harness: string;
  /** It was installed, but its hooks cannot run. */
  readonly broken: boolean;
  readonly findings: Diagnosis[];
}

async function diagnose(context: Context): Promise<Result[]> {
  const { ui, host, known } = context;
  const results: Result[] = [];
  if (host.env("SIGNET_CONNECTOR_MODE") === "readonly") {
    ui.warn("SIGNET_CONNECTOR_MODE is readonly: hooks started from this shell do nothing.");
  }
  for (const harness of selectedHarnesses(context, "present")) {
    const found = await ui.during(`Checking ${harness.displayName}`, programVersion(harness, host));
    const site = await installedSite(context, harness, found?.version);
    const state = await ui.during("Contacting the daemon", stateOf(harness, site, host));
    const installed = state.stateDir !== undefined &&
      (await readLedger(realOs, state.stateDir)).kind !== "absent";
    if (known.length > 1 && context.harnesses.length === 0 && !state.connected && !installed) {
      ui.say(`${ui.bold(harness.displayName)} is not connected`);
      continue;
    }
    ui.say(ui.bold(harness.displayName));
    const findings: Diagnosis[] = [];
    const steps = examine(harness, site, state, host)[Symbol.asyncIterator]();
    for (;;) {
      const { value: finding, done } = await ui.during("Running the hooks", steps.next());
      if (done) break;
      findings.push(finding);
      ui.finding(finding.ok, withThisBinary(context, harness, finding.message));
      if (finding.fix) ui.next(withThisBinary(context, harness, finding.fix));
    }
    if (!state.connected) {
      const install = commandLine(context, harness.id)("install");
      ui.next(`To connect it, run: ${install} --url URL --api-key-file FILE`);
    }
    results.push({ harness: harness.id, broken: installed && !state.connected, findings });
  }
  return results;
}

function outcome({ known, ui, binary }: Context, results: readonly Result[]): Outcome {
  if (results.length === 0) {
    ui.warn("No harness is connected.");
    ui.next(`To connect one, run: ${binary} setup`);
  }
  const good = results.length > 0 && results.every(({ findings }) => findings.every(({ ok }) => ok));
  const code = good ? EXIT.ok : results.some(({ broken }) => broken) ? EXIT.failed : EXIT.degraded;
  return { code, data: known.length === 1 ? results[0] : results };
}

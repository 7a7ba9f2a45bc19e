import { type Diagnosis, examine } from "../doctor/examine.ts";
import { stateOf } from "../state_of.ts";
import { type Context, EXIT, type Outcome } from "./command.ts";
import { reinstall } from "./install.ts";
import { installedSite } from "./site_of.ts";
import { someHarnesses } from "./some_harnesses.ts";

/** Proves that it works: every installed hook is run as the harness would run it. */
export async function run(context: Context): Promise<Outcome> {
  const fix = context.flags.on("fix");
  const first = await diagnose(context);
  if (!fix || !first.some(({ findings }) => findings.some(({ mendable }) => mendable))) {
    return outcome(context, first);
  }
  const broken = first.filter(({ findings }) => findings.some(({ mendable }) => mendable));
  const harnesses = context.known.filter(({ id }) => broken.some(({ harness }) => harness === id));
  context.ui.say("");
  await reinstall(context, harnesses);
  context.ui.say("");
  return outcome(context, await diagnose({ ...context, harnesses }));
}

interface Result {
  readonly harness: string;
  readonly findings: Diagnosis[];
}

async function diagnose(context: Context): Promise<Result[]> {
  const { ui, host } = context;
  const results: Result[] = [];
  if (host.env("SIGNET_CONNECTOR_MODE") === "readonly") {
    ui.warn("SIGNET_CONNECTOR_MODE is readonly, so that hooks which start from this shell do nothing.");
  }
  for (const harness of someHarnesses(context, "found")) {
    ui.say(ui.bold(harness.displayName));
    const site = await installedSite(context, harness);
    const state = await ui.during("Asking the daemon", stateOf(harness, site, host));
    const findings: Diagnosis[] = [];
    const steps = examine(harness, site, state, host)[Symbol.asyncIterator]();
    for (;;) {
      const { value: finding, done } = await ui.during("Running the hooks", steps.next());
      if (done) break;
      findings.push(finding);
      ui.finding(finding.ok, finding.message);
      if (finding.fix) ui.next(finding.fix);
    }
    if (!state.connected) {
      ui.next(`To connect it, run: ${context.binary} install --url URL --api-key-file FILE`);
    }
    results.push({ harness: harness.id, findings });
  }
  return results;
}

function outcome({ known }: Context, results: readonly Result[]): Outcome {
  const good = results.length > 0 && results.every(({ findings }) => findings.every(({ ok }) => ok));
  return { code: good ? EXIT.ok : EXIT.degraded, data: known.length === 1 ? results[0] : results };
}

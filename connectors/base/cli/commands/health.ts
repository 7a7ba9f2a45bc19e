import { isUnconnected } from "../../doctor/verdict.ts";
import type { Context, Outcome } from "../command.ts";
import { type HarnessReport, harnessReport, verdictExitCode } from "../status/harness_report.ts";
import { selectedHarnesses } from "../selected_harnesses.ts";

/** The state of each harness in one word, the checks behind it, and what to do. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, known, harnesses, binary } = context;
  const reports: HarnessReport[] = [];
  for (const harness of selectedHarnesses(context, "present")) {
    const report = await ui.during(`Checking ${harness.displayName}`, harnessReport(context, harness));
    reports.push(report);
    const { status, nextSteps } = report.verdict;
    const name = ui.bold(harness.displayName);
    // Nobody has to connect every harness on the machine.
    if (isUnconnected(report.verdict) && harnesses.length === 0) {
      ui.say(`${name} is not connected`);
      continue;
    }
    if (status === "needs_setup") ui.warn(`${name} needs to be set up`);
    else (status === "healthy" ? ui.ok : ui.warn)(`${name} is ${status}`);
    for (const step of nextSteps) ui.next(step);
  }
  if (reports.length === 0) ui.warn("No harness was found on this machine.");
  else if (harnesses.length === 0 && reports.every(({ verdict }) => isUnconnected(verdict))) {
    ui.warn("No harness is connected.");
    ui.next(`To connect one, run: ${binary} setup`);
  }
  const data = reports.map(healthDocument);
  const code = verdictExitCode(context, reports.map(({ verdict }) => verdict));
  return { code, data: known.length === 1 ? data[0] : data };
}

function healthDocument({ harness, verdict: { status, checks, nextSteps } }: HarnessReport) {
  return { harness: harness.id, status, checks, nextSteps };
}

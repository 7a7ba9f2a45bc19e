import { checkState, inspectHarness } from "../../doctor/check_state.ts";
import type { Diagnosis } from "../../doctor/diagnosis.ts";
import { type Verdict, verdict, worst } from "../../doctor/verdict.ts";
import { realOs } from "../../fs/os.ts";
import type { Harness, Site } from "../../harness.ts";
import { type State, stateOf } from "../../install/install_state.ts";
import { type Ledger, readLedger } from "../../install/ledger/ledger.ts";
import { programVersion } from "../../versions/program_version.ts";
import { commandLine, withThisBinary } from "../command_line.ts";
import { type Context, EXIT } from "../command.ts";
import { installedSite } from "../installed_site.ts";

/** What `health` and `status` know about a harness without running its hooks. */
export interface HarnessReport {
  readonly harness: Harness;
  /** The version of the harness's program, if it is known. */
  readonly version?: string;
  readonly site: Site;
  readonly state: State;
  /** Whether an install left a record; `ledger` is that record, if it can be read. */
  readonly installed: boolean;
  readonly ledger?: Ledger;
  /** What the harness itself reports about our hooks. */
  readonly inspected: readonly Diagnosis[];
  readonly findings: readonly Diagnosis[];
  readonly verdict: Verdict;
}

/** Asking the harness's program is slow, so `--watch` passes what it reported the first time. */
export async function harnessReport(
  context: Context,
  harness: Harness,
  before?: HarnessReport,
): Promise<HarnessReport> {
  const version = before ? before.version : (await programVersion(harness, context.host))?.version;
  const site = await installedSite(context, harness, version);
  const state = await stateOf(harness, site, context.host);
  const record = await installRecord(state);
  const inspected = before?.inspected ?? await inspectHarness(harness, site, state);
  const findings = (await checkState(harness, site, state, inspected))
    .map((finding) => forThisBinary(context, harness, finding));
  return {
    harness,
    version,
    site,
    state,
    ...record,
    inspected,
    findings,
    verdict: judge(context, harness, state, record.installed, findings),
  };
}

/** Whether an install left a record, and the record if it can be read. */
export async function installRecord({ stateDir }: State): Promise<{ installed: boolean; ledger?: Ledger }> {
  if (stateDir === undefined) return { installed: false };
  const reading = await readLedger(realOs, stateDir);
  return { installed: reading.kind !== "absent", ledger: reading.kind === "ok" ? reading.ledger : undefined };
}

/** The verdict on a harness, with the commands of the binary that is running. */
export function judge(
  context: Context,
  harness: Harness,
  state: State,
  installed: boolean,
  findings: readonly Diagnosis[],
): Verdict {
  const install = `${
    commandLine(context, harness.id)("install")
  } --url URL --api-key-file FILE --agent-id ID`;
  return verdict(state, installed, findings, install);
}

/** A finding whose fix can be pasted: it names the binary that is running, and `doctor --fix` where that is enough. */
export function forThisBinary(context: Context, harness: Harness, finding: Diagnosis): Diagnosis {
  const call = commandLine(context, harness.id);
  const fix = finding.fixable
    ? `run: ${call("doctor")} --fix`
    : finding.fix?.replace(/^run flush$/, `run: ${call("flush")}`);
  return {
    ...finding,
    message: withThisBinary(context, harness, finding.message),
    fix: fix && withThisBinary(context, harness, fix),
  };
}

/** The exit code of `health`, `status` and `doctor`. */
export function verdictExitCode({ harnesses }: Context, verdicts: readonly Verdict[]): number {
  const codes = { healthy: EXIT.ok, degraded: EXIT.degraded, broken: EXIT.failed };
  return codes[worst(verdicts, harnesses.length > 0)];
}

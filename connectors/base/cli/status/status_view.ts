import type { Harness } from "../../harness.ts";
import { backupsDir } from "../../install/ledger/ledger.ts";
import type { Context } from "../command.ts";
import { findForge, type Forge } from "./forge.ts";
import { type HarnessReport, harnessReport } from "./harness_report.ts";
import { selectedHarnesses } from "../selected_harnesses.ts";

export interface HarnessStatus extends HarnessReport {
  readonly name: string;
  readonly backups: string[];
}

/** Everything that `status` shows. */
export interface StatusView {
  readonly shown: readonly HarnessStatus[];
  readonly forge?: Forge;
}

/** Starting the harnesses' programs is slow, so `--watch` reuses what they reported the first time. */
export async function statusView(context: Context, before?: StatusView): Promise<StatusView> {
  const many = context.known.length > 1;
  const [forge, shown] = await Promise.all([
    before ? before.forge : many && context.harnesses.length === 0 ? findForge(context.host) : undefined,
    Promise.all(
      selectedHarnesses(context, "present").map((harness) =>
        harnessStatus(context, harness, before?.shown.find((each) => each.harness === harness))
      ),
    ),
  ]);
  return { shown, forge };
}

async function harnessStatus(
  context: Context,
  harness: Harness,
  before: HarnessStatus | undefined,
): Promise<HarnessStatus> {
  const report = await harnessReport(context, harness, before);
  const dir = backupsDir(report.state.stateDir ?? "");
  const backups = report.ledger?.files.flatMap(({ backup }) => backup ? [`${dir}/${backup}`] : []) ?? [];
  return { ...report, name: harness.displayName, backups };
}

/** What to say while no harness has run a hook; undefined once one did. */
export function notYetFired({ name, state }: HarnessStatus): string | undefined {
  const fired = state.hooks?.events.some(({ count }) => count > 0) ?? false;
  return state.connected && !fired ? `not yet: start ${name} once` : undefined;
}

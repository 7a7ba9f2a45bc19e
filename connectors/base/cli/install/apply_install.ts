import { type Applied, applyPlan } from "../../install/apply/apply.ts";
import { realOs } from "../../fs/os.ts";
import { combinePlans, type HarnessPlan } from "../../install/plan/plan.ts";
import { configState, isConnected } from "../../install/install_state.ts";
import { stopSignal } from "../../sync/stop_signal.ts";
import { keepEdited } from "../../sync/sync_once.ts";
import { type Context, EXIT, UserError } from "../command.ts";
import type { PlannedInstall } from "./prepare_install.ts";

/** What an install of one harness did, as `--json` prints it. */
export interface InstallReport {
  readonly harness: string;
  readonly url: string;
  readonly agentId: string;
  /** False if a foreign entry or file occupies a place that the install needs. */
  readonly connected: boolean;
  readonly filesWritten: string[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** Writes everything that was prepared, or nothing: Ctrl-C rolls back. */
export async function applyPrepared(
  context: Context,
  prepared: readonly PlannedInstall[],
): Promise<InstallReport[]> {
  const { parts } = (await write(context, prepared)).plan;
  for (const { stamp } of prepared) await stamp();
  return prepared.map((each, i) => report(context, each, parts[i]));
}

async function write({ ui }: Context, prepared: readonly PlannedInstall[]): Promise<Applied> {
  const copies = prepared.flatMap(({ keep }) => keep);
  using stop = stopSignal();
  try {
    await keepEdited(copies);
    return await applyPlan(realOs, combinePlans(...prepared.map(({ plan }) => plan)), {
      signal: stop.signal,
      onPart(part) {
        const at = prepared.findIndex(({ harness }) => harness.id === part.input.harness);
        const name = prepared[at]?.harness.displayName ?? part.input.harness;
        ui.progress(`Connecting ${name} (${at + 1} of ${prepared.length})`);
      },
    });
  } catch (error) {
    for (const { as } of copies) await Deno.remove(as).catch(() => {});
    const { aborted, reason } = stop.signal;
    if (aborted && (error === reason || (error instanceof Error && error.cause === reason))) {
      throw new UserError("Interrupted. Nothing was changed.", EXIT.interrupted);
    }
    throw error;
  } finally {
    ui.progress();
  }
}

function report({ ui }: Context, prepared: PlannedInstall, part: HarnessPlan | undefined): InstallReport {
  const { harness, site, url, notes, warnings } = prepared;
  for (const warning of [...warnings, ...part?.warnings ?? [], ...part?.conflicts ?? []]) ui.warn(warning);
  const files = part?.changes.map(({ path }) => path) ?? [];
  const connected = isConnected(configState(harness, site));
  if (!connected) {
    ui.fail(`${harness.displayName} is not connected: the entries named above are in the way.`);
    ui.hint("Remove them and install again.");
  } else if (files.length === 0) {
    ui.ok(`${ui.bold(harness.displayName)} is already connected; nothing to change`);
  } else {
    ui.ok(`Connected ${ui.bold(harness.displayName)} to ${ui.bold(url)} as agent ${ui.bold(site.agentId)}`);
    for (const path of files) ui.next(ui.path(path));
  }
  for (const note of notes) ui.next(note);
  return {
    harness: harness.id,
    url,
    agentId: site.agentId,
    connected,
    filesWritten: files,
    warnings: part?.warnings ?? [],
    notes,
  };
}

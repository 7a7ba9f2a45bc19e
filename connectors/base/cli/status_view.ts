import { realOs } from "../fs/os.ts";
import type { Finding, Harness, Site } from "../harness.ts";
import { type State, stateOf } from "../install/install_state.ts";
import { backupsDir, readLedger } from "../install/ledger.ts";
import { programVersion } from "../versions/program_version.ts";
import { commandLine, withThisBinary } from "./command_line.ts";
import type { Context } from "./command.ts";
import { type Health, healthOf } from "./commands/health.ts";
import { findForge, type Forge } from "./forge.ts";
import { installedSite } from "./installed_site.ts";
import { selectedHarnesses } from "./selected_harnesses.ts";

export interface HarnessStatus {
  readonly harness: Harness;
  readonly name: string;
  /** The version of the harness's program. */
  readonly version?: string;
  readonly site: Site;
  readonly state: State;
  /** Whether there is a ledger of an install. */
  readonly installed: boolean;
  readonly health: Health;
  readonly backups: string[];
  /** What the harness itself reports about our hooks. */
  readonly findings: readonly Finding[];
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
  const { host } = context;
  const version = before ? before.version : (await programVersion(harness, host))?.version;
  const site = await installedSite(context, harness, version);
  const state = await stateOf(harness, site, host);
  const reading = state.stateDir === undefined ? undefined : await readLedger(realOs, state.stateDir);
  const backups = reading?.kind === "ok"
    ? reading.ledger.files.flatMap(({ backup }) =>
      backup ? [`${backupsDir(state.stateDir ?? "")}/${backup}`] : []
    )
    : [];
  const rewrite = (text: string) => withThisBinary(context, harness, text);
  const inspect = async () =>
    state.connected && harness.inspector ? await (await harness.inspector()).inspect(site) : [];
  return {
    harness,
    name: harness.displayName,
    version,
    site,
    state,
    installed: reading?.kind === "ok",
    health: healthOf(state, commandLine(context, harness.id)),
    backups,
    findings: before?.findings ??
      (await inspect()).map(({ ok, message, fix }) => ({
        ok,
        message: rewrite(message),
        fix: fix && rewrite(fix),
      })),
  };
}

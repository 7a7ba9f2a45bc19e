import type { Surroundings } from "../../../hooks/state/paths.ts";
import { hookReport } from "../../../hooks/report.ts";
import { versionOf } from "../programs/find_program.ts";
import type { Harness, Site } from "../harness.ts";
import type { State } from "../install/install_state.ts";
import { addsMcpServer } from "../plugin/render.ts";
import { VERSION } from "../../../hooks/daemon/version.ts";
import { checkHooks } from "./check_hooks.ts";
import { checkSharing } from "./check_sharing.ts";
import { checkInstall, checkSpool, inspectHarness } from "./check_state.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { probeMcp } from "./probe_mcp.ts";

/** Checks everything about one harness, from the settings to the running hooks. */
export async function* examine(
  harness: Harness,
  site: Site,
  state: State,
  host: Surroundings,
): AsyncGenerator<Diagnosis> {
  yield* await checkInstall(harness, site, state);
  if (!state.connected) return;
  yield await program(site);
  yield* checkHooks(harness, site, state, host);
  if (state.daemon.kind === "ok") yield* checkSharing(state.settings);
  if (startsMcp(site, state)) yield await probeMcp(site.argv("mcp"));
  yield* await inspectHarness(harness, site, state);
  // Read again: the hooks above delivered what was waiting.
  yield* checkSpool(hookReport(state.settings, host)?.spool);
  if (harness.assumed) {
    yield {
      id: "assumed",
      ok: true,
      message: `Not verified on a running ${harness.displayName}: ${harness.assumed}`,
    };
  }
}

/** Whether an entry in the config, or the installed plugin, starts the MCP server. */
function startsMcp(site: Site, { config }: State): boolean {
  return config.entries.some(({ file, path }) =>
    path.length > 0 ? path.at(-1) === "signet" : addsMcpServer(site.readText(file) ?? "")
  );
}

async function program(site: Site): Promise<Diagnosis> {
  const [path = ""] = site.argv();
  const version = await versionOf(path);
  if (version === VERSION) return { id: "program", ok: true, message: `${path} is version ${VERSION}` };
  const message = version === undefined
    ? `${path}, which the hooks call, cannot be run`
    : `${path} is version ${version}, but this is ${VERSION}`;
  return { id: "program", ok: false, message, fix: "run install again", fixable: true };
}

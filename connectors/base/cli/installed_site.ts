import { loadSettings } from "../../../hooks/daemon/settings.ts";
import type { Harness, Site } from "../harness.ts";
import { findWorkspace } from "../../../hooks/state/workspace.ts";
import { installedProgram, thisProcess } from "../programs/installed_program.ts";
import { DEFAULT_FLAGS, siteFor } from "../site/site.ts";
import type { Context } from "./command.ts";

/**
 * The site of a harness as it is installed, for commands that only read. Only
 * those that compare entries need the version of the harness's program.
 */
export async function installedSite(
  { host, binary }: Pick<Context, "host" | "binary">,
  harness: Harness,
  version?: string,
): Promise<Site> {
  const settings = loadSettings(harness.id, host);
  const program = await installedProgram(harness, { binary, host, running: thisProcess() });
  const workspace = findWorkspace({ stored: settings.workspace, host })?.path;
  const flags = { ...DEFAULT_FLAGS, ...settings.options };
  return siteFor(harness, { host, program, agentId: settings.agentId, workspace, flags, version });
}

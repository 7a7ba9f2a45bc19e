import { home } from "../../hooks/state/paths.ts";
import { loadSettings, type Settings } from "../../hooks/daemon/settings.ts";
import type { Context } from "../base/cli/command.ts";
import { installedSite } from "../base/cli/installed_site.ts";
import { isPresent } from "../base/cli/is_present.ts";
import { findProgram } from "../base/programs/find_program.ts";
import { programVersion } from "../base/versions/program_version.ts";
import type { Harness } from "../base/harness.ts";
import { configState, isConnected } from "../base/install/install_state.ts";

/** A harness on this machine. */
export interface FoundHarness {
  readonly harness: Harness;
  /** Its program on PATH; undefined if only its directory was found. */
  readonly program?: string;
  readonly version?: string;
  readonly configDir: string;
  /** The settings it is connected with, if any. */
  readonly connected?: Pick<Settings, "url" | "agentId">;
}

/** Finds the harnesses on this machine: directory, program, version, and whether they are connected. */
export function findHarnesses(context: Context): Promise<FoundHarness[]> {
  const { host, known } = context;
  const base = home(host) ?? "";
  return Promise.all(
    known.filter((harness) => isPresent(harness, host)).map(async (harness) => {
      const program = findProgram(harness.programs, host);
      const version = (await programVersion(harness, host))?.version;
      const site = await installedSite(context, harness, version);
      const connected = isConnected(configState(harness, site));
      return {
        harness,
        program,
        version,
        configDir: harness.configDir({ host, home: base }),
        connected: connected ? loadSettings(harness.id, host) : undefined,
      };
    }),
  );
}

/** A short description: `2.1.0, connected as nicholai/pi`. */
export function describeHarness(
  { program, version, configDir, connected }: FoundHarness,
  { path }: Pick<Context["ui"], "path">,
): string {
  const parts = [program ? version ?? "version unknown" : `${path(configDir)}, no program on PATH`];
  if (connected) parts.push(`connected as ${connected.agentId}`);
  return parts.join(", ");
}

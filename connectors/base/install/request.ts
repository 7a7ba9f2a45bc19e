import { stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import {
  loadSettings,
  type Settings,
  type SettingsFlags,
  type StoredSettings,
} from "../../../hooks/daemon/settings.ts";
import { findWorkspace } from "../../../hooks/state/workspace.ts";
import type { Harness, InstallFlags } from "../harness.ts";
import { DEFAULT_FLAGS } from "../site/site.ts";
import type { ProgramVersion } from "../versions/program_version.ts";
import type { ProgramPlace } from "../programs/program_place.ts";

/** What to install, validated and complete. */
export interface InstallRequest {
  readonly harness: Harness;
  readonly host: Surroundings;
  readonly program: ProgramPlace;
  readonly credentials: StoredSettings;
  /** The Signet workspace on this machine, if there is one. */
  readonly workspace?: string;
  readonly flags: InstallFlags;
  /** The directory of the ledger. */
  readonly stateDir: string;
  /** The version of the harness's program; `any` for an uninstall. */
  readonly found?: ProgramVersion | "any";
}

/**
 * Completes the flags of a command with what an earlier install stored: a
 * second `install` without flags keeps URL, key and agent.
 */
export function installRequest(
  harness: Harness,
  host: Surroundings,
  settingsFlags: SettingsFlags,
  program: ProgramPlace,
  flags: InstallFlags,
  found?: InstallRequest["found"],
): { request: InstallRequest; settings: Settings } {
  const dir = stateDir(harness.id, host);
  if (dir === undefined) throw new Error("HOME is not set, so nothing can be installed; set HOME.");
  const settings = loadSettings(harness.id, host, settingsFlags);
  const workspace = findWorkspace({ flag: settingsFlags.workspace, stored: settings.workspace, host });
  const credentials: StoredSettings = {
    url: settings.url,
    apiKey: settings.apiKey,
    agentId: settings.agentId,
    connectorId: settings.connectorId ?? `conn_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`,
    machineId: settings.machineId ?? machineName(),
    // Only an explicit path is stored: ~/.agents is looked up every time.
    workspace: workspace && workspace.from !== "~/.agents" ? workspace.path : undefined,
    insecureHttp: settings.insecureHttp || undefined,
    options: changedFlags(flags),
    ...(settings.keys && settings.keys.agents.length > 0 && { agents: [...settings.keys.agents] }),
  };
  return {
    request: { harness, host, program, credentials, workspace: workspace?.path, flags, stateDir: dir, found },
    settings,
  };
}

/** The flags that differ from the defaults; undefined if none does. */
function changedFlags(flags: InstallFlags): Record<string, boolean> | undefined {
  const changed = Object.entries(flags).filter(([name, on]) =>
    Boolean(on) !== Boolean(Object.entries(DEFAULT_FLAGS).find(([each]) => each === name)?.[1])
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function machineName(): string {
  try {
    return Deno.hostname();
  } catch {
    return "unknown"; // no permission, or a name that is not text
  }
}

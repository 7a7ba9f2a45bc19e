import { type Surroundings } from "../../hooks/paths.ts";
import { loadSettings, type Settings, type StoredSettings } from "../../hooks/settings.ts";
import { findWorkspace } from "./identity/workspace.ts";
import type { Harness, InstallFlags } from "./harness.ts";
import type { InstallRequest } from "./installation.ts";
import type { ProgramPlace } from "./program_place.ts";

export interface Asked {
  readonly url?: string;
  readonly apiKey?: string;
  readonly agentId?: string;
  readonly workspace?: string;
  readonly insecureHttp?: boolean;
}

/**
 * Completes what a person asked for with what an earlier install stored: a
 * second `install` without flags keeps URL, key and agent.
 */
export function installRequest(
  harness: Harness,
  host: Surroundings,
  asked: Asked,
  program: ProgramPlace,
  flags: InstallFlags,
): { request: InstallRequest; settings: Settings } {
  const settings = loadSettings(harness.id, host, asked);
  const workspace = findWorkspace({ flag: asked.workspace, stored: settings.workspace, host });
  const credentials: StoredSettings = {
    url: settings.url,
    apiKey: settings.apiKey,
    agentId: settings.agentId,
    connectorId: settings.connectorId ?? `conn_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`,
    machineId: settings.machineId ?? machineName(),
    // Only a place that was named is stored: ~/.agents is looked for every time.
    workspace: workspace && workspace.from !== "~/.agents" ? workspace.path : undefined,
    insecureHttp: settings.insecureHttp || undefined,
  };
  return {
    request: { harness, host, program, credentials, workspace: workspace?.path, flags },
    settings,
  };
}

function machineName(): string {
  try {
    return Deno.hostname();
  } catch {
    return "unknown"; // no permission, or a name that is not text
  }
}

import { loadSettings } from "../../../hooks/daemon/settings.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";

/** The agent of the sessions in a directory, and why. */
export interface AgentHere {
  readonly directory: string;
  readonly agentId: string;
  /** The setting that decides it: a variable, a file, or `default`. */
  readonly from: string;
  /** The same as a sentence. */
  readonly sentence: string;
  /** Whether it is another agent than the installed one, or there is more than one. */
  readonly matters: boolean;
  /** What may be different in a running session. */
  readonly warning?: string;
  readonly fix?: string;
}

/** Which agent this directory gets, as a hook decides it. */
export function agentHere(harness: Harness, host: Surroundings, directory = workingDirectory()): AgentHere {
  const place = { cwd: directory, projectFirst: harness.sharesEnvironment };
  const { agentId, sources, keys } = loadSettings(harness.id, host, {}, place);
  const variable = host.env("SIGNET_AGENT_ID");
  const stale = harness.sharesEnvironment === true && sources.agentId === "SIGNET_AGENT_ID";
  return {
    directory,
    agentId,
    from: sources.agentId,
    sentence: `Sessions in ${directory} use agent ${agentId} (${sources.agentId})`,
    matters: (keys?.agents.length ?? 0) > 0 || agentId !== keys?.installed.agentId,
    ...(stale && {
      warning: `${harness.displayName} may run its hooks with the environment of its first window, ` +
        `so SIGNET_AGENT_ID=${variable} may not reach them`,
      fix: `run: ${harness.binary} agent set ${variable} --project ${directory}`,
    }),
  };
}

function workingDirectory(): string {
  try {
    return Deno.cwd();
  } catch {
    // The directory was removed.
    return "";
  }
}

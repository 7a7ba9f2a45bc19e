import type { Surroundings } from "../../../hooks/state/paths.ts";
import { linkedSkills } from "./linked_skills.ts";
import { shellCommand } from "../hooks_config/hook_command.ts";
import type { Harness, IdentityTarget, Site } from "../harness.ts";

/** The sync of one harness. */
export interface SyncJob {
  /** The harness's id. */
  readonly harness: string;
  /** The command that runs the connector, as a user types it. */
  readonly binary: string;
  /** Arguments after the name of a command: `-H pi` if one binary serves every harness. */
  readonly which?: string;
  readonly agentId: string;
  /** `~/.local/state/signet/<harness>`. */
  readonly stateDir: string;
  /** Undefined if this machine has no workspace. */
  readonly workspace: string | undefined;
  /** The identity file; undefined if the harness has none, or with `--no-identity`. */
  readonly identity?: IdentityTarget;
  /** The directory for skill links; undefined if there is none, or with `--no-skills`. */
  readonly skillsDir?: string;
  readonly host?: Surroundings;
}

/** The sync of a harness as it is installed at `site`. */
export function syncJob(harness: Harness, site: Site, stateDir: string): SyncJob {
  const { agentId, workspace, flags, host } = site;
  const [program = harness.binary, , ...which] = site.argv("sync");
  return {
    harness: harness.id,
    // Quoted only if necessary: people read it, and models copy it.
    binary: /^[\w./:\\-]+$/.test(program) ? program : shellCommand(host, [program]),
    which: which.join(" "),
    agentId,
    stateDir,
    workspace,
    identity: flags.identity ? harness.identity(site) : undefined,
    skillsDir: flags.skills ? linkedSkills(harness, site) : undefined,
    host,
  };
}

import { credentialsPath, join, type Surroundings } from "../../../hooks/state/paths.ts";
import type { StoredSettings } from "../../../hooks/daemon/settings.ts";
import type { Harness, InstallFlags, Site, Target } from "../harness.ts";
import { builtinSkills } from "../memory/builtin_skills.ts";
import { shellCommand } from "../hooks_config/hook_command.ts";
import type { ProgramPlace } from "../programs/program_place.ts";
import { siteFor } from "../site/site.ts";
import { type Owned, ownedAt, syncJob } from "../sync/job.ts";
import { planSync, type SyncPlan } from "../sync/plan_sync.ts";
import { recordedService } from "../sync/service.ts";
import { writeStamp } from "../sync/stamp.ts";
import { workspaceSkills } from "../sync/plan_skills.ts";

/** What a person asked for, checked and complete. */
export interface InstallRequest {
  readonly harness: Harness;
  readonly host: Surroundings;
  readonly program: ProgramPlace;
  readonly credentials: StoredSettings;
  /** The Signet workspace on this machine, where there is one. */
  readonly workspace?: string;
  readonly flags: InstallFlags;
  /** Where the ledger is. */
  readonly stateDir: string;
}

export interface Installation {
  readonly site: Site;
  readonly targets: Target[];
  /** Files of ours that the user edited: copied beside before they are written anew. */
  readonly keep: SyncPlan["keep"];
  /** To be called when all is written: a hook then knows when the identity is stale. */
  stamp(): Promise<void>;
  readonly warnings: readonly string[];
  /** What a person should know, though nothing is in the way. */
  readonly notes: string[];
}

/**
 * Every file that an install wants, in the order in which they are written:
 * hooks last, when all they call is there. An uninstall says that it owns
 * nothing: what the user edited must not count as ours because we could replace it.
 */
export async function installation(request: InstallRequest, owned?: Owned): Promise<Installation> {
  const { harness, host, program, credentials, workspace, flags, stateDir } = request;
  const { agentId } = credentials;
  const site = siteFor(harness, { host, program: program.path, agentId, workspace, flags });
  const targets: Target[] = [];
  if (program.source !== undefined) {
    targets.push({ kind: "program", path: program.path, from: program.source });
  }
  const secret = credentialsPath(harness.id, host);
  if (secret !== undefined) {
    targets.push({ kind: "secret", path: secret, text: JSON.stringify(credentials, null, 2) + "\n" });
  }
  const ours = owned ?? await ownedAt(stateDir);
  const job = syncJob(harness, site, stateDir);
  const sync = await planSync(job, ours);
  targets.push(...sync.targets, ...ownSkills(harness, site), ...recordedService(program.path, host, ours));
  targets.push(...harness.targets(site));
  return {
    site,
    targets,
    keep: sync.keep,
    stamp: () => writeStamp(job, sync.sources),
    warnings: sync.warnings,
    notes: [...sync.notes, ...harness.notes(site)],
  };
}

/** The skills that ship in the binary, for a harness that reads skills, unless the workspace has its own. */
function ownSkills(harness: Harness, site: Site): Target[] {
  const { host, workspace, flags } = site;
  const dir = flags.skills ? harness.skillsDir(site) : undefined;
  if (dir === undefined) return [];
  const taken = workspace === undefined ? [] : workspaceSkills(workspace, host);
  const [program = "", ...args] = site.argv();
  const command = shellCommand(host, [program, ...args]);
  return Object.entries(builtinSkills(command, taken)).flatMap(([name, parts]) =>
    Object.entries(parts).map(([file, text]): Target => ({
      kind: "file",
      path: join(host, dir, name, file),
      text,
      // The front matter's name, which is ours alone, on the line where we write it.
      owns: (existing) => existing.startsWith(`---\nname: ${name}\n`),
    }))
  );
}

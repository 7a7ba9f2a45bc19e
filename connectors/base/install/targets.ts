import { credentialsPath, join } from "../../../hooks/state/paths.ts";
import type { Harness, Site, Target } from "../harness.ts";
import { builtinSkills } from "../memory/builtin_skills.ts";
import { shellCommand } from "../hooks_config/hook_command.ts";
import { dirOf, nameOf } from "../fs/file_path.ts";
import { calledPath } from "../programs/program_place.ts";
import type { InstallRequest } from "./request.ts";
import { siteFor } from "../site/site.ts";
import { type Owned, ownedAt } from "../sync/owned.ts";
import { syncJob } from "../sync/sync_job.ts";
import { planSync, type SyncPlan } from "../sync/plan_sync.ts";
import { recordedService } from "../sync/service.ts";
import { writeStamp } from "../sync/source_stamp.ts";
import { cacheVersion } from "../versions/program_version.ts";
import { workspaceSkills } from "../sync/plan_skills.ts";

/** The targets of an install, and what to do before and after they are written. */
export interface InstallTargets {
  readonly site: Site;
  readonly targets: Target[];
  /** Generated files that the user edited: copied before they are overwritten. */
  readonly keep: SyncPlan["keep"];
  /** Call it after the targets are written: hooks compare the stamp to see when the identity is stale. */
  stamp(): Promise<void>;
  readonly warnings: readonly string[];
  /** Information for the user; not a problem. */
  readonly notes: string[];
}

/**
 * The files of an install in the order in which they are written: hooks last,
 * after everything they call. An uninstall passes NOTHING_OWNED, so that a
 * generated file which the user edited does not count as replaceable.
 */
export async function installTargets(request: InstallRequest, owned?: Owned): Promise<InstallTargets> {
  const { harness, host, program, credentials, workspace, flags, stateDir, found } = request;
  const { agentId } = credentials;
  const version = found === "any" ? found : found?.version;
  const site = siteFor(harness, { host, program: calledPath(program), agentId, workspace, flags, version });
  const targets: Target[] = [];
  if (program.source !== undefined) {
    targets.push({ kind: "program", path: program.path, from: program.source });
  }
  if (program.link !== undefined) {
    targets.push({ kind: "link", path: program.link, to: linkText(program.link, program.path) });
  }
  const secret = credentialsPath(harness.id, host);
  if (secret !== undefined) {
    targets.push({ kind: "secret", path: secret, text: JSON.stringify(credentials, null, 2) + "\n" });
  }
  const known = owned ?? await ownedAt(stateDir);
  const job = syncJob(harness, site, stateDir);
  const sync = await planSync(job, known);
  targets.push(
    ...sync.targets,
    ...builtinSkillTargets(harness, site),
    ...recordedService(program.path, host, known),
    ...program.link === undefined ? [] : recordedService(program.link, host, known),
  );
  targets.push(...harness.targets(site));
  return {
    site,
    targets,
    keep: sync.keep,
    async stamp() {
      await writeStamp(job, sync.sources);
      if (found !== undefined && found !== "any") cacheVersion(stateDir, found);
    },
    warnings: sync.warnings,
    notes: [...sync.notes, ...harness.notes(site)],
  };
}

/** A link beside its target names it without the directory, so that the directory can be moved. */
function linkText(link: string, target: string): string {
  return dirOf(link) === dirOf(target) ? nameOf(target) : target;
}

/** The skills that ship in the binary; a workspace skill of the same name takes precedence. */
function builtinSkillTargets(harness: Harness, site: Site): Target[] {
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
      // The name in the front matter is unique to our skills.
      owns: (existing) => existing.startsWith(`---\nname: ${name}\n`),
    }))
  );
}

import { credentialsPath, join, type Surroundings } from "../../hooks/paths.ts";
import type { StoredSettings } from "../../hooks/settings.ts";
import type { Harness, InstallFlags, Site, Target } from "./harness.ts";
import { builtinSkills } from "./memory/skills.ts";
import { shellCommand } from "./command.ts";
import type { ProgramPlace } from "./program_place.ts";
import { siteFor } from "./site.ts";
import { workspaceSkills } from "./skills.ts";
import type { SyncPlan } from "./sync/plan_sync.ts";

/** What a person asked for, checked and complete. */
export interface InstallRequest {
  readonly harness: Harness;
  readonly host: Surroundings;
  readonly program: ProgramPlace;
  readonly credentials: StoredSettings;
  /** The Signet workspace on this machine, where there is one. */
  readonly workspace?: string;
  readonly flags: InstallFlags;
}

export interface Installation {
  readonly site: Site;
  readonly targets: Target[];
  readonly warnings: string[];
  /** What a person should know, though nothing is wrong. */
  readonly notes: string[];
}

/** The harness's place, as this install makes it. */
export function siteOf({ harness, host, program, credentials, workspace, flags }: InstallRequest): Site {
  return siteFor(harness, { host, program: program.path, agentId: credentials.agentId, workspace, flags });
}

/**
 * Every file that an install wants, in the order in which they are written:
 * hooks last, when all they call is there. `synced` is the identity and the
 * workspace's skills, which depend on what the ledger says is ours.
 */
export function installation(request: InstallRequest, synced: SyncPlan): Installation {
  const { harness, host, program, credentials, flags } = request;
  const site = siteOf(request);
  const targets: Target[] = [];
  if (program.source !== undefined) {
    targets.push({ kind: "program", path: program.path, from: program.source });
  }
  const secret = credentialsPath(harness.id, host);
  if (secret !== undefined) {
    targets.push({ kind: "secret", path: secret, text: JSON.stringify(credentials, null, 2) + "\n" });
  }
  targets.push(...synced.targets);
  if (flags.skills) targets.push(...builtinSkillTargets(harness, site, program.path));
  targets.push(...harness.targets(site));
  return { site, targets, warnings: [...synced.warnings], notes: [...synced.notes, ...harness.notes(site)] };
}

/** Our own two skills as folders, unless the workspace has its own of that name. */
function builtinSkillTargets(harness: Harness, site: Site, program: string): Target[] {
  const dir = harness.skillsDir(site);
  if (dir === undefined) return [];
  const { workspace, host } = site;
  const taken = workspace === undefined ? [] : workspaceSkills(workspace, host);
  return Object.entries(builtinSkills(shellCommand(host, [program]), taken)).flatMap(([name, parts]) =>
    Object.entries(parts).map(([file, text]): Target => ({
      kind: "file",
      path: join(host, dir, name, file),
      text,
      // The front matter's name, which is ours alone, on the line where we write it.
      owns: (existing) => existing.startsWith(`---\nname: ${name}\n`),
    }))
  );
}

import { credentialsPath, join, type Surroundings } from "../../hooks/paths.ts";
import type { StoredSettings } from "../../hooks/settings.ts";
import { composeIdentity } from "./identity/compose.ts";
import { isGenerated } from "./identity/header.ts";
import type { Harness, InstallFlags, Site, Target } from "./harness.ts";
import { builtinSkills } from "./memory/skills.ts";
import { shellCommand } from "./command.ts";
import type { ProgramPlace } from "./program_place.ts";
import { siteFor } from "./site.ts";
import { workspaceSkills } from "./skills.ts";

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

/** Every file that an install wants, in the order in which they are written: hooks last, when all they call is there. */
export function installation(request: InstallRequest): Installation {
  const { harness, host, program, credentials, workspace, flags } = request;
  const site = siteFor(harness, {
    host,
    program: program.path,
    agentId: credentials.agentId,
    workspace,
    flags,
  });
  const warnings: string[] = [];
  const notes: string[] = [];
  const targets: Target[] = [];
  if (program.source !== undefined) {
    targets.push({ kind: "program", path: program.path, from: program.source });
  }
  const secret = credentialsPath(harness.id, host);
  if (secret !== undefined) {
    targets.push({ kind: "secret", path: secret, text: JSON.stringify(credentials, null, 2) + "\n" });
  }
  if (flags.identity) targets.push(...identityTargets(harness, site, program.path, warnings, notes));
  if (flags.skills) targets.push(...skillTargets(harness, site, program.path));
  targets.push(...harness.targets(site));
  return { site, targets, warnings, notes: [...notes, ...harness.notes(site)] };
}

export function identityTargets(
  harness: Harness,
  site: Site,
  program: string,
  warnings: string[],
  notes: string[],
): Target[] {
  const place = harness.identity(site);
  if (place === undefined) return [];
  const { workspace, agentId, host } = site;
  const composed = composeIdentity({ workspace, agentId, binary: program, host });
  if (composed === undefined) {
    notes.push("No Signet workspace on this machine: identity comes from the daemon at session start.");
    return [];
  }
  warnings.push(...composed.warnings);
  const there = site.readText(place.path);
  if (there === undefined || isGenerated(there)) {
    return [{ kind: "file", path: place.path, text: composed.text, owns: isGenerated }];
  }
  if (place.rule === "block") return [{ kind: "block", path: place.path, text: composed.inner }];
  warnings.push(
    `${place.path} is yours and stays as it is; identity comes from the daemon at session start.`,
  );
  return [];
}

/** The workspace's skills as links, and our own two as folders unless the workspace has them. */
export function skillTargets(harness: Harness, site: Site, program: string): Target[] {
  const dir = harness.skillsDir(site);
  if (dir === undefined) return [];
  const { workspace, host } = site;
  const linked = workspace === undefined ? [] : workspaceSkills(workspace, host);
  const links = linked.map((name): Target => ({
    kind: "link",
    path: join(host, dir, name),
    to: join(host, workspace ?? "", "skills", name),
  }));
  const own = Object.entries(builtinSkills(shellCommand(host, [program]), linked));
  const files = own.flatMap(([name, parts]) =>
    Object.entries(parts).map(([file, text]): Target => ({
      kind: "file",
      path: join(host, dir, name, file),
      text,
      // The front matter's name, which is ours alone, on the line where we write it.
      owns: (existing) => existing.startsWith(`---\nname: ${name}\n`),
    }))
  );
  return [...links, ...files];
}

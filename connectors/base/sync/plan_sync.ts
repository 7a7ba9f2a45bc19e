import { isGenerated } from "../identity/header.ts";
import type { Stamp } from "../../../hooks/state/stale.ts";
import { composeIdentity } from "../identity/compose.ts";
import type { IdentityTarget, Target } from "../harness.ts";
import { planSkills, type SkillLink } from "./plan_skills.ts";
import { readIdentityFile } from "./read_identity_file.ts";
import { decideBlock, decideOwn, type IdentityFile } from "./decide_identity.ts";
import type { Owned } from "./owned.ts";
import type { SyncJob } from "./sync_job.ts";
import { sourcePaths, stampSources } from "./source_stamp.ts";

/** The identity and the skills of one harness, for the plan of an install or a sync. */
export interface SyncPlan {
  readonly targets: readonly Target[];
  /** The stamp of the sources, taken before they were read. */
  readonly sources: Stamp;
  /** Generated files that the user edited: copied to `as` before the plan is applied. */
  readonly keep: readonly { readonly path: string; readonly as: string }[];
  /** Our links to skills that no longer exist. */
  readonly drop: readonly SkillLink[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** Reads everything, writes nothing. */
export async function planSync(job: SyncJob, owned: Owned, now = new Date()): Promise<SyncPlan> {
  const sources = stampSources(job);
  const composed = composeIdentity({ ...job, omit: job.identity?.omit, now });
  const targets: Target[] = [];
  const keep: { path: string; as: string }[] = [];
  const warnings: string[] = [];
  if (composed === undefined || job.workspace === undefined) {
    const where = job.workspace === undefined
      ? "No workspace on this machine"
      : `No workspace at ${job.workspace}`;
    return {
      targets,
      sources,
      keep,
      drop: [],
      warnings,
      notes: [`${where}: identity comes from the daemon when a session starts.`],
    };
  }
  if (job.identity !== undefined) {
    warnings.push(...composed.warnings);
    const { path } = job.identity;
    const current = await readTarget(path, job);
    const rule = ruleFor(job.identity.rule, current);
    const decision = rule === "own"
      ? decideOwn(current, composed, owned.files.get(path))
      : decideBlock(current, composed);
    if (decision.kind === "leave") warnings.push(`${path} was not changed: ${decision.reason}.`);
    else {
      if (decision.keepEdited) {
        const as = await freeName(`${path}.edited`);
        keep.push({ path, as });
        warnings.push(
          `${path} was edited; your version is in ${as}. Edit the files in ${job.workspace} instead.`,
        );
      }
      const readText = current.kind === "file" ? current.text : undefined;
      // Ownership was decided above; a file that changed since then waits for the next sync.
      targets.push(
        rule === "own"
          ? { kind: "file", path, text: composed.text, owns: (text) => text === readText }
          : { kind: "block", path, text: composed.inner },
      );
    }
  }
  if (job.skillsDir === undefined) return { targets, sources, keep, drop: [], warnings, notes: [] };
  const { workspace, skillsDir, host } = job;
  const { links, remove, left } = planSkills({ workspace, skillsDir, owned: owned.links, host });
  targets.push(...links.map((link) => ({ kind: "link" as const, ...link })));
  warnings.push(
    ...left.map((path) => `${path} was not changed: it is yours, so the skill of that name is not linked.`),
  );
  return { targets, sources, keep, drop: remove, warnings, notes: [] };
}

/** Without user text, the whole file is generated, even with the rule `block`. */
function ruleFor(rule: IdentityTarget["rule"], current: IdentityFile): IdentityTarget["rule"] {
  if (current.kind === "absent") return "own";
  return current.kind === "file" && current.text !== undefined && isGenerated(current.text) ? "own" : rule;
}

/** Users link ~/.codex/AGENTS.md to the workspace's file: writing to it would edit the source. */
async function readTarget(path: string, job: SyncJob): Promise<IdentityFile> {
  const real = await realPath(path);
  if (real !== undefined) {
    for (const source of sourcePaths(job)) {
      if (await realPath(source) === real) {
        return { kind: "untouchable", reason: `it is the source ${source} itself` };
      }
    }
  }
  return await readIdentityFile(path);
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch {
    return undefined;
  }
}

/** The first of `name`, `name.2`, `name.3` that does not exist. */
async function freeName(name: string): Promise<string> {
  for (let n = 1;; n++) {
    const candidate = n === 1 ? name : `${name}.${n}`;
    try {
      await Deno.lstat(candidate);
    } catch {
      return candidate;
    }
  }
}

import { isGenerated } from "../identity/header.ts";
import type { Stamp } from "../../../hooks/state/stale.ts";
import { composeIdentity } from "../identity/compose.ts";
import type { IdentityTarget, Target } from "../harness.ts";
import { planSkills, type SkillLink } from "./plan_skills.ts";
import { readCurrent } from "./read_current.ts";
import { type Current, decideBlock, decideOwn } from "./decide.ts";
import type { Owned, SyncJob } from "./job.ts";
import { fileVersionSources, sourcePaths } from "./stamp.ts";

/** The identity and the skills of one harness, for the plan of an install or a sync. */
export interface SyncPlan {
  readonly targets: readonly Target[];
  /** How the sources looked before they were read, for the stamp. */
  readonly sources: Stamp;
  /** Files that the user edited though they are ours: to be copied to `as` before the plan is applied. */
  readonly keep: readonly { readonly path: string; readonly as: string }[];
  /** Links of ours whose skill is gone. */
  readonly drop: readonly SkillLink[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** Reads everything, writes nothing. */
export async function planSync(job: SyncJob, owned: Owned, now = new Date()): Promise<SyncPlan> {
  const sources = fileVersionSources(job);
  const composed = composeIdentity({ ...job, now });
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
    if (decision.kind === "leave") warnings.push(`${path} stays as it is: ${decision.why}.`);
    else {
      if (decision.keepEdited) {
        const as = await freeName(`${path}.edited`);
        keep.push({ path, as });
        warnings.push(
          `${path} was edited; your version is in ${as}. Edit the files in ${job.workspace} instead.`,
        );
      }
      const seen = current.kind === "file" ? current.text : undefined;
      // What is owned is decided above; a file that changed since then is left for the next sync.
      targets.push(
        rule === "own"
          ? { kind: "file", path, text: composed.text, owns: (text) => text === seen }
          : { kind: "block", path, text: composed.inner },
      );
    }
  }
  if (job.skillsDir === undefined) return { targets, sources, keep, drop: [], warnings, notes: [] };
  const { workspace, skillsDir, host } = job;
  const { links, remove, left } = planSkills({ workspace, skillsDir, ours: owned.links, host });
  targets.push(...links.map((link) => ({ kind: "link" as const, ...link })));
  warnings.push(
    ...left.map((path) => `${path} stays as it is: it is yours, and the skill of that name is not linked.`),
  );
  return { targets, sources, keep, drop: remove, warnings, notes: [] };
}

/** Where the user has written nothing, the whole file is ours, also under the rule `block`. */
function ruleFor(rule: IdentityTarget["rule"], current: Current): IdentityTarget["rule"] {
  if (current.kind === "absent") return "own";
  return current.kind === "file" && current.text !== undefined && isGenerated(current.text) ? "own" : rule;
}

/** People link ~/.codex/AGENTS.md to the workspace's: writing there would edit the source. */
async function readTarget(path: string, job: SyncJob): Promise<Current> {
  const real = await realPath(path);
  if (real !== undefined) {
    for (const source of sourcePaths(job)) {
      if (await realPath(source) === real) {
        return { kind: "untouchable", why: `it is the source ${source} itself` };
      }
    }
  }
  return await readCurrent(path);
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch {
    return undefined;
  }
}

/** `name`, `name.2`, `name.3`: the first that is not there. */
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

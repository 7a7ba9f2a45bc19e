import { composeIdentity } from "../identity/compose.ts";
import { planSkills } from "../skills.ts";
import { readCurrent } from "./current.ts";
import { decideBlock, decideOwn } from "./decide.ts";
import type { Change, Owned, SyncDoor, SyncJob, SyncReport } from "./job.ts";
import { lookAtSources, sourcePaths, stampPath, withTarget } from "./stamp.ts";
import { writeAtomically } from "./atomic_write.ts";

/** Brings one harness's identity file and skill links up to date, and says what it changed. */
export function syncOnce(job: SyncJob, door: SyncDoor, now = new Date()): Promise<SyncReport> {
  return door.exclusively(async () => {
    const sources = lookAtSources(job);
    const { changes, notes } = await planSync(job, await door.owned(), now);
    if (changes.length > 0) await door.apply(changes);
    const stamp = stampPath(job);
    if (stamp !== undefined && job.workspace !== undefined) {
      await writeAtomically(stamp, JSON.stringify(withTarget(sources, job)) + "\n");
    }
    return { harness: job.harness, changes: changes.filter((change) => change.kind !== "adopt"), notes };
  });
}

/** What a sync would change, without changing it. */
export async function planSync(
  job: SyncJob,
  owned: Owned,
  now = new Date(),
): Promise<{ changes: Change[]; notes: string[] }> {
  const composed = composeIdentity({ ...job, now });
  if (composed === undefined) {
    const where = job.workspace === undefined
      ? "No workspace on this machine"
      : `No workspace at ${job.workspace}`;
    return { changes: [], notes: [`${where}: identity comes from the daemon when a session starts.`] };
  }
  const changes: Change[] = [];
  const notes: string[] = [];
  if (job.identity !== undefined) {
    notes.push(...composed.warnings);
    const { path, rule } = job.identity;
    const source = await sourceBehind(path, job);
    const current = source === undefined
      ? await readCurrent(path)
      : { kind: "untouchable", why: `it is the source ${source} itself` } as const;
    const decision = rule === "own"
      ? decideOwn(current, composed, owned.files.get(path))
      : decideBlock(current, composed);
    if (decision.kind === "leave") notes.push(`${path} stays as it is: ${decision.why}.`);
    if (decision.kind === "unchanged" && decision.adopt !== undefined) {
      changes.push({ kind: "adopt", path, digest: decision.adopt });
    }
    if (decision.kind === "write") {
      if (decision.keepEdited) {
        const as = await freeName(`${path}.edited`);
        changes.push({ kind: "keep", path, as });
        notes.push(
          `${path} was edited; your version is in ${as}. Edit the files in ${job.workspace} instead.`,
        );
      }
      changes.push({ kind: "write", path, text: decision.text });
    }
  }
  if (job.skillsDir !== undefined && job.workspace !== undefined) {
    const plan = planSkills({
      workspace: job.workspace,
      skillsDir: job.skillsDir,
      ours: owned.links,
      host: job.host,
    });
    for (const link of plan.links) {
      if (await linkAt(link.path) !== link.to) changes.push({ kind: "link", ...link });
    }
    changes.push(...plan.remove.map((link) => ({ kind: "unlink" as const, ...link })));
    notes.push(
      ...plan.left.map((path) =>
        `${path} stays as it is: it is yours, and the skill of that name is not linked.`
      ),
    );
  }
  return { changes, notes };
}

/** People link ~/.codex/AGENTS.md to the workspace's: writing there would edit the source. */
async function sourceBehind(path: string, job: SyncJob): Promise<string | undefined> {
  const real = await realPath(path);
  if (real === undefined) return undefined;
  for (const source of sourcePaths(job)) {
    if (await realPath(source) === real) return source;
  }
  return undefined;
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch {
    return undefined;
  }
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await Deno.readLink(path);
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

import { applyPlan } from "../install/apply.ts";
import { acquire } from "../install/lock.ts";
import { type Os, realOs } from "../fs/os.ts";
import { isEmpty } from "../install/plan.ts";
import { planInstall } from "../install/plan_install.ts";
import { ownedAt, type SyncChange, type SyncJob, type SyncReport } from "./job.ts";
import { planSync, type SyncPlan } from "./plan_sync.ts";
import { stampPath, writeStamp } from "./stamp.ts";

/** Brings one harness's identity file and skill links up to date, and says what it changed. */
export async function syncOnce(job: SyncJob, os: Os = realOs, now = new Date()): Promise<SyncReport> {
  await Deno.mkdir(job.stateDir, { recursive: true, mode: 0o700 });
  // The stamp is the lock as well: one file of ours less to clean up.
  const stamp = stampPath(job);
  const held = await acquire(os, stamp);
  try {
    const plan = await planSync(job, await ownedAt(job.stateDir, os), now);
    await keepEdited(plan.keep, os);
    const { harness, stateDir } = job;
    const request = { harness, stateDir, targets: plan.targets, partial: true, drop: plan.drop };
    const planned = await planInstall(os, request);
    const { plan: done } = isEmpty(planned) ? { plan: planned } : await applyPlan(os, planned);
    await writeStamp(job, plan.sources);
    return {
      harness,
      changes: [
        ...plan.keep.map(({ as }) => ({ kind: "keep" as const, path: as })),
        ...done.changes.flatMap(({ kind, path }): SyncChange[] =>
          kind === "write" || kind === "link" || kind === "unlink" ? [{ kind, path }] : []
        ),
      ],
      warnings: [...plan.warnings, ...done.warnings],
      notes: plan.notes,
    };
  } finally {
    await held.release();
  }
}

/** Copies what the user made of our files, before a plan replaces them. */
export async function keepEdited(keep: SyncPlan["keep"], os: Os = realOs): Promise<void> {
  for (const { path, as } of keep) await os.copy(path, as, 0o600);
}

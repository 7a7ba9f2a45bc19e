import { makeStateDir } from "../../../hooks/state/made_dirs.ts";
import { applyPlan } from "../install/apply/apply.ts";
import { acquire } from "../install/apply/lock.ts";
import { type Os, realOs } from "../fs/os.ts";
import { isEmpty } from "../install/plan/plan.ts";
import { planInstall } from "../install/plan/plan_install.ts";
import { ownedAt } from "./owned.ts";
import type { SyncJob } from "./sync_job.ts";
import { planSync, type SyncPlan } from "./plan_sync.ts";
import { stampPath, writeStamp } from "./source_stamp.ts";

/** One change that a sync made. */
export interface SyncChange {
  readonly kind: "write" | "keep" | "link" | "unlink";
  readonly path: string;
}

/** The result of a sync. */
export interface SyncReport {
  readonly harness: string;
  readonly changes: readonly SyncChange[];
  /** What was skipped, and the reason. */
  readonly warnings: readonly string[];
  /** Information for the user; not a problem. */
  readonly notes: readonly string[];
}

/** Updates the identity file and the skill links of one harness. */
export async function syncOnce(job: SyncJob, os: Os = realOs, now = new Date()): Promise<SyncReport> {
  makeStateDir(job.stateDir);
  // The stamp is also the lock file: one file less to clean up.
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

/** Copies generated files that the user edited, before a plan replaces them. */
export async function keepEdited(keep: SyncPlan["keep"], os: Os = realOs): Promise<void> {
  for (const { path, as } of keep) await os.copy(path, as, 0o600);
}

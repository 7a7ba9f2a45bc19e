import { HOST, join, stateDir } from "../../../hooks/paths.ts";
import { lookAt, type Stamp, STAMP_NAME } from "../../../hooks/stale.ts";
import { agentDirectory } from "../identity/compose.ts";
import { SECTIONS } from "../identity/sections.ts";
import type { SyncJob } from "./job.ts";

/** Where a harness's stamp is; undefined where nothing says the user's home. */
export function stampPath(job: Pick<SyncJob, "harness" | "host">): string | undefined {
  const host = job.host ?? HOST;
  const dir = stateDir(job.harness, host);
  return dir === undefined ? undefined : join(host, dir, STAMP_NAME);
}

/** Every path that a sync of this job reads, whether it is there or not. */
export function sourcePaths({ workspace, agentId, host = HOST }: SyncJob): string[] {
  if (workspace === undefined) return [];
  const own = agentDirectory(workspace, agentId, host);
  return SECTIONS.flatMap(({ file }) => [
    ...(own === undefined ? [] : [join(host, own, file)]),
    join(host, workspace, file),
  ]);
}

/** How the sources look. Taken before they are read: a change while composing then shows as stale. */
export function lookAtSources(job: SyncJob): Stamp {
  const host = job.host ?? HOST;
  const skills = job.workspace === undefined ? [] : [join(host, job.workspace, "skills")];
  return { files: Object.fromEntries([...sourcePaths(job), ...skills].map((path) => [path, lookAt(path)])) };
}

/** The same with the written file, as it looks after writing. */
export function withTarget(stamp: Stamp, job: SyncJob): Stamp {
  if (job.identity === undefined) return stamp;
  return { files: { ...stamp.files, [job.identity.path]: lookAt(job.identity.path) } };
}

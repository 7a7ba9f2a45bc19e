import { IDENTITY_FILES } from "../../../hooks/context_text/local_identity.ts";
import { HOST, join } from "../../../hooks/state/paths.ts";
import { fileVersion, type Stamp, STAMP_NAME } from "../../../hooks/state/stale.ts";
import { within } from "../fs/file_path.ts";
import { agentDirectory } from "../identity/compose.ts";
import type { SyncJob } from "./job.ts";

/** `<state>/identity.json`. */
export function stampPath(job: Pick<SyncJob, "stateDir">): string {
  return within(job.stateDir, STAMP_NAME);
}

/** Every path that a sync of this job reads, whether it is there or not. */
export function sourcePaths({ workspace, agentId, host = HOST }: SyncJob): string[] {
  if (workspace === undefined) return [];
  const own = agentDirectory(workspace, agentId, host);
  return IDENTITY_FILES.flatMap(({ file }) => [
    ...(own === undefined ? [] : [join(host, own, file)]),
    join(host, workspace, file),
  ]);
}

/** How the sources look. Taken before they are read: a change while composing then shows as stale. */
export function fileVersionSources(job: SyncJob): Stamp {
  const host = job.host ?? HOST;
  const skills = job.workspace === undefined ? [] : [join(host, job.workspace, "skills")];
  return {
    files: Object.fromEntries([...sourcePaths(job), ...skills].map((path) => [path, fileVersion(path)])),
  };
}

/** The same with the written file, as it looks after writing. */
export function withTarget(stamp: Stamp, job: SyncJob): Stamp {
  if (job.identity === undefined) return stamp;
  return { files: { ...stamp.files, [job.identity.path]: fileVersion(job.identity.path) } };
}

/**
 * Leaves the stamp of a sync or an install that is done. Written in place, not
 * renamed: a sync holds its lock on this very file. Half a stamp is no stamp.
 */
export async function writeStamp(job: SyncJob, sources: Stamp): Promise<void> {
  await Deno.writeTextFile(stampPath(job), JSON.stringify(withTarget(sources, job)) + "\n", { mode: 0o600 });
}

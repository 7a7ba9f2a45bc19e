import { IDENTITY_FILES } from "../../../hooks/context_text/local_identity.ts";
import { HOST, join } from "../../../hooks/state/paths.ts";
import { fileVersion, type Stamp, STAMP_NAME } from "../../../hooks/state/stale.ts";
import { within } from "../fs/file_path.ts";
import { agentDirectory } from "../identity/compose.ts";
import type { SyncJob } from "./sync_job.ts";

/** `<state>/identity.json`. */
export function stampPath(job: Pick<SyncJob, "stateDir">): string {
  return within(job.stateDir, STAMP_NAME);
}

/** Every path that a sync of this job reads, whether it exists or not. */
export function sourcePaths({ workspace, agentId, host = HOST }: SyncJob): string[] {
  if (workspace === undefined) return [];
  const agentDir = agentDirectory(workspace, agentId, host);
  return IDENTITY_FILES.flatMap(({ file }) => [
    ...(agentDir === undefined ? [] : [join(host, agentDir, file)]),
    join(host, workspace, file),
  ]);
}

/** The stamp of the sources. Take it before reading them, so that a change while composing makes it stale. */
export function stampSources(job: SyncJob): Stamp {
  const host = job.host ?? HOST;
  const skills = job.workspace === undefined ? [] : [join(host, job.workspace, "skills")];
  return {
    files: Object.fromEntries([...sourcePaths(job), ...skills].map((path) => [path, fileVersion(path)])),
  };
}

/** The stamp with the written file added. */
export function withTarget(stamp: Stamp, job: SyncJob): Stamp {
  if (job.identity === undefined) return stamp;
  return { files: { ...stamp.files, [job.identity.path]: fileVersion(job.identity.path) } };
}

/**
 * Writes the stamp after a sync or an install. Written in place, not renamed: a
 * sync holds its lock on this file. A partial stamp counts as none.
 */
export async function writeStamp(job: SyncJob, sources: Stamp): Promise<void> {
  await Deno.writeTextFile(stampPath(job), JSON.stringify(withTarget(sources, job)) + "\n", { mode: 0o600 });
}

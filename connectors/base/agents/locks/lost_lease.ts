import { type Lock, type LockOwner } from "../../../../hooks/agents/locks/lock.ts";
import { Locks } from "../../../../hooks/agents/locks/locks.ts";
import { repositoryPath } from "../../../../hooks/agents/locks/targets/repository_path.ts";

/**
 * A session's shared lock belongs to somebody else by now. Removes it here, with the
 * lock on the session's copy of the file, so that the session learns it before its next edit.
 */
export async function loseShared(dir: string, lost: Lock): Promise<void> {
  const locks = new Locks(dir);
  const owner: Pick<LockOwner, "harness" | "session"> = lost;
  await locks.shared.dismiss(lost);
  for (const held of locks.heldBy(owner)) {
    if (held.scope !== lost.scope) continue;
    const repo = await repositoryPath(held.path);
    if (repo?.remote === lost.repo?.remote && repo?.path === lost.repo?.path) await locks.dismiss(held);
  }
}

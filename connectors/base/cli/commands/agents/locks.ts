import { readRepositoryConfig } from "../../../../../hooks/agents/config/config_files.ts";
import { repositoryRoot } from "../../../../../hooks/agents/config/repository_root.ts";
import { limitsOf } from "../../../../../hooks/agents/config/repository_limits.ts";
import type { HeldLock } from "../../../../../hooks/agents/locks/lock.ts";
import { LockTrouble } from "../../../../../hooks/agents/locks/lock_dir.ts";
import { holderName } from "../../../../../hooks/agents/locks/lock_reason.ts";
import { Locks } from "../../../../../hooks/agents/locks/locks.ts";
import { isWithin, targetPath } from "../../../../../hooks/agents/locks/targets/target_path.ts";
import { stripControls } from "../../../../../hooks/context_text/strip_controls.ts";
import { lockMode } from "../../../agents/locks/lock_mode.ts";
import { openMesh } from "../../../agents/mesh.ts";
import { LEVELS, lockDocument, lockPlace } from "../../agents/lock_output.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";
import { age } from "../../output/age.ts";
import { table } from "../../output/layout.ts";

/** Lists the locks on files. */
export async function run(context: Context): Promise<Outcome> {
  const { args, ui, host } = context;
  const repository = limitsOf(await readRepositoryConfig(repositoryRoot(Deno.cwd())));
  const mode = lockMode(repository, host);
  const all = readLocks(new Locks(openMesh(host).dir));
  const roots = args.flatMap((path) => [...targetPath(path, Deno.cwd()).paths]);
  const locks = all.filter((lock) =>
    roots.length === 0 || roots.some((root) => isWithin(lock.path, root) || covers(lock, root))
  ).sort((a, b) => a.path < b.path ? -1 : 1);
  const now = Date.now();
  if (locks.length === 0) ui.say(args.length === 0 ? "No file is locked." : "Not locked.");
  else {
    ui.block(table(
      ["PATH", "HOLDER", "SINCE", "ENDS IN", "LEVEL", "INTENT"],
      locks.map((lock) => [
        (lock.repo === undefined ? ui.path(lock.path) : lockPlace(lock)) +
        (lock.scope === "tree" ? "/**" : ""),
        holderName(lock),
        lock.taken > 0 ? age(now - lock.taken) : "",
        age(lock.until - now),
        lock.kind === "auto" ? "automatic" : LEVELS[lock.reach],
        stripControls(lock.intent).replace(/\s+/g, " ").slice(0, 60),
      ]),
      ui,
    ));
  }
  if (mode === "off") ui.warn("Locks are off (agents.yaml or SIGNET_LOCKS): no edit is refused.");
  return { code: EXIT.ok, data: { mode, locks: locks.map(lockDocument) } };
}

function readLocks(locks: Locks): HeldLock[] {
  try {
    return [...locks.dir.list(), ...locks.shared.dir.list()];
  } catch (error) {
    if (!(error instanceof LockTrouble)) throw error;
    throw new UserError(`The locks cannot be read: ${error.message}.`);
  }
}

function covers(lock: HeldLock, path: string): boolean {
  return lock.scope === "tree" && isWithin(path, lock.path);
}

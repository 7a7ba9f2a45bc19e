import { readUserConfig } from "../../../../hooks/agents/config/config_files.ts";
import type { LockMode } from "../../../../hooks/agents/config/lock_modes.ts";
import type { RepositoryLimits } from "../../../../hooks/agents/config/repository_limits.ts";
import { lockModeOf } from "../../../../hooks/agents/locks/lock_mode.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";

/** The mode of locks for this user, in a repository with these limits. */
export function lockMode(repository: RepositoryLimits | undefined, host: Surroundings): LockMode {
  return lockModeOf(readUserConfig(host).config.locks, host)(repository);
}

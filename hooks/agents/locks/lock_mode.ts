import { HOST, type Surroundings } from "../../state/paths.ts";
import { hasUserConfig } from "../config/has_user_config.ts";
import { LOCK_MODES, type LockMode } from "../config/lock_modes.ts";
import { type RepositoryLimits, tighterMode } from "../config/repository_limits.ts";

/** The mode of locks in a repository with these limits. */
export type LockModeOf = (repository?: RepositoryLimits) => LockMode;

/** From SIGNET_LOCKS, else `locks` in the user's `agents.yaml`, which a repository can tighten, else `on`. */
export function lockModeOf(user: LockMode = "on", host: Surroundings = HOST): LockModeOf {
  const set = LOCK_MODES.find((mode) => mode === host.env("SIGNET_LOCKS"));
  return (repository) => set ?? tighterMode(user, repository?.locks);
}

/** The same for a hook. Few users have an `agents.yaml`: without one, the code that reads it is not loaded. */
export async function loadLockMode(host: Surroundings = HOST): Promise<LockModeOf> {
  if (!hasUserConfig(host)) return lockModeOf(undefined, host);
  const { readUserConfig } = await import("../on_demand.ts");
  return lockModeOf(readUserConfig(host).config.locks, host);
}

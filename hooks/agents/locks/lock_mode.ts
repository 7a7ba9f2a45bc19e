import { HOST, type Surroundings } from "../../state/paths.ts";
import { LOCK_MODES, type LockMode } from "../config/lock_modes.ts";
import { readUserConfig } from "../config/config_files.ts";
import { type RepositoryLimits, tighterMode } from "../config/repository_limits.ts";

/** From SIGNET_LOCKS, else `locks` in `agents.yaml`, which a repository can tighten, else `on`. */
export function lockMode(repository?: RepositoryLimits, host: Surroundings = HOST): LockMode {
  const set = host.env("SIGNET_LOCKS");
  return LOCK_MODES.find((mode) => mode === set) ??
    tighterMode(readUserConfig(host).config.locks ?? "on", repository?.locks);
}

import { configDir, HOST, join, mayExist, type Surroundings } from "../../state/paths.ts";

export function userConfigPath(host: Surroundings = HOST): string | undefined {
  const dir = configDir(host);
  return dir === undefined ? undefined : join(host, dir, "agents.yaml");
}

/** The same settings in JSON, which count if there is no `agents.yaml`. */
export function jsonConfigPath(host: Surroundings = HOST): string | undefined {
  const dir = configDir(host);
  return dir === undefined ? undefined : join(host, dir, "agents.json");
}

/** Whether there is an `agents.yaml` of the user, or an `agents.json`, readable or not. */
export function hasUserConfig(host: Surroundings = HOST): boolean {
  return [userConfigPath(host), jsonConfigPath(host)].some((path) => path !== undefined && mayExist(path));
}

import { configDir, HOST, join, mayContain, type Surroundings } from "../../state/paths.ts";

const NAME = "agents.yaml";
const JSON_NAME = "agents.json";

export function userConfigPath(host: Surroundings = HOST): string | undefined {
  const dir = configDir(host);
  return dir === undefined ? undefined : join(host, dir, NAME);
}

/** The same settings in JSON, which count if there is no `agents.yaml`. */
export function jsonConfigPath(host: Surroundings = HOST): string | undefined {
  const dir = configDir(host);
  return dir === undefined ? undefined : join(host, dir, JSON_NAME);
}

/** Whether there is an `agents.yaml` of the user, or an `agents.json`, readable or not. */
export function hasUserConfig(host: Surroundings = HOST): boolean {
  const dir = configDir(host);
  return dir !== undefined && (mayContain(dir, NAME) || mayContain(dir, JSON_NAME));
}

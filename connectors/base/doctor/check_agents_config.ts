import {
  type ConfigFile,
  describeProblem,
  readUserConfig,
} from "../../../hooks/agents/config/config_files.ts";
import { jsonConfigPath } from "../../../hooks/agents/config/has_user_config.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import { configFiles } from "../agents/config/config_store.ts";
import { effectiveConfig, type Ignored } from "../agents/config/effective_config.ts";
import type { Site } from "../harness.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** Checks the `agents.yaml` of the user and of the repository here, for a harness that takes part. */
export async function checkAgentsConfig(
  { host, agentEvents }: Pick<Site, "host" | "agentEvents">,
): Promise<Diagnosis[]> {
  if (Object.keys(agentEvents).length === 0) return [];
  const files = await configFiles(host, workingDirectory());
  const { ignored } = effectiveConfig(files, host);
  return [
    ...files.filter(({ state }) => state === "broken").map(brokenFile),
    ...ignored.map(ignoredKey),
    ...leftJson(host),
  ];
}

function brokenFile(file: ConfigFile): Diagnosis {
  return {
    id: "agents-config",
    ok: false,
    message: `${describeProblem(file)}; until then all messages are held, and locks are strict`,
    fix: "fix that line by hand",
  };
}

/** A repository that wants more than it may is nothing that its user has to fix. */
function ignoredKey({ path, line, key, why, scope }: Ignored): Diagnosis {
  const where = line === undefined ? path : `${path}:${line}`;
  return { id: "agents-config", ok: scope !== "user", message: `${where}: ${key} does not count: ${why}` };
}

function* leftJson(host: Surroundings): Generator<Diagnosis> {
  const path = jsonConfigPath(host);
  const user = readUserConfig(host);
  if (path === undefined || user.state === "missing" || user.path === path || !exists(path)) return;
  yield { id: "agents-config", ok: true, message: `${path} does not count, because there is ${user.path}` };
}

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

function workingDirectory(): string {
  try {
    return Deno.cwd();
  } catch {
    return ""; // the directory was removed
  }
}

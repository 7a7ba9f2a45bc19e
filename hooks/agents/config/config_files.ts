import { parseObject } from "../../json.ts";
import { HOST, type Surroundings } from "../../state/paths.ts";
import { readStateFile } from "../../state/state_file.ts";
import { type AgentConfig, parseAgentConfig } from "./agent_config.ts";
import { hasUserConfig, jsonConfigPath, userConfigPath } from "./has_user_config.ts";
import { readYaml, YamlProblem } from "./read_yaml.ts";
import { hasRepositoryDir, repositoryDir } from "./repository_dir.ts";

/** The user's file, the one in the repository, and the one that is not committed. */
export type Scope = "user" | "project" | "local";
export const SCOPES: readonly Scope[] = ["user", "project", "local"];

/** An `agents.yaml` as it was found. */
export interface ConfigFile {
  readonly scope: Scope;
  readonly path: string;
  readonly state: "missing" | "read" | "broken";
  /** Of a broken file: the strictest that there is. */
  readonly config: AgentConfig;
  readonly unknown: readonly string[];
  readonly lines: ReadonlyMap<string, number>;
  /** Why it is broken, with the line, if that is known. */
  readonly problem?: { readonly line?: number; readonly message: string };
}

/** More is not a file that a person wrote. */
export const MAX_CONFIG = 65_536;
export const REPOSITORY_FILES = { project: "agents.yaml", local: "agents.local.yaml" } as const;

/** A file that cannot be read may contain any rule: every message is held, and locks are checked strictly. */
const STRICTEST: AgentConfig = { deny: ["*"], locks: "strict" };

/** `~/.config/signet/agents.yaml`, or the `agents.json` beside it. */
export function readUserConfig(host: Surroundings = HOST): ConfigFile {
  const path = userConfigPath(host);
  if (path === undefined || !hasUserConfig(host)) return missing("user", path ?? "agents.yaml");
  const yaml = userFile(path, (text) => readYaml(text));
  if (yaml.state !== "missing") return yaml;
  const json = userFile(jsonConfigPath(host) ?? "", (text) => {
    const fields = parseObject(text);
    if (fields === undefined) throw new YamlProblem(0, "it is not a JSON object");
    return { fields, lines: new Map() };
  });
  return json.state === "missing" ? yaml : json;
}

function userFile(path: string, read: Read): ConfigFile {
  const file = readStateFile(path, MAX_CONFIG);
  if (file.kind === "missing") return missing("user", path);
  if (file.kind === "text") return parsed("user", path, file.text, read);
  return broken("user", path, `it is not a file of at most ${MAX_CONFIG} bytes that you can read`);
}

type Read = (text: string) => {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly lines: ReadonlyMap<string, number>;
};

/** The files of a repository, first the committed one. */
export async function readRepositoryConfig(root: string): Promise<ConfigFile[]> {
  const scopes = ["project", "local"] as const;
  const paths = scopes.map((scope) => `${repositoryDir(root)}/${REPOSITORY_FILES[scope]}`);
  if (!hasRepositoryDir(root)) return scopes.map((scope, i) => missing(scope, paths[i] ?? ""));
  return await Promise.all(scopes.map((scope, i) => repositoryFile(scope, paths[i] ?? "")));
}

/**
 * Anybody may have written a repository's file: it is not followed if it is a link,
 * and not opened unless it is a regular file, because opening a FIFO waits for ever.
 * Opening is asynchronous, so that the watchdog can end the hook if it becomes one.
 */
async function repositoryFile(scope: Scope, path: string): Promise<ConfigFile> {
  try {
    const expected = Deno.lstatSync(path);
    if (!expected.isFile) return broken(scope, path, "it is not a regular file; links are not followed");
    using file = await Deno.open(path);
    const { isFile, size, ino } = file.statSync();
    if (!isFile || ino !== expected.ino) return broken(scope, path, "it is being replaced");
    if (size > MAX_CONFIG) return broken(scope, path, `it is larger than ${MAX_CONFIG} bytes`);
    const bytes = new Uint8Array(size);
    let filled = 0;
    for (let n: number | null = 0; n !== null && filled < size; filled += n ?? 0) {
      n = file.readSync(bytes.subarray(filled));
    }
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, filled));
    return parsed(scope, path, text, readYaml);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return missing(scope, path);
    return broken(scope, path, error instanceof TypeError ? "it is not valid UTF-8" : "it cannot be read");
  }
}

function parsed(scope: Scope, path: string, text: string, read: Read): ConfigFile {
  try {
    const { fields, lines } = read(text);
    return { scope, path, state: "read", ...parseAgentConfig(fields, lines), lines };
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    return broken(scope, path, error.message, error.line || undefined);
  }
}

function missing(scope: Scope, path: string): ConfigFile {
  return { scope, path, state: "missing", config: {}, unknown: [], lines: new Map() };
}

function broken(scope: Scope, path: string, message: string, line?: number): ConfigFile {
  const problem = { line, message };
  return { scope, path, state: "broken", config: STRICTEST, unknown: [], lines: new Map(), problem };
}

/** What is wrong with a file, in a sentence: `~/x/agents.yaml:3: it has a tab: use spaces`. */
export function describeProblem({ path, problem }: ConfigFile): string {
  const line = problem?.line === undefined ? "" : `:${problem.line}`;
  return `${path}${line}: ${problem?.message ?? "it cannot be read"}`;
}

import {
  type ConfigFile,
  MAX_CONFIG,
  readRepositoryConfig,
  readUserConfig,
  REPOSITORY_FILES,
  type Scope,
} from "../../../../hooks/agents/config/config_files.ts";
import { jsonConfigPath, userConfigPath } from "../../../../hooks/agents/config/has_user_config.ts";
import { REPOSITORY_DIR } from "../../../../hooks/agents/config/repository_dir.ts";
import { repositoryRoot } from "../../../../hooks/agents/config/repository_root.ts";
import { YamlProblem } from "../../../../hooks/agents/config/read_yaml.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";
import { EXIT, UserError } from "../../cli/command.ts";
import { makeConfigDir } from "../../../../hooks/state/made_dirs.ts";
import { dirOf, throughLinks } from "../../fs/file_path.ts";
import { realOs } from "../../fs/os.ts";
import { rewrite } from "../../fs/rewrite.ts";
import { sameBytes } from "../../fs/same_bytes.ts";
import { decode, encode } from "../../fs/text_bytes.ts";
import { configTemplate } from "./config_template.ts";
import { setInText } from "./edit_config.ts";
import { noteWritten } from "./written_config.ts";

/** The files that count in a directory: the user's first. */
export async function configFiles(host: Surroundings, cwd: string): Promise<ConfigFile[]> {
  return [readUserConfig(host), ...await readRepositoryConfig(repositoryRoot(cwd))];
}

/** Where the file of a scope is, or would be. */
export function configPath(scope: Scope, host: Surroundings, cwd: string): string {
  if (scope !== "user") return `${repositoryRoot(cwd)}/${REPOSITORY_DIR}/${REPOSITORY_FILES[scope]}`;
  const path = userConfigPath(host);
  if (path === undefined) throw new UserError("HOME is not set, so you have no agents.yaml.", EXIT.usage);
  return path;
}

/** What `changeConfig` did. */
export interface Changed {
  readonly path: string;
  readonly state: "created" | "changed" | "unchanged";
  /** The settings of `agents.json` are in the new file. */
  readonly converted?: string;
}

/**
 * Changes the file of a scope, or creates it. `edit` gets the text, undefined if there
 * is no file, and returns the new one.
 *
 * @throws {UserError} if the file cannot be read or written; then it is as it was
 */
export async function changeConfig(
  scope: Scope,
  host: Surroundings,
  cwd: string,
  edit: (text: string | undefined) => string,
): Promise<Changed> {
  const path = configPath(scope, host, cwd);
  const real = scope === "user" ? await throughLinks(realOs, path) : await inRepository(path);
  const bytes = await realOs.read(real);
  const json = scope === "user" && bytes === undefined ? jsonSettings(host) : undefined;
  const before = bytes === undefined ? json?.text : textOf(path, bytes);
  const after = edited(path, before, edit);
  if (encode(after).length > MAX_CONFIG) {
    throw new UserError(`${path} would be larger than ${MAX_CONFIG} bytes.`, EXIT.file);
  }
  if (bytes !== undefined && after === before) return { path, state: "unchanged" };
  if (scope === "user") makeConfigDir(host);
  await Deno.mkdir(dirOf(real), { recursive: true, mode: scope === "user" ? 0o700 : 0o755 });
  const { mode = 0o600 } = await realOs.stat(real) ?? { mode: scope === "user" ? 0o600 : 0o644 };
  await rewrite(realOs, real, encode(after), mode, async () => {
    const now = await realOs.read(real);
    if (now === bytes || (now !== undefined && bytes !== undefined && sameBytes(now, bytes))) return;
    throw new UserError(`${path} was changed at the same time.`, EXIT.failed, "Try again.");
  });
  if (scope === "user") await noteWritten(host, { before: bytes, after: encode(after) });
  return { path, state: bytes === undefined ? "created" : "changed", converted: json?.path };
}

function edited(
  path: string,
  before: string | undefined,
  edit: (text: string | undefined) => string,
): string {
  try {
    return edit(before);
  } catch (error) {
    // By name: both kinds say the line.
    if (!(error instanceof YamlProblem) && !(error instanceof Error && error.name === "ConfigError")) {
      throw error;
    }
    const line = "line" in error && typeof error.line === "number" && error.line > 0 ? `:${error.line}` : "";
    throw new UserError(
      `${path}${line}: ${error.message}.`,
      EXIT.file,
      "Nothing was written. Fix the file and try again.",
    );
  }
}

/** A link could lead out of the repository, and hooks do not follow one. */
async function inRepository(path: string): Promise<string> {
  const kinds = [(await realOs.lstat(dirOf(path)))?.kind, (await realOs.lstat(path))?.kind];
  const isUsual = (kinds[0] ?? "directory") === "directory" && (kinds[1] ?? "file") === "file";
  if (isUsual) return path;
  throw new UserError(`${path} is a link or not a file, and hooks do not read it.`, EXIT.file);
}

function textOf(path: string, bytes: Uint8Array): string {
  const text = decode(bytes);
  if (text === undefined) throw new UserError(`${path} is not UTF-8 text.`, EXIT.file);
  return text;
}

/** A new `agents.yaml` with the settings of `agents.json`, which it replaces: they must not be lost. */
function jsonSettings(host: Surroundings): { text: string; path: string } | undefined {
  const { state, path, config } = readUserConfig(host);
  if (state === "missing" || path !== jsonConfigPath(host)) return undefined;
  if (state === "broken") {
    throw new UserError(`${path} cannot be read.`, EXIT.file, "Fix or remove it, and try again.");
  }
  let text = configTemplate("user");
  const { rulesFor, start, ...plain } = config;
  for (const [key, value] of Object.entries(plain)) {
    if (value !== undefined) text = setInText(text, [key], value);
  }
  for (const [key, byHarness] of Object.entries({ rulesFor, start })) {
    for (const [name, texts] of Object.entries(byHarness ?? {})) text = setInText(text, [key, name], texts);
  }
  return { text, path };
}

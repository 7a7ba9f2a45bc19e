import { readStateObject, writeNote } from "../../../hooks/state/state_file.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import { stateDir } from "../../../hooks/state/paths.ts";
import { isObject, parseObject } from "../../../hooks/json.ts";
import type { Harness } from "../harness.ts";
import { dirOf } from "../fs/file_path.ts";
import { findProgram, versionOf } from "../programs/find_program.ts";

/** Gemini CLI took up to 13 s to print its version on a loaded machine. */
const PROBE_MS = 20_000;
/** A smaller file may be a wrapper: it stays the same when the program behind it is upgraded. */
const PROGRAM_BYTES = 1024 * 1024;
const CACHE = "program_version.json";

/** The version of a harness's program, and the file that it was read from. */
export interface ProgramVersion {
  readonly version: string;
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
}

/**
 * The version of the harness's program on PATH; undefined if it has none. It
 * writes nothing: the program itself is only started in a temporary home, because
 * `codex --version` and `gemini --version` create files in the home.
 */
export async function programVersion(
  { id, programs }: Pick<Harness, "id" | "programs">,
  host: Surroundings,
): Promise<ProgramVersion | undefined> {
  const program = findProgram(programs, host);
  if (program === undefined) return undefined;
  try {
    const path = await Deno.realPath(program);
    const { size, mtime } = await Deno.stat(path);
    const file = { path, size, mtime: mtime?.getTime() ?? 0 };
    const version = packageVersion(path, programs) ?? cachedVersion(stateDir(id, host), file) ??
      await probe(program);
    return version === undefined ? undefined : { version, ...file };
  } catch {
    return undefined; // the program was removed meanwhile
  }
}

/** Saves a version for the next call, where an install has made the directory. */
export function cacheVersion(dir: string, found: ProgramVersion): void {
  try {
    writeNote(`${dir}/${CACHE}`, JSON.stringify(found));
  } catch {
    // Without it the program is started again.
  }
}

function cachedVersion(
  dir: string | undefined,
  file: Omit<ProgramVersion, "version">,
): string | undefined {
  if (dir === undefined || file.size < PROGRAM_BYTES) return undefined;
  const note = readStateObject(`${dir}/${CACHE}`);
  const same = note?.path === file.path && note.size === file.size && note.mtime === file.mtime;
  return same && typeof note.version === "string" ? note.version : undefined;
}

/** The version in the npm package that a program belongs to. */
function packageVersion(path: string, programs: readonly string[]): string | undefined {
  let dir = dirOf(path);
  for (let depth = 0; depth < 4; depth++, dir = dirOf(dir)) {
    const manifest = readManifest(`${dir}/package.json`);
    if (manifest === undefined) continue;
    const { bin, name, version } = manifest;
    const names = isObject(bin) ? Object.keys(bin) : [String(name).replace(/^.*\//, "")];
    return typeof version === "string" && names.some((each) => programs.includes(each)) ? version : undefined;
  }
  return undefined;
}

function readManifest(path: string): Record<string, unknown> | undefined {
  try {
    return parseObject(Deno.readTextFileSync(path));
  } catch {
    return undefined;
  }
}

/** Starts the program with a home that is removed afterwards. */
async function probe(program: string): Promise<string | undefined> {
  const home = await Deno.makeTempDir({ prefix: "signet-version-" });
  const inside = (name: string) => `${home}/${name}`;
  try {
    return await versionOf(program, AbortSignal.timeout(PROBE_MS), undefined, {
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: inside("config"),
      XDG_CACHE_HOME: inside("cache"),
      XDG_DATA_HOME: inside("data"),
      XDG_STATE_HOME: inside("state"),
      CLAUDE_CONFIG_DIR: inside("claude"),
      // Codex writes nothing where this directory is missing.
      CODEX_HOME: inside("missing"),
      GEMINI_CLI_HOME: inside("gemini"),
      COPILOT_HOME: inside("copilot"),
      QWEN_HOME: inside("qwen"),
      KIMI_CODE_HOME: inside("kimi"),
      PI_CODING_AGENT_DIR: inside("pi"),
      OPENCLAW_STATE_DIR: inside("openclaw"),
    });
  } finally {
    await Deno.remove(home, { recursive: true }).catch(() => {}); // a child of the program may still write
  }
}

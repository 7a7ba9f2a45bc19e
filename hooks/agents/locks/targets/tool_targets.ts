import { isObject } from "../../../json.ts";
import { ompEditTargets } from "./omp_edit.ts";
import { patchTargets } from "./patch_targets.ts";
import type { ShellTarget } from "../shell/read_shell.ts";
import { isAbsolute, MAX_PATH, readings } from "./target_path.ts";

/** The fields of a tool's input that say what it writes; the first that is present counts. */
export type ToolWrites =
  /** A path. */
  | { readonly paths: readonly string[] }
  /** A patch in the format of `apply_patch`. */
  | { readonly patch: readonly string[] }
  /** The five forms of oh-my-pi's `edit`. */
  | { readonly form: "omp-edit" }
  /** Whatever the program writes that it runs. */
  | { readonly form: "program" }
  /**
   * A shell text, and the directory that it runs in if that is not the session's;
   * `elsewhere` if it may run in a directory that nobody names.
   */
  | { readonly shell: readonly string[]; readonly cwd?: readonly string[]; readonly elsewhere?: boolean };

/** The tools of a harness that write files, by name. Other tools are not looked at. */
export type ToolTable = Readonly<Record<string, ToolWrites>>;

export interface ToolTargets {
  readonly targets: readonly ShellTarget[];
  /** What the tool may write besides: not empty if that is not known. */
  readonly unknown: readonly string[];
  /** A shell text, which may also have failed or done nothing. */
  readonly isShell: boolean;
}

/** What a tool call is about to write; undefined for a tool that writes no files. */
export async function toolTargets(
  table: ToolTable,
  tool: string,
  input: unknown,
  cwd: string,
): Promise<ToolTargets | undefined> {
  const writes = Object.hasOwn(table, tool) ? table[tool] : undefined;
  if (writes === undefined) return undefined;
  const fields = isObject(input) ? input : {};
  if ("form" in writes) {
    if (writes.form === "omp-edit") return named(ompEditTargets(fields), cwd, tool);
    return { targets: [], unknown: [tool], isShell: true };
  }
  if ("paths" in writes) return named([text(fields, writes.paths)], cwd, tool);
  if ("patch" in writes) {
    // OpenClaw and others accept the patch as the whole input.
    const patch = typeof input === "string" ? input : text(fields, writes.patch);
    return named(patch === undefined ? [undefined] : patchTargets(patch) ?? [undefined], cwd, tool);
  }
  const line = text(fields, writes.shell);
  if (line === undefined) return { targets: [], unknown: [tool], isShell: true };
  const dir = writes.cwd === undefined ? undefined : text(fields, writes.cwd);
  const where = dir === undefined ? cwd : isAbsolute(dir) ? dir : `${cwd}/${dir}`;
  const { readShell } = await import("../shell_calls.ts");
  const { targets, unknown } = readShell(line, where);
  const isUnsure = writes.elsewhere === true && targets.length > 0;
  return { targets, unknown: isUnsure ? [...unknown, tool] : unknown, isShell: true };
}

function named(paths: readonly (string | undefined)[], cwd: string, tool: string): ToolTargets {
  const known = paths.filter((path) =>
    path !== undefined && path !== "" && !path.includes("\0") && path.length <= MAX_PATH
  );
  const targets = known.flatMap((path = "") => readings(path)).map((path) => ({
    path: isAbsolute(path) ? path : `${cwd}/${path}`,
    tree: false,
  }));
  return { targets, unknown: known.length < paths.length ? [tool] : [], isShell: false };
}

/** The first of these fields that is a string, or a list of words. */
function text(fields: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((word) => typeof word === "string")) {
      return value.length === 1 ? value[0] : value.map(quote).join(" ");
    }
  }
  return undefined;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

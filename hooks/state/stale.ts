import { isObject, parseObject } from "../json.ts";
import { parentDir } from "./paths.ts";
import { readState } from "./state_file.ts";

/** A file's `mtime:size`, or null if there is no such file. */
export type FileVersion = string | null;

/** The files that an identity was composed from and the one it was written to, each with its version. */
export interface Stamp {
  readonly files: { readonly [path: string]: FileVersion };
}

/** Follows links, as reading does; a file that cannot be inspected counts as absent. */
export function fileVersion(path: string): FileVersion {
  try {
    const info = Deno.statSync(path);
    return `${info.mtime?.getTime() ?? 0}:${info.size}`;
  } catch {
    return null;
  }
}

/**
 * Whether any of the files has changed. Equality, not "newer than": a
 * checkout or a restored backup gives a changed file an old date.
 */
export function isStale(stamp: Stamp, version: (path: string) => FileVersion = fileVersion): boolean {
  return Object.entries(stamp.files).some(([path, recorded]) => version(path) !== recorded);
}

/** Undefined for text that `sync` did not write: then there is nothing to refresh. */
export function parseStamp(text: string): Stamp | undefined {
  const files = parseObject(text)?.files;
  if (!isObject(files)) return undefined;
  const versions: Record<string, FileVersion> = {};
  for (const [path, version] of Object.entries(files)) {
    if (typeof version !== "string" && version !== null) return undefined;
    versions[path] = version;
  }
  return { files: versions };
}

/** `<state>/identity.json`, which `sync` writes and this reads. */
export const STAMP_NAME = "identity.json";

/**
 * Called by session-start after it has printed: starts a detached `<bin> sync --quiet`
 * if the identity file is stale, and returns whether it did. Otherwise costs one
 * small read and a dozen stats. Never throws.
 */
export function refreshStale(
  stampPath: string,
  argv: readonly string[],
  start: (argv: readonly string[], cwd: string) => void = startDetached,
): boolean {
  try {
    const stamp = parseStamp(readState(stampPath) ?? "");
    if (stamp === undefined || !isStale(stamp)) return false;
    start(argv, parentDir(stampPath) || ".");
    return true;
  } catch {
    return false;
  }
}

function startDetached([program, ...args]: readonly string[], cwd: string): void {
  if (program === undefined) return;
  // Not the project's directory: the process would keep it from being unmounted.
  new Deno.Command(program, { args, cwd, detached: true, stdin: "null", stdout: "null", stderr: "null" })
    .spawn()
    .unref();
}

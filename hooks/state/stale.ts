// No imports: a session-start hook loads this.

/** What a file looked like: `mtime:size`, or null where there was none. */
export type Look = string | null;

/** The files that an identity was made of, and the one it was written to, as they were then. */
export interface Stamp {
  readonly files: { readonly [path: string]: Look };
}

/** Follows links, as reading does; a file that cannot be looked at counts as absent. */
export function lookAt(path: string): Look {
  try {
    const info = Deno.statSync(path);
    return `${info.mtime?.getTime() ?? 0}:${info.size}`;
  } catch {
    return null;
  }
}

/**
 * Whether any of the files looks different. Equality, not "newer than": a
 * checkout or a restored backup gives a changed file an old date.
 */
export function isStale(stamp: Stamp, look: (path: string) => Look = lookAt): boolean {
  return Object.entries(stamp.files).some(([path, was]) => look(path) !== was);
}

/** Undefined for anything that `sync` did not write: then there is nothing to refresh. */
export function parseStamp(text: string): Stamp | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("files" in value)) return undefined;
    const { files } = value;
    if (typeof files !== "object" || files === null || Array.isArray(files)) return undefined;
    const looks: Record<string, Look> = {};
    for (const [path, look] of Object.entries(files)) {
      if (typeof look !== "string" && look !== null) return undefined;
      looks[path] = look;
    }
    return { files: looks };
  } catch {
    return undefined;
  }
}

/** `<state>/identity.json`, which `sync` writes and this reads. */
export const STAMP_NAME = "identity.json";

/**
 * For a session-start hook, after it has answered: starts `<bin> sync --quiet`
 * on its own if the identity file is stale, and says whether it did. Costs one
 * small read and a dozen stats otherwise. Never throws.
 */
export function refreshStale(
  stampPath: string,
  argv: readonly string[],
  start: (argv: readonly string[], cwd: string) => void = startDetached,
): boolean {
  try {
    const stamp = parseStamp(Deno.readTextFileSync(stampPath));
    if (stamp === undefined || !isStale(stamp)) return false;
    start(argv, stampPath.replace(/[^\\/]*$/, "") || ".");
    return true;
  } catch {
    return false;
  }
}

function startDetached([program, ...args]: readonly string[], cwd: string): void {
  if (program === undefined) return;
  // Not the project's directory: a process that lives on would keep it from being unmounted.
  new Deno.Command(program, { args, cwd, detached: true, stdin: "null", stdout: "null", stderr: "null" })
    .spawn()
    .unref();
}

import { absolutePath } from "../../../hooks/state/absolute_path.ts";
import { nameOf } from "../fs/file_path.ts";
import { home, join, type Surroundings } from "../../../hooks/state/paths.ts";

/** The program that hooks will call, and the one that runs now, to be copied there if it is another. */
export interface ProgramPlace {
  readonly path: string;
  /** Undefined where this process is no connector, but Deno running one from source. */
  readonly source?: string;
}

export interface Running {
  /** The executable of this process. */
  readonly execPath: string;
  /** Whether that is a compiled connector, and not Deno itself. */
  readonly standalone: boolean;
  /** Where it was started; a relative `--bin-dir` is below. */
  readonly cwd?: string;
}

/**
 * A binary that already runs from a directory on PATH stays there: the person
 * chose the place. Any other is copied to `--bin-dir`, or to where the hooks call
 * it already (`earlier`), or to ~/.local/bin.
 */
export function programPlace(
  binary: string,
  host: Surroundings,
  running: Running,
  binDir?: string,
  earlier?: string,
): ProgramPlace {
  const name = host.os === "windows" ? `${binary}.exe` : binary;
  const directory = running.execPath.slice(
    0,
    Math.max(running.execPath.lastIndexOf("/"), running.execPath.lastIndexOf("\\")),
  );
  if (
    binDir === undefined && running.standalone && onPath(directory, host) && running.execPath.endsWith(name)
  ) {
    return { path: running.execPath, source: running.execPath };
  }
  // A harness runs its hooks wherever it works: a relative place would be there only by chance.
  const chosen = absolutePath(binDir, host, running.cwd);
  if (chosen === undefined && earlier !== undefined && nameOf(earlier) === name) {
    return running.standalone ? { path: earlier, source: running.execPath } : { path: earlier };
  }
  const base = chosen ?? join(host, home(host) ?? "", ".local", "bin");
  const path = join(host, base, name);
  return running.standalone ? { path, source: running.execPath } : { path };
}

/** Whether a shell finds the programs of a directory. */
export function onPath(directory: string, host: Surroundings): boolean {
  return (host.env("PATH") ?? "").split(host.os === "windows" ? ";" : ":").includes(directory);
}

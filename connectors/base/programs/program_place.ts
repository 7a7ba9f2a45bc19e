import { absolutePath } from "../../../hooks/state/absolute_path.ts";
import { dirOf, nameOf } from "../fs/file_path.ts";
import { home, join, type Surroundings } from "../../../hooks/state/paths.ts";

/** The installed program, and the running program, which is copied there. */
export interface ProgramPlace {
  readonly path: string;
  /** Undefined if Deno runs the connector from source, or if the program is not ours to install. */
  readonly source?: string;
  /** A link to the program that is named after the harness: hooks call it instead of `path`. */
  readonly link?: string;
}

/** The program as hooks call it. */
export function calledPath({ path, link }: ProgramPlace): string {
  return link ?? path;
}

export interface Running {
  /** The executable of this process. */
  readonly execPath: string;
  /** Whether it is a compiled connector, not Deno itself. */
  readonly standalone: boolean;
  /** The working directory, for a relative `--bin-dir`. */
  readonly cwd?: string;
}

/**
 * A binary that runs from a directory on PATH stays there: the user chose it.
 * Any other is copied to `--bin-dir`, to the path that the hooks already call
 * (`earlier`), or to ~/.local/bin.
 */
export function programPlace(
  binary: string,
  host: Surroundings,
  running: Running,
  binDir?: string,
  earlier?: string,
): ProgramPlace {
  const name = host.os === "windows" ? `${binary}.exe` : binary;
  const { execPath } = running;
  if (
    binDir === undefined && running.standalone && onPath(dirOf(execPath), host) && execPath.endsWith(name)
  ) {
    return { path: execPath, source: execPath };
  }
  // A harness runs its hooks in any directory, so the path must be absolute.
  const chosen = absolutePath(binDir, host, running.cwd);
  if (chosen === undefined && earlier !== undefined && nameOf(earlier) === name) {
    return running.standalone ? { path: earlier, source: running.execPath } : { path: earlier };
  }
  const base = chosen ?? join(host, home(host) ?? "", ".local", "bin");
  const path = join(host, base, name);
  return running.standalone ? { path, source: running.execPath } : { path };
}

/** Whether a directory is on PATH. */
export function onPath(directory: string, host: Surroundings): boolean {
  return (host.env("PATH") ?? "").split(host.os === "windows" ? ";" : ":").includes(directory);
}

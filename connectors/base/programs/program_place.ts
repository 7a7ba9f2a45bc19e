import { absolutePath } from "../../../hooks/state/absolute_path.ts";
import { dirOf, nameOf } from "../fs/file_path.ts";
import { home, join, type Surroundings } from "../../../hooks/state/paths.ts";

/** The program that hooks call, and the running program, which is copied there. */
export interface ProgramPlace {
  readonly path: string;
  /** Undefined if Deno runs the connector from source. */
  readonly source?: string;
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

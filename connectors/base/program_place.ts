import { home, join, type Surroundings } from "../../hooks/paths.ts";

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
}

/**
 * A binary that already runs from a directory on PATH stays there: the person
 * chose the place. Any other is copied to `--bin-dir`, or ~/.local/bin.
 */
export function programPlace(
  binary: string,
  host: Surroundings,
  running: Running,
  binDir?: string,
): ProgramPlace {
  const name = host.os === "windows" ? `${binary}.exe` : binary;
  const directory = running.execPath.slice(
    0,
    Math.max(running.execPath.lastIndexOf("/"), running.execPath.lastIndexOf("\\")),
  );
  const onPath = (host.env("PATH") ?? "").split(host.os === "windows" ? ";" : ":").includes(directory);
  if (binDir === undefined && running.standalone && onPath && running.execPath.endsWith(name)) {
    return { path: running.execPath, source: running.execPath };
  }
  const base = binDir ?? join(host, home(host) ?? "", ".local", "bin");
  const path = join(host, base, name);
  return running.standalone ? { path, source: running.execPath } : { path };
}

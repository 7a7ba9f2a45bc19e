import { HOST, join } from "../../../hooks/state/paths.ts";
import { fileVersion } from "../../../hooks/state/stale.ts";
import { dirOf, isAbsolute, nameOf, within } from "../fs/file_path.ts";
import { agentDirectory } from "../identity/compose.ts";
import { directoryNames } from "./plan_skills.ts";
import type { SyncJob } from "./sync_job.ts";
import { sourcePaths } from "./source_stamp.ts";

/** The directories to watch (not their subdirectories), and the paths in them that matter. */
export interface WatchSet {
  readonly directories: readonly string[];
  /**
   * Changes when a directory is replaced by another of the same name, because a watch
   * follows the directory, not its name; and when a skill appears or disappears.
   */
  readonly key: string;
  matters(path: string): boolean;
}

/** Skills beyond this number are only followed by polling. */
const MAX_SKILLS = 500;

/** What to watch for these jobs, and for `also`: paths that may change the jobs when they appear. */
export function watchSet(jobs: readonly SyncJob[], also: readonly string[] = []): WatchSet {
  const directories = new Map<string, string>();
  const paths = new Set<string>();
  /** Directories in which any name matters. */
  const whole = new Set<string>();
  const skillFiles: string[] = [];

  function follow(path: string, hops = 0): void {
    paths.add(path);
    let child = path;
    let directory = dirOf(path);
    let identity = identityOf(directory);
    while (identity === undefined && directory !== dirOf(directory)) {
      child = directory;
      directory = dirOf(directory);
      identity = identityOf(directory);
    }
    if (identity === undefined) return;
    directories.set(directory, identity);
    paths.add(child);
    // macOS reports real paths, not the watched name.
    const real = realPath(directory);
    if (real !== undefined && real !== directory) paths.add(within(real, nameOf(child)));
    const to = linkTarget(path);
    if (to !== undefined && hops < 8) follow(to, hops + 1);
  }

  for (const path of also) follow(path);
  for (const job of jobs) {
    if (job.workspace === undefined) continue;
    const host = job.host ?? HOST;
    follow(job.workspace);
    const agentDir = agentDirectory(job.workspace, job.agentId, host);
    if (agentDir !== undefined) follow(agentDir);
    sourcePaths(job).forEach((path) => follow(path));
    if (job.skillsDir === undefined) continue;
    const skills = join(host, job.workspace, "skills");
    follow(skills);
    if (identityOf(skills) === undefined) continue;
    whole.add(skills).add(realPath(skills) ?? skills);
    for (const name of directoryNames(skills).slice(0, MAX_SKILLS)) {
      if (identityOf(join(host, skills, name)) === undefined) continue;
      const file = join(host, skills, name, "SKILL.md");
      follow(file);
      if (fileVersion(file) !== null) skillFiles.push(file);
    }
  }
  return {
    directories: [...directories.keys()],
    key: [...[...directories].map(([path, identity]) => `${path}\0${identity}`), ...skillFiles].sort().join(
      "\n",
    ),
    matters: (path) => paths.has(path) || whole.has(dirOf(path)),
  };
}

/** Undefined if the path is not a directory. */
function identityOf(path: string): string | undefined {
  try {
    const info = Deno.statSync(path);
    return info.isDirectory ? `${info.dev}:${info.ino}` : undefined;
  } catch {
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    const to = Deno.readLinkSync(path);
    return isAbsolute(to) ? to : within(realPath(dirOf(path)) ?? dirOf(path), to);
  } catch {
    return undefined;
  }
}

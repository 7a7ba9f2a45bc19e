import { GIT_FILES } from "../../daemon/git.ts";
import { parentDir } from "../../state/paths.ts";

/** The directory of a repository's files. */
export const REPOSITORY_DIR = ".signet";

/** The directory whose `.signet` counts for a session: its repository, or the directory itself. */
export function repositoryRoot(cwd: string): string {
  for (let dir = cwd; dir !== ""; dir = parentDir(dir)) {
    if (GIT_FILES.kind(dir === "/" ? "/.git" : `${dir}/.git`) !== undefined) return dir;
    if (dir === parentDir(dir)) break;
  }
  return cwd;
}

export function repositoryDir(root: string): string {
  return `${root === "/" ? "" : root}/${REPOSITORY_DIR}`;
}

/** Whether a repository may have settings. A link does not count: it could lead out of the repository. */
export function hasRepositoryDir(root: string): boolean {
  try {
    return root !== "" && Deno.lstatSync(repositoryDir(root)).isDirectory;
  } catch {
    return false;
  }
}

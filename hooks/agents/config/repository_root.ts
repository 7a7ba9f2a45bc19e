import { GIT_FILES } from "../../daemon/git.ts";
import { parentDir } from "../../state/paths.ts";

/** The directory whose `.signet` counts for a session: its repository, or the directory itself. */
export function repositoryRoot(cwd: string): string {
  for (let dir = cwd; dir !== ""; dir = parentDir(dir)) {
    if (GIT_FILES.kind(dir === "/" ? "/.git" : `${dir}/.git`) !== undefined) return dir;
    if (dir === parentDir(dir)) break;
  }
  return cwd;
}

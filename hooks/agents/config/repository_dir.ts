import { exists } from "../../state/exists.ts";

/** The directory of a repository's files. */
export const REPOSITORY_DIR = ".signet";

export function repositoryDir(root: string): string {
  return `${root === "/" ? "" : root}/${REPOSITORY_DIR}`;
}

/** Whether a repository may have settings. A link does not count: it could lead out of the repository. */
export function hasRepositoryDir(root: string): boolean {
  if (root === "" || !exists(repositoryDir(root))) return false;
  try {
    return Deno.lstatSync(repositoryDir(root)).isDirectory;
  } catch {
    return false;
  }
}

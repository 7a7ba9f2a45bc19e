import { remoteOf } from "./git_remote.ts";
import { exists } from "../state/exists.ts";
import { parentDir } from "../state/paths.ts";

/** A repository's root and remote, read from its files: running git costs more than a whole hook. */
export interface GitFacts {
  root: string;
  remote?: string;
}

export interface GitFiles {
  /** The text of a small regular file; undefined if there is none. */
  read(path: string): Promise<string | undefined>;
  kind(path: string): "file" | "directory" | undefined;
}

const MAX_CONFIG_BYTES = 256 * 1024;
/** The longest path that Linux accepts; anything longer is not a directory. */
const MAX_PATH = 4096;

/**
 * A repository may contain anything, also FIFOs and links to devices. Only opening
 * is asynchronous: if a FIFO takes the file's place after the check, the
 * watchdog can still end the hook. Doing everything asynchronously takes 1.2 ms instead of 0.4 ms.
 */
export const GIT_FILES: GitFiles = {
  async read(path) {
    try {
      const { isFile, size } = Deno.statSync(path);
      if (!isFile || size === 0) return undefined;
      using file = await Deno.open(path);
      if (!file.statSync().isFile) return undefined;
      const bytes = new Uint8Array(Math.min(size, MAX_CONFIG_BYTES));
      const n = file.readSync(bytes);
      return new TextDecoder().decode(bytes.subarray(0, n ?? 0));
    } catch {
      return undefined;
    }
  },
  kind(path) {
    if (!exists(path)) return undefined;
    try {
      const stat = Deno.statSync(path);
      return stat.isDirectory ? "directory" : stat.isFile ? "file" : undefined;
    } catch {
      return undefined;
    }
  },
};

/** The repository that contains a directory. Handles worktrees, submodules and bare repositories. */
export async function gitFacts(cwd: string, files: GitFiles = GIT_FILES): Promise<GitFacts | undefined> {
  if (cwd.length > MAX_PATH) return undefined;
  for (let dir = cwd; dir !== ""; dir = parentDir(dir)) {
    const dotGit = join(dir, ".git");
    const kind = files.kind(dotGit);
    if (kind === "directory") return { root: dir, remote: await remoteIn(dotGit, files) };
    if (kind === "file") {
      const gitDir = gitDirOf(await files.read(dotGit) ?? "");
      return gitDir === undefined ? { root: dir } : await linkedFacts(dir, resolve(dir, gitDir), files);
    }
    // Only `cwd` itself is checked for a bare repository: nobody works further down in one.
    if (dir === cwd && isBare(dir, files)) return { root: dir, remote: await remoteIn(dir, files) };
    if (dir === parentDir(dir)) break;
  }
  return undefined;
}

/** The path in a `.git` file. */
function gitDirOf(text: string): string | undefined {
  for (const line of text.split("\n")) {
    if (line.startsWith("gitdir:")) return line.slice("gitdir:".length).trim() || undefined;
  }
  return undefined;
}

/** A worktree keeps its config in the main repository's directory, a submodule in its own. */
async function linkedFacts(root: string, gitDir: string, files: GitFiles): Promise<GitFacts> {
  const common = (await files.read(join(gitDir, "commondir")))?.trim();
  return { root, remote: await remoteIn(common ? resolve(gitDir, common) : gitDir, files) };
}

async function remoteIn(gitDir: string, files: GitFiles): Promise<string | undefined> {
  const config = await files.read(join(gitDir, "config"));
  return config === undefined ? undefined : remoteOf(config);
}

function isBare(dir: string, files: GitFiles): boolean {
  // HEAD first: nearly every directory fails this check.
  return files.kind(join(dir, "HEAD")) === "file" && files.kind(join(dir, "objects")) === "directory" &&
    files.kind(join(dir, "refs")) === "directory";
}

function join(dir: string, name: string): string {
  return dir.endsWith("/") ? dir + name : `${dir}/${name}`;
}

function resolve(base: string, path: string): string {
  if (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)) return path;
  const parts = base.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

import type { Os } from "./os.ts";

function lastSeparator(path: string): number {
  return Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
}

/** The directory of a path, with either system's separator. */
export function dirOf(path: string): string {
  const at = lastSeparator(path);
  if (at < 0) return ".";
  // A root keeps its separator: `C:` alone is the current directory of that drive.
  return at === 0 || /^[A-Za-z]:$/.test(path.slice(0, at)) ? path.slice(0, at + 1) : path.slice(0, at);
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(lastSeparator(path) + 1);
}

/** The path of a name in a directory, with the separator that the directory uses. */
export function within(dir: string, name: string): string {
  const separator = dir.includes("\\") && !dir.includes("/") ? "\\" : "/";
  return dir.endsWith(separator) ? dir + name : dir + separator + name;
}

/** Whether a path starts at a root, on either system. */
export function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:)?[\\/]/.test(path);
}

/** Resolves symbolic links: dotfiles are often links into a repository, and are written through. */
export async function throughLinks(os: Os, path: string): Promise<string> {
  let at = path;
  for (let hops = 0; hops < 40; hops++) {
    if ((await os.lstat(at))?.kind !== "link") return at;
    const to = await os.readlink(at);
    at = isAbsolute(to) ? to : within(dirOf(at), to);
  }
  throw new Error(`${path} is a symbolic link that points to itself; replace it with a file or remove it`);
}

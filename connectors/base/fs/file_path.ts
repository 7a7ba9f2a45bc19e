import type { Os } from "./os.ts";

/** The directory of a path, with either system's separator. */
export function dirOf(path: string): string {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at === 0 ? path.slice(0, 1) : at < 0 ? "." : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

export function within(dir: string, name: string): string {
  const separator = dir.includes("\\") && !dir.includes("/") ? "\\" : "/";
  return dir.endsWith(separator) ? dir + name : dir + separator + name;
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
}

/** Where a file really is: dotfiles are often links into a repository, and are written through. */
export async function throughLinks(os: Os, path: string): Promise<string> {
  let at = path;
  for (let hops = 0; hops < 40; hops++) {
    const found = await os.lstat(at);
    if (found?.kind !== "link") return at;
    const to = await os.readlink(at);
    at = isAbsolute(to) ? to : within(dirOf(at), to);
  }
  throw new Error(`${path} is a link that leads in a circle; make it a file or remove it`);
}

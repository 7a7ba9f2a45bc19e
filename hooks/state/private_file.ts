import type { Surroundings } from "./paths.ts";

export type PrivateFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "problem"; readonly problem: string };

/**
 * Reads a file that holds a secret, only if it is a regular file of this user
 * that nobody else can read. Compares the inodes before and after opening, which
 * has the effect of O_NOFOLLOW without loading node:fs in each hook.
 */
export function readPrivateFile(path: string, host: Pick<Surroundings, "os">): PrivateFile {
  let named: Deno.FileInfo;
  try {
    named = Deno.lstatSync(path);
  } catch (error) {
    // A parent that is not a directory also means that the file does not exist.
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return { kind: "missing" };
    }
    return refuse(path, "cannot be inspected", "check the directory's owner and mode");
  }
  if (named.isSymlink) return refuse(path, "is a symbolic link", "replace it with the file itself");
  if (!named.isFile) return refuse(path, "is not a regular file", "remove it and install again");
  try {
    using file = Deno.openSync(path, { read: true });
    const opened = file.statSync();
    if (opened.ino !== named.ino || opened.dev !== named.dev) {
      return refuse(path, "was replaced while it was opened", "try again");
    }
    if (host.os !== "windows") {
      if (opened.uid !== Deno.uid()) {
        return refuse(path, "belongs to another user", "install again as this user");
      }
      if (((opened.mode ?? 0) & 0o077) !== 0) {
        return refuse(path, "can be read by others", `run: chmod 600 ${path}`);
      }
    }
    return { kind: "text", text: readAll(file, opened.size) };
  } catch {
    return refuse(path, "cannot be read", `run: chmod 600 ${path}`);
  }
}

function readAll(file: Deno.FsFile, size: number): string {
  // Settings take a few hundred bytes; a larger file is something else.
  const bytes = new Uint8Array(Math.min(size, 65_536));
  let used = 0;
  while (used < bytes.length) {
    const n = file.readSync(bytes.subarray(used));
    if (n === null) break;
    used += n;
  }
  return new TextDecoder().decode(bytes.subarray(0, used));
}

function refuse(path: string, cause: string, next: string): PrivateFile {
  return { kind: "problem", problem: `${path} ${cause}, so it was not used; ${next}.` };
}

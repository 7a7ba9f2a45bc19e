import { home, type Surroundings } from "./paths.ts";

/**
 * An absolute path: `~` is the home directory, and a relative path is resolved
 * against `cwd`. Undefined for a blank path, and for a relative one without a `cwd`.
 */
export function absolutePath(path: string | undefined, host: Surroundings, cwd?: string): string | undefined {
  const given = path?.trim();
  if (!given) return undefined;
  const base = home(host);
  if (base !== undefined && /^~(?=$|[\\/])/.test(given)) return trimmed(base + given.slice(1));
  if (given.startsWith("/") || (host.os === "windows" && /^([A-Za-z]:)?[\\/]/.test(given))) {
    return trimmed(given);
  }
  return cwd === undefined ? undefined : trimmed(resolved(cwd, given, host));
}

function resolved(cwd: string, relative: string, host: Surroundings): string {
  const isWindows = host.os === "windows";
  const parts = trimmed(cwd).split(isWindows ? /[\\/]/ : "/");
  if (parts.length > 1 && parts.at(-1) === "") parts.pop();
  for (const part of relative.split(isWindows ? /[\\/]/ : "/")) {
    // Never above the root, which is the first part.
    if (part === "..") parts.length = Math.max(1, parts.length - 1);
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join(isWindows ? "\\" : "/") || "/";
}

/** Without a trailing separator: `join` would double it. */
function trimmed(path: string): string {
  let end = path.length;
  while (end > 1 && (path[end - 1] === "/" || path[end - 1] === "\\") && path[end - 2] !== ":") end--;
  return path.slice(0, end);
}

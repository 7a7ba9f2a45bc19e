import { home, join, type Surroundings } from "./paths.ts";

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
  let path = trimmed(cwd);
  for (const part of relative.split(host.os === "windows" ? /[\\/]+/ : /\/+/)) {
    if (part === "..") path = path.replace(/[\\/][^\\/]*$/, "");
    else if (part !== "." && part !== "") path = join(host, path, part);
  }
  return path || "/";
}

/** Without a trailing separator: `join` would double it. */
function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/(?<=[^:])[\\/]+$/, "") : path;
}

import { exists } from "./exists.ts";

/** The environment and the system; tests pass a substitute. */
export interface Surroundings {
  /** An environment variable. */
  env(name: string): string | undefined;
  /** The system whose paths and quoting are used. */
  readonly os: typeof Deno.build.os;
}

export const HOST: Surroundings = {
  env: (name) => Deno.env.get(name),
  os: Deno.build.os,
};

/** Joins with the separator of `host`, not of the system this runs on. */
export function join(host: Surroundings, ...parts: string[]): string {
  return parts.join(host.os === "windows" ? "\\" : "/");
}

/** Whether a name can be a file's: a session id comes from outside, and must not name another directory. */
export function isFileName(name: string): boolean {
  return /^[^/\\\0]{1,255}$/.test(name) && name !== "." && name !== "..";
}

/** The directory that a path is in: "/" for "/a", "" for "/" and for a bare name. */
export function parentDir(path: string): string {
  let end = path.length;
  while (end > 0 && (path[end - 1] === "/" || path[end - 1] === "\\")) end--;
  if (end === 0) return "";
  const cut = Math.max(path.lastIndexOf("/", end - 1), path.lastIndexOf("\\", end - 1));
  if (cut < 0) return "";
  return cut === 0 ? "/" : path.slice(0, cut);
}

/** Whether there is a directory at this path; links are followed. */
export function isDirectory(path: string): boolean {
  try {
    return exists(path) && Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** The user's home, or undefined if it is not set (a service, `env -i`). */
export function home(host: Surroundings = HOST): string | undefined {
  return (host.os === "windows" ? host.env("USERPROFILE") : undefined) || host.env("HOME") || undefined;
}

function xdg(host: Surroundings, variable: string, windows: string, fallback: string[]): string | undefined {
  const set = host.env(variable);
  // The XDG specification says to ignore relative paths.
  if (set && (set.startsWith("/") || host.os === "windows")) return set;
  const appData = host.os === "windows" ? host.env(windows) : undefined;
  if (appData) return appData;
  const base = home(host);
  return base === undefined ? undefined : join(host, base, ...fallback);
}

/** `~/.config/signet`, where credentials are. */
export function configDir(host: Surroundings = HOST): string | undefined {
  const base = xdg(host, "XDG_CONFIG_HOME", "APPDATA", [".config"]);
  return base === undefined ? undefined : join(host, base, "signet");
}

/** `~/.config/signet/connectors/<harness>.json`. */
export function credentialsPath(harness: string, host: Surroundings = HOST): string | undefined {
  const dir = configDir(host);
  return dir === undefined ? undefined : join(host, dir, "connectors", `${harness}.json`);
}

/** `~/.local/state/signet/<harness>`: ledger, backups, spool, sessions, log. */
export function stateDir(harness: string, host: Surroundings = HOST): string | undefined {
  const base = xdg(host, "XDG_STATE_HOME", "LOCALAPPDATA", [".local", "state"]);
  return base === undefined ? undefined : join(host, base, "signet", harness);
}

/** Whether a small directory has an entry. One that cannot be read may have it: whoever opens it says why. */
export function mayContain(dir: string, entry: string): boolean {
  // Some systems ignore case, which the list below does not.
  if (exists(`${dir}/${entry}`)) return true;
  try {
    for (const { name } of Deno.readDirSync(dir)) if (name === entry) return true;
    return false;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** The same for a path in a directory of any size. */
export function mayExist(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

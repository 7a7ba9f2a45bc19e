/** Shared locks are named by repository, not by a place on this machine. Nothing on disk has this name. */
const ROOT = "/-signet-shared-";

export interface SharedPath {
  readonly remote: string;
  /** In the repository; "" for its root. */
  readonly path: string;
}

/** The path by which a shared lock is found on every machine. */
export function sharedPath({ remote, path }: SharedPath): string {
  return [ROOT, encodeURIComponent(remote), path].filter((part) => part !== "").join("/");
}

/** Whether a path is that of a shared lock, and no place on this machine. */
export function isSharedPath(path: string): boolean {
  return path.startsWith(`${ROOT}/`);
}

/** One name for `git@host:a/b.git`, `ssh://git@host/a/b` and `https://host/a/b`. */
export function plainRemote(remote: string): string {
  const plain = remote.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^[^@/]*@/, "");
  // `host:path`, but not `host:22/path`.
  const [, host = "", rest = ""] = /^([^/:]+)(?::\d+(?=\/)|:|(?=\/))\/*(.*)$/.exec(plain) ?? [];
  const named = host === "" ? plain : `${host.toLowerCase()}/${rest}`;
  return named.replace(/\/+$/, "").replace(/\.git$/, "");
}

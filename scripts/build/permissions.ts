import type { Entry } from "./entries.ts";

/** One permission flag of a binary, and why it is as wide as it is. */
export interface Permission {
  readonly flag: string;
  readonly why: string;
}

/**
 * What a connector may do. It cannot load native libraries (ffi) or remote code
 * (import). Flags are fixed at compile time, when the home directory, the daemon's
 * address and the install path are not known yet.
 */
export const CONNECTOR_PERMISSIONS: readonly Permission[] = [
  {
    flag: "--allow-read",
    why: "configs, transcripts and .git files can be anywhere",
  },
  {
    flag: "--allow-write",
    why: "the same places; Deno allows symlinks, which skills need, only with an unscoped flag",
  },
  { flag: "--allow-net", why: "the user chooses the daemon's address" },
  {
    flag: "--allow-env",
    why: "settings, proxies and each harness's variables; doctor passes the environment to the hook it tests",
  },
  {
    flag: "--allow-run",
    why: "a hook starts its binary again to deliver events, at a path chosen at install; install, status " +
      "and doctor ask the harness's program for its version, in a temporary home; install copies a config with " +
      "cp -a, which keeps its attributes; agents --watch asks tmux and other terminals to " +
      "show an agent; doctor runs the " +
      "installed hook command through the shell, like the harness, and a shell may run anything",
  },
  { flag: "--allow-sys=hostname,uid", why: "the machine's name, and the owner of the credentials file" },
];

/** The mock daemon starts no other program and needs no system information. */
export const DAEMON_PERMISSIONS: readonly Permission[] = [
  { flag: "--allow-read", why: "--db, --workspace and --admin-key-file can be anywhere" },
  { flag: "--allow-write", why: "--record, --db and --admin-key-file can be anywhere" },
  { flag: "--allow-net", why: "it listens on the address given by --port and --host" },
  {
    flag: "--allow-env",
    why: "SIGNET_ADMIN_USERNAME and SIGNET_ADMIN_PASSWORD; libraries read NO_COLOR, NODE_ENV and others",
  },
];

/** The permissions an entry is compiled with. */
export function permissionsOf(entry: Entry): readonly Permission[] {
  return entry.kind === "daemon" ? DAEMON_PERMISSIONS : CONNECTOR_PERMISSIONS;
}

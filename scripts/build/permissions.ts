import type { Entry } from "./entries.ts";

/** One permission flag of a binary, and why it is as wide as it is. */
export interface Permission {
  readonly flag: string;
  readonly why: string;
}

/**
 * What a connector may do. Not there at all: foreign libraries (ffi) and code from
 * the network (import). A flag is fixed when the binary is compiled, and the home
 * directory, the daemon's address and the binary's own place are known later.
 */
export const CONNECTOR_PERMISSIONS: readonly Permission[] = [
  {
    flag: "--allow-read",
    why: "configs, transcripts and .git files lie wherever the user and the harness put them",
  },
  {
    flag: "--allow-write",
    why: "the same places; and skills are linked, which Deno allows to an unscoped flag only",
  },
  { flag: "--allow-net", why: "the daemon's address is the user's to choose" },
  {
    flag: "--allow-env",
    why:
      "settings, proxies and each harness's own variables; doctor hands the environment on to the hook it tests",
  },
  {
    flag: "--allow-run",
    why:
      "a hook starts its own binary to deliver, whose path is chosen at install; doctor runs the installed " +
      "hook command through the shell, as the harness would, and a shell may run anything",
  },
  { flag: "--allow-sys=hostname,uid", why: "the machine's name, and whose the credentials file is" },
];

/** The mock daemon starts no other program and asks nothing of the system. */
export const DAEMON_PERMISSIONS: readonly Permission[] = [
  { flag: "--allow-read", why: "--db, --workspace and --admin-key-file name files anywhere" },
  { flag: "--allow-write", why: "--record, --db and --admin-key-file name files anywhere" },
  { flag: "--allow-net", why: "it listens where --port and --host say" },
  { flag: "--allow-env", why: "libraries ask for NO_COLOR, NODE_ENV and the like" },
];

/** The permissions an entry is compiled with. */
export function permissionsOf(entry: Entry): readonly Permission[] {
  return entry.kind === "daemon" ? DAEMON_PERMISSIONS : CONNECTOR_PERMISSIONS;
}

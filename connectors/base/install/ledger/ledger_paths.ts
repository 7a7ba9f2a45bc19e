import { dirOf } from "../../fs/file_path.ts";
import type { Ledger } from "./ledger.ts";

/** The home that a state directory is in; undefined if it is elsewhere (XDG_STATE_HOME). */
export function homeOf(stateDir: string): string | undefined {
  return /^(.+)[\\/](?:\.local[\\/]state|AppData[\\/]Local)[\\/]signet(?:[\\/][^\\/]+)?$/.exec(stateDir)?.[1];
}

/** A path as it is kept: `~/…` in the home, so that a copy of the home has its own. */
export function toRecorded(path: string, home: string | undefined): string {
  return home !== undefined && isInside(path, home) ? "~" + path.slice(home.length) : path;
}

/** A kept path on this machine; undefined for one that leads out of its directory. */
export function fromRecorded(path: string, home: string | undefined): string | undefined {
  if (path.split(/[\\/]/).includes("..")) return undefined;
  if (!/^~[\\/]/.test(path)) return path;
  return home === undefined ? undefined : home + path.slice(1);
}

/** Whether a path is in a directory, at any depth. */
export function isInside(path: string, dir: string): boolean {
  return path.startsWith(dir) && /^[\\/]/.test(path.slice(dir.length));
}

/** A ledger with every path changed; records without a new path are left out. */
export function mapPaths(ledger: Ledger, change: (path: string) => string | undefined): Ledger {
  const mapped = <T extends { readonly path: string }>(records: readonly T[]): T[] =>
    records.flatMap((record) => {
      const path = change(record.path);
      return path === undefined ? [] : [{ ...record, path }];
    });
  return {
    ...ledger,
    files: mapped(ledger.files),
    links: mapped(ledger.links),
    dirs: ledger.dirs.flatMap((dir) => change(dir) ?? []),
  };
}

/**
 * The home of a ledger from before version 2, which kept absolute paths: the
 * credentials are at a known place in it.
 */
export function homeOfVersion1({ files }: Ledger): string | undefined {
  const secret = files.find(({ kind }) => kind === "secret");
  return secret && /^(.+)[\\/]\.config[\\/]signet[\\/]connectors$/.exec(dirOf(secret.path))?.[1];
}

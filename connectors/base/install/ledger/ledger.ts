import type { Format, Json, Path } from "../../edit/edit.ts";
import type { Made } from "../../edit/change/draft.ts";
import type { Splice } from "../../edit/text/splice.ts";
import { within } from "../../fs/file_path.ts";
import type { Os } from "../../fs/os.ts";
import { decode, encode } from "../../fs/text_bytes.ts";
import { isLedger } from "./ledger_check.ts";
import { fromRecorded, homeOf, homeOfVersion1, isInside, mapPaths, toRecorded } from "./ledger_paths.ts";

/** Increased when an older version could misread the file. */
export const LEDGER_VERSION = 2;

/** An edit as data. */
export interface EntryRecord {
  readonly kind: "entry" | "item" | "default";
  readonly path: Path;
  readonly value: Json;
  readonly text?: string;
  readonly inner?: string;
  readonly replaces?: boolean;
}

/** The changes of an install to one file. */
export interface FileRecord {
  readonly path: string;
  readonly kind: "edit" | "block" | "file" | "secret" | "program" | "original";
  /** False if install created the file. */
  readonly existed: boolean;
  /** The digest of the file before the install. */
  readonly before?: string;
  /** The name of its backup in `backups/`. */
  readonly backup?: string;
  /** Backups of earlier installs. */
  readonly olderBackups?: readonly string[];
  /** Digests of what we wrote, the newest last; a crash may have left the one before. */
  readonly after: readonly string[];
  /** The splices from the original file to what was written. */
  readonly splices?: readonly Splice[];
  readonly format?: Format;
  readonly entries?: readonly EntryRecord[];
  readonly made?: Partial<Made>;
  /** Entries of the original Signet that were taken out and have no command to recognise them by. */
  readonly originals?: readonly EntryRecord[];
  /** Another harness wrote the block: both read the same file. */
  readonly shared?: boolean;
  /** A program that install copied. One that the user placed is not removed. */
  readonly copied?: boolean;
  /** The mode of a file of the original Signet, which uninstall brings back. */
  readonly mode?: number;
}

export interface LinkRecord {
  readonly path: string;
  readonly to: string;
  /** The previous target; a killed install may have left it. */
  readonly was?: string;
}

/** What was installed, so that it can be undone exactly. */
export interface Ledger {
  readonly version: number;
  readonly harness: string;
  readonly files: readonly FileRecord[];
  readonly links: readonly LinkRecord[];
  /** Directories that install created. */
  readonly dirs: readonly string[];
  /** A sync started this ledger, because there was none: it does not list the install. */
  readonly partial?: boolean;
}

/** A ledger on disk: paths in the home start with `~`, and `at` is the directory that it was written to. */
interface StoredLedger extends Ledger {
  readonly at?: string;
}

export type LedgerReading =
  | { readonly kind: "absent" }
  /** `elsewhere`: recorded paths outside of the home, of the home that this one was copied from. */
  | { readonly kind: "ok"; readonly ledger: Ledger; readonly elsewhere: readonly string[] }
  | { readonly kind: "damaged"; readonly reason: string; readonly bytes?: Uint8Array };

export function ledgerPath(stateDir: string): string {
  return within(stateDir, "ledger.json");
}

export function backupsDir(stateDir: string): string {
  return within(stateDir, "backups");
}

export async function readLedger(os: Os, stateDir: string): Promise<LedgerReading> {
  const path = ledgerPath(stateDir);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await os.read(path);
  } catch (error) {
    return {
      kind: "damaged",
      reason: `${path} cannot be read (${error instanceof Error ? error.message : error})`,
    };
  }
  if (!bytes) return { kind: "absent" };
  const damaged = (reason: string): LedgerReading => ({
    kind: "damaged",
    reason: `${path} ${reason}`,
    bytes,
  });
  try {
    const value: unknown = JSON.parse(decode(bytes) ?? "");
    if (!isLedger(value)) return damaged("is not a ledger");
    if (value.version > LEDGER_VERSION) return damaged("was written by a newer version");
    if (homeOf(stateDir) === undefined && "at" in value && value.at !== stateDir) {
      return damaged("was copied from another directory");
    }
    return fromStored(value, stateDir) ?? damaged("has paths that lead out of the home");
  } catch {
    return damaged("is not JSON");
  }
}

/** The paths of a stored ledger in this home; undefined if one of them is not valid. */
function fromStored(stored: StoredLedger, stateDir: string): LedgerReading | undefined {
  const home = homeOf(stateDir);
  const { at, ...ledger } = stored.version === 1 ? asVersion2(stored, stateDir) : stored;
  const moved = at !== stateDir;
  const elsewhere: string[] = [];
  let valid = true;
  const resolved = mapPaths(ledger, (recorded) => {
    const path = fromRecorded(recorded, home);
    if (path === undefined) valid = false;
    else if (moved && path === recorded) elsewhere.push(path);
    else return path;
    return undefined;
  });
  return valid ? { kind: "ok", ledger: resolved, elsewhere } : undefined;
}

function asVersion2(stored: StoredLedger, stateDir: string): StoredLedger {
  const was = homeOfVersion1(stored);
  const now = homeOf(stateDir);
  const at = was !== undefined && now !== undefined && isInside(stateDir, now)
    ? was + stateDir.slice(now.length)
    : stateDir;
  return { ...mapPaths(stored, (path) => toRecorded(path, was)), version: LEDGER_VERSION, at };
}

export function ledgerBytes(ledger: Ledger, stateDir: string): Uint8Array {
  const home = homeOf(stateDir);
  const stored: StoredLedger = { ...mapPaths(ledger, (path) => toRecorded(path, home)), at: stateDir };
  return encode(JSON.stringify(stored, null, 1) + "\n");
}

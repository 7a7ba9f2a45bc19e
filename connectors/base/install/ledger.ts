import { isObject } from "../../../hooks/json.ts";
import type { Format, Json, Path } from "../edit/edit.ts";
import type { Made } from "../edit/draft.ts";
import type { Splice } from "../edit/splice.ts";
import { within } from "../fs/file_path.ts";
import type { Os } from "../fs/os.ts";
import { decode, encode } from "../fs/text_bytes.ts";

/** Increased when an older version could misread the file. */
export const LEDGER_VERSION = 1;

/** An edit as data. */
export interface EntryRecord {
  readonly kind: "entry" | "item" | "default";
  readonly path: Path;
  readonly value: Json;
  readonly text?: string;
  readonly inner?: string;
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
  readonly made?: Made;
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
}

export type LedgerReading =
  | { readonly kind: "absent" }
  | { readonly kind: "ok"; readonly ledger: Ledger }
  | { readonly kind: "damaged"; readonly reason: string };

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
  try {
    const value: unknown = JSON.parse(decode(bytes) ?? "");
    if (isLedger(value)) return { kind: "ok", ledger: value };
    const newer = typeof value === "object" && value !== null && "version" in value &&
      Number(value.version) > LEDGER_VERSION;
    return {
      kind: "damaged",
      reason: newer ? `${path} was written by a newer version` : `${path} is not a ledger`,
    };
  } catch {
    return { kind: "damaged", reason: `${path} is not JSON` };
  }
}

export function ledgerBytes(ledger: Ledger): Uint8Array {
  return encode(JSON.stringify(ledger, null, 1) + "\n");
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isFile(value: unknown): value is FileRecord {
  return isObject(value) && typeof value.path === "string" && typeof value.existed === "boolean" &&
    isStrings(value.after) &&
    ["edit", "block", "file", "secret", "program", "original"].includes(String(value.kind)) &&
    (value.backup === undefined || (typeof value.backup === "string" && !/[/\\]/.test(value.backup))) &&
    (value.entries === undefined || (Array.isArray(value.entries) && value.entries.every(isEntry))) &&
    (value.splices === undefined || (Array.isArray(value.splices) && value.splices.every(isSplice)));
}

function isEntry(value: unknown): boolean {
  return isObject(value) && isStrings(value.path) && "value" in value &&
    ["entry", "item", "default"].includes(String(value.kind));
}

function isSplice(value: unknown): boolean {
  return isObject(value) && Number.isInteger(value.start) && Number.isInteger(value.end) &&
    typeof value.text === "string";
}

function isLedger(value: unknown): value is Ledger {
  return isObject(value) && value.version === LEDGER_VERSION && typeof value.harness === "string" &&
    Array.isArray(value.files) && value.files.every(isFile) && isStrings(value.dirs) &&
    Array.isArray(value.links) &&
    value.links.every((link) =>
      isObject(link) && typeof link.path === "string" && typeof link.to === "string"
    );
}

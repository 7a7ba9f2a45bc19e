import { isObject } from "../../../hooks/json.ts";
import type { Format, Json, Path } from "../edit/edit.ts";
import type { Made } from "../edit/draft.ts";
import type { Splice } from "../edit/splice.ts";
import { within } from "../fs/file_path.ts";
import type { Os } from "../fs/os.ts";
import { decode, encode } from "../fs/text_bytes.ts";

/** Raised when a reader of version N could misread what version N+1 wrote. */
export const LEDGER_VERSION = 1;

/** An entry of ours, as data: what it took to recognise it. */
export interface EntryRecord {
  readonly kind: "entry" | "item" | "default";
  readonly path: Path;
  readonly value: Json;
  readonly text?: string;
  readonly inner?: string;
}

/** What install did to one file. */
export interface FileRecord {
  readonly path: string;
  readonly kind: "edit" | "block" | "file" | "secret" | "program";
  /** False where the file exists because of us. */
  readonly existed: boolean;
  /** The digest of the file without us. */
  readonly before?: string;
  /** The name of its copy in `backups/`. */
  readonly backup?: string;
  /** Copies that an earlier install made. */
  readonly olderBackups?: readonly string[];
  /** Digests of what we wrote, the newest last; a crash may have left the one before. */
  readonly after: readonly string[];
  /** What leads from the file without us to what we wrote. */
  readonly splices?: readonly Splice[];
  readonly format?: Format;
  readonly entries?: readonly EntryRecord[];
  readonly made?: Made;
}

export interface LinkRecord {
  readonly path: string;
  readonly to: string;
  /** Where it led before; an install that was killed may have left it so. */
  readonly was?: string;
}

/** What was installed, so that it can be taken back exactly. */
export interface Ledger {
  readonly version: number;
  readonly harness: string;
  readonly files: readonly FileRecord[];
  readonly links: readonly LinkRecord[];
  /** Directories that exist because of us. */
  readonly dirs: readonly string[];
}

export type LedgerReading =
  | { readonly kind: "absent" }
  | { readonly kind: "ok"; readonly ledger: Ledger }
  | { readonly kind: "damaged"; readonly why: string };

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
      why: `${path} cannot be read (${error instanceof Error ? error.message : error})`,
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
      why: newer ? `${path} was written by a newer version` : `${path} is not a ledger`,
    };
  } catch {
    return { kind: "damaged", why: `${path} is not JSON` };
  }
}

export function ledgerBytes(ledger: Ledger): Uint8Array {
  return encode(JSON.stringify(ledger, null, 1) + "\n");
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isFile(value: unknown): value is FileRecord {
  return isObject(value) && typeof value.path === "string" && typeof value.existed === "boolean" &&
    isTexts(value.after) &&
    ["edit", "block", "file", "secret", "program"].includes(String(value.kind)) &&
    (value.backup === undefined || (typeof value.backup === "string" && !/[/\\]/.test(value.backup))) &&
    (value.entries === undefined || (Array.isArray(value.entries) && value.entries.every(isEntry))) &&
    (value.splices === undefined || (Array.isArray(value.splices) && value.splices.every(isSplice)));
}

function isEntry(value: unknown): boolean {
  return isObject(value) && isTexts(value.path) && "value" in value &&
    ["entry", "item", "default"].includes(String(value.kind));
}

function isSplice(value: unknown): boolean {
  return isObject(value) && Number.isInteger(value.start) && Number.isInteger(value.end) &&
    typeof value.text === "string";
}

function isLedger(value: unknown): value is Ledger {
  return isObject(value) && value.version === LEDGER_VERSION && typeof value.harness === "string" &&
    Array.isArray(value.files) && value.files.every(isFile) && isTexts(value.dirs) &&
    Array.isArray(value.links) &&
    value.links.every((link) =>
      isObject(link) && typeof link.path === "string" && typeof link.to === "string"
    );
}

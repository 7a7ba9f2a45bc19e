import { digest } from "../fs/digest.ts";
import type { DraftPart } from "./draft_part.ts";
import { splicesBetween, undone } from "../edit/rebase.ts";
import { splice } from "../edit/splice.ts";
import type { FileRecord } from "./ledger.ts";
import { decode, encode } from "../fs/text_bytes.ts";
import type { UserFile } from "./user_file.ts";

/** A file as it would be without us. */
export interface Without {
  readonly existed: boolean;
  readonly text?: string;
  /** True if these are the very bytes from before our first change. */
  readonly exact: boolean;
}

/**
 * What a file that we changed would be without us: the original where our bytes
 * still stand, else the user's edits without ours. `byMarks` takes ours out of
 * a text by what they look like; `fine` judges a text that was put together
 * from the ledger.
 */
export async function withoutUs(
  draft: DraftPart,
  file: UserFile,
  record: FileRecord | undefined,
  byMarks: (text: string) => string,
  fine: (text: string) => boolean,
): Promise<Without> {
  const now = file.text;
  if (now === undefined || !file.bytes) return { existed: false, exact: true };
  const hash = await digest(file.bytes);
  if (!record) {
    const text = byMarks(now);
    return { existed: true, text, exact: text === now };
  }
  if (hash === record.before) return { existed: true, text: now, exact: true };
  const written = record.after.includes(hash);
  if (written && !record.existed) return { existed: false, exact: true };
  const original = await originalText(draft, record);
  if (written && original !== undefined) return { existed: true, text: original, exact: true };
  const newest = record.after.at(-1);
  if (record.splices && (original !== undefined || !record.existed)) {
    const before = original ?? "";
    const ours = record.splices;
    if (newest === await digest(encode(splice(before, ours)))) {
      const text = undone(before, ours, now);
      if (text !== undefined && fine(text)) {
        return { existed: record.existed || text.trim() !== "", text, exact: false };
      }
    }
  }
  const text = byMarks(now);
  return { existed: record.existed || !isBlank(text), text, exact: false };
}

/** Nothing that a person would miss: what is left of a file that we made. */
function isBlank(text: string): boolean {
  return /^[\s\uFEFF]*(?:\{\s*\})?\s*$/.test(text);
}

async function originalText(draft: DraftPart, record: FileRecord): Promise<string | undefined> {
  if (!record.backup) return undefined;
  const bytes = await draft.backup(record.backup).catch(() => undefined);
  if (!bytes || await digest(bytes) !== record.before) return undefined;
  return decode(bytes);
}

/** The record of a file for the ledger, and the copy that it needs. */
export async function recorded(
  draft: DraftPart,
  file: UserFile,
  without: Without,
  after: string,
  rest: Pick<FileRecord, "kind" | "format" | "entries" | "made">,
): Promise<FileRecord> {
  const record = draft.oldFile(file.path);
  const bytes = without.existed && without.text !== undefined ? encode(without.text) : undefined;
  const before = bytes && await digest(bytes);
  const hash = await digest(encode(after));
  const sameBase = record !== undefined && record.before === before && record.existed === without.existed &&
    (!bytes || (record.backup !== undefined && await originalText(draft, record) !== undefined));
  const splices = splicesBetween(without.text ?? "", after);
  if (sameBase) {
    return { ...record, ...rest, after: written(record, hash), splices };
  }
  const older = [...record?.olderBackups ?? [], ...record?.backup ? [record.backup] : []];
  const backup = bytes && draft.backupName(file.path);
  if (bytes && backup) draft.backups.push({ name: backup, bytes });
  return {
    path: file.path,
    existed: without.existed,
    ...before ? { before } : {},
    ...backup ? { backup } : {},
    ...older.length > 0 ? { olderBackups: older } : {},
    after: [hash],
    splices,
    ...rest,
  };
}

/** The record of a file that is ours whole. */
export function ownRecord(
  draft: DraftPart,
  path: string,
  kind: "file" | "secret" | "program",
  hash: string,
): FileRecord {
  return { path, kind, existed: false, after: written(draft.oldFile(path), hash) };
}

/** An install that is killed leaves what the one before it wrote: both are known as ours. */
function written(record: FileRecord | undefined, hash: string): string[] {
  return [...(record?.after ?? []).filter((one) => one !== hash), hash].slice(-3);
}

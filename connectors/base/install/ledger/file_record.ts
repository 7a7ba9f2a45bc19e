import { digest } from "../../fs/digest.ts";
import type { PlanDraft } from "../plan/plan_draft.ts";
import { splicesBetween } from "../../edit/text/rebase.ts";
import type { FileRecord } from "./ledger.ts";
import { backupText, type Original } from "../original.ts";
import { encode } from "../../fs/text_bytes.ts";
import type { UserFile } from "../user_file.ts";

/** The ledger record of a user file that install edits. Adds the backup that it needs to the draft. */
export async function userFileRecord(
  draft: PlanDraft,
  file: UserFile,
  original: Original,
  after: string,
  rest: Pick<FileRecord, "kind" | "format" | "entries" | "made" | "originals" | "shared">,
): Promise<FileRecord> {
  const record = draft.oldFile(file.path);
  const bytes = original.existed && original.text !== undefined ? encode(original.text) : undefined;
  const before = bytes && await digest(bytes);
  const hash = await digest(encode(after));
  const sameBase = record !== undefined && record.before === before && record.existed === original.existed &&
    (!bytes || (record.backup !== undefined && await backupText(draft, record) !== undefined));
  const splices = splicesBetween(original.text ?? "", after);
  if (sameBase) {
    return { ...record, ...rest, after: lastDigests(record, hash), splices };
  }
  const older = [...record?.olderBackups ?? [], ...record?.backup ? [record.backup] : []];
  const backup = bytes && await draft.addBackup(file.path, bytes);
  return {
    path: file.path,
    existed: original.existed,
    ...before ? { before } : {},
    ...backup ? { backup } : {},
    ...older.length > 0 ? { olderBackups: older } : {},
    after: [hash],
    splices,
    ...rest,
  };
}

/** The ledger record of a file that install writes as a whole. */
export function wholeFileRecord(
  draft: PlanDraft,
  path: string,
  kind: "file" | "secret",
  hash: string,
): FileRecord {
  const old = draft.oldFile(path);
  const { existed = false, before, backup } = old?.kind === kind ? old : {};
  return {
    path,
    kind,
    existed,
    ...before ? { before } : {},
    ...backup ? { backup } : {},
    after: lastDigests(old, hash),
  };
}

/** The same, with a backup of the original Signet's file in its place. */
export async function replacingFileRecord(
  draft: PlanDraft,
  path: string,
  hash: string,
  replaced: Uint8Array,
): Promise<FileRecord> {
  const backup = await draft.addBackup(path, replaced);
  return { path, kind: "file", existed: true, before: await digest(replaced), backup, after: [hash] };
}

/** The ledger record of the program that hooks call; `copied` if this or an earlier install put it there. */
export function programRecord(draft: PlanDraft, path: string, hash: string, copies: boolean): FileRecord {
  const copied = copies || draft.oldFile(path)?.copied || draft.siblingFile(path)?.copied;
  const after = lastDigests(draft.oldFile(path), hash);
  return { path, kind: "program", existed: !copied, after, ...copied ? { copied } : {} };
}

/** The digests of the last writes: an install that was killed may have left the version before. */
function lastDigests(record: FileRecord | undefined, hash: string): string[] {
  return [...(record?.after ?? []).filter((known) => known !== hash), hash].slice(-3);
}

import { digest } from "../fs/digest.ts";
import type { PlanDraft } from "./plan/plan_draft.ts";
import { undoSplices } from "../edit/text/rebase.ts";
import { splice } from "../edit/text/splice.ts";
import type { FileRecord } from "./ledger/ledger.ts";
import { decode, encode } from "../fs/text_bytes.ts";
import type { UserFile } from "./user_file.ts";

/** A file as it would be without the install. */
export interface Original {
  readonly existed: boolean;
  readonly text?: string;
  /** True if the text is exactly the file before the first install. */
  readonly exact: boolean;
}

/**
 * The file without what install wrote: the backup if the file is unchanged since
 * the install, otherwise the current text with our changes undone. `removeMarked`
 * removes our entries by their marks; `isSafe` checks that a text which the ledger
 * or a backup gave differs from the current one in marked entries only.
 */
export async function originalFile(
  draft: PlanDraft,
  file: UserFile,
  record: FileRecord | undefined,
  removeMarked: (text: string) => string | Promise<string>,
  isSafe: (text: string) => boolean | Promise<boolean>,
): Promise<Original> {
  const now = file.text;
  if (now === undefined || !file.bytes) return { existed: false, exact: true };
  const hash = await digest(file.bytes);
  if (!record) {
    const text = await removeMarked(now);
    return { existed: true, text, exact: text === now };
  }
  if (hash === record.before) return { existed: true, text: now, exact: true };
  const written = record.after.includes(hash);
  if (written && !record.existed && await isSafe("")) return { existed: false, exact: true };
  const backup = await backupText(draft, record);
  if (written && backup !== undefined && await isSafe(backup)) {
    return { existed: true, text: backup, exact: true };
  }
  const newest = record.after.at(-1);
  if (record.splices && (backup !== undefined || !record.existed)) {
    const before = backup ?? "";
    if (newest === await digest(encode(splice(before, record.splices)))) {
      const text = undoSplices(before, record.splices, now);
      const isMarked = async (text: string) => await removeMarked(text) !== text;
      // A copy that the user made of our entry, or of some of its lines, goes too.
      if (text !== undefined && await isSafe(text) && (!await isMarked(text) || await isMarked(before))) {
        return { existed: record.existed || text.trim() !== "", text, exact: false };
      }
    }
  }
  const text = await removeMarked(now);
  return { existed: record.existed || !isBlank(text), text, exact: false };
}

/** True for the empty remains of a file that install created. */
function isBlank(text: string): boolean {
  return /^[\s\uFEFF]*(?:\{\s*\})?\s*$/.test(text);
}

/** The backup of a file, if it is intact. */
export async function backupText(draft: PlanDraft, record: FileRecord): Promise<string | undefined> {
  if (!record.backup) return undefined;
  const bytes = await draft.backup(record.backup).catch(() => undefined);
  if (!bytes || await digest(bytes) !== record.before) return undefined;
  return decode(bytes);
}

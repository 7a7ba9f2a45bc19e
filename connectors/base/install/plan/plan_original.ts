import { splicesBetween, undoSplices } from "../../edit/text/rebase.ts";
import { digest } from "../../fs/digest.ts";
import { encode } from "../../fs/text_bytes.ts";
import type { Target } from "../../harness.ts";
import type { FileRecord } from "../ledger/ledger.ts";
import { backupText } from "../original.ts";
import type { PlanDraft } from "./plan_draft.ts";
import { mayWrite, readUserFile } from "../user_file.ts";

/** The digest of a file that was removed. */
const REMOVED = "";

/** Takes away what the original Signet left in a file, or the file itself, with a backup for uninstall. */
export async function planOriginal(
  draft: PlanDraft,
  target: Extract<Target, { kind: "original" }>,
): Promise<void> {
  const { path } = target;
  const record = draft.oldFile(path);
  const keep = () => record && draft.files.push(record);
  const file = await readUserFile(draft, path);
  if (!file?.bytes || file.text === undefined) return void keep();
  const left = target.without(file.text);
  if (left === file.text) return void keep();
  if (!draft.input.replaceSignetCli) {
    draft.signetCli.push({ path: [], line: 1, command: target.what, file: path });
    return void keep();
  }
  if (!mayWrite(draft, file)) return void keep();
  const { real, bytes: before, mode } = file;
  const after = left === undefined ? REMOVED : await digest(encode(left));
  if (record) draft.files.push({ ...record, after: [...record.after, after] });
  else {
    const backup = await draft.addBackup(path, before);
    const splices = splicesBetween(file.text, left ?? "");
    const hash = await digest(before);
    draft.files.push({
      path,
      kind: "original",
      existed: true,
      before: hash,
      backup,
      after: [after],
      splices,
      mode,
    });
  }
  draft.changes.push(
    left === undefined
      ? { kind: "remove", path, real, target: "original", before }
      : { kind: "write", path, real, target: "original", before, after: encode(left), mode },
  );
}

/** Brings back, at uninstall, what `planOriginal` took away. */
export async function restoreOriginal(draft: PlanDraft, record: FileRecord): Promise<void> {
  const { path } = record;
  const file = await readUserFile(draft, path);
  const was = await backupText(draft, record);
  if (!file || was === undefined) {
    draft.warnings.push(`${path} could not be brought back: its backup is missing`);
    return;
  }
  const { real, text: now, bytes: before } = file;
  const isUnchanged = record.after.includes(before ? await digest(before) : REMOVED);
  const text = isUnchanged
    ? was
    : now === undefined
    ? undefined
    : undoSplices(was, record.splices ?? [], now);
  if (text === undefined || (!isUnchanged && record.after.includes(REMOVED))) {
    draft.warnings.push(`${path} was changed after the install, so the original Signet's part is not back`);
    return;
  }
  if (!/signet/i.test(was) || !onlyAdds(now ?? "", text)) {
    draft.warnings.push(
      `${path}: the backup is not what the original Signet left there, so it was left alone`,
    );
    return;
  }
  if (before && !mayWrite(draft, file)) return void draft.files.push(record);
  draft.release(record);
  if (text === now) return;
  const after = encode(text);
  const mode = record.mode ?? file.mode;
  if (!before) await draft.needsDir(real);
  draft.changes.push({ kind: "write", path, real, target: "original", before, after, mode });
}

/** Whether a text has every line of another one: bringing back takes nothing away, whatever the ledger says. */
function onlyAdds(now: string, text: string): boolean {
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  return now.split(/\r?\n/).every((line) => lines.has(line.trim()) || line.trim() === "");
}

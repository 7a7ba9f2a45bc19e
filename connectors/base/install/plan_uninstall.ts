import { hasBlock, removeBlock } from "./marked_block.ts";
import { digest } from "../fs/digest.ts";
import { PlanDraft } from "./plan_draft.ts";
import { errorReason } from "../fs/error_reason.ts";
import { findEdits, isInstalled, removeEdits } from "../edit/config.ts";
import type { Edit, Format } from "../edit/edit.ts";
import { ConfigError } from "../edit/tree.ts";
import type { Target } from "../harness.ts";
import { backupText, originalFile } from "./original.ts";
import { restoreOriginal } from "./plan_original.ts";
import { backupsDir, type FileRecord, type LinkRecord, readLedger } from "./ledger.ts";
import type { Os } from "../fs/os.ts";
import { programHash } from "./plan_program.ts";
import { type Plan, planOf, type PlanPart, type PlanRequest } from "./plan.ts";
import { recordedEdits } from "./recorded_edits.ts";
import { siblingLedgers } from "./sibling_ledgers.ts";
import { encode } from "../fs/text_bytes.ts";
import { moveEntries } from "./move_entries.ts";
import { mayWrite, readUserFile, type UserFile } from "./user_file.ts";
import { verify } from "./verify.ts";

/**
 * Plans an uninstall from the ledger. Without an intact ledger, our entries in
 * `targets` are recognised by their marks.
 */
export async function planUninstall(os: Os, request: PlanRequest): Promise<Plan> {
  return planOf([await uninstallPart(os, request)]);
}

export async function uninstallPart(os: Os, request: PlanRequest): Promise<PlanPart> {
  const reading = await readLedger(os, request.stateDir);
  const siblings = await siblingLedgers(os, request.stateDir, request.leaving);
  const draft = new PlanDraft(os, request, reading.kind === "ok" ? reading.ledger : undefined, siblings);
  const keep = new Set(request.keep);
  for (const file of draft.old?.files ?? []) {
    if (keep.has(file.path)) continue;
    await removeRecorded(draft, file, request.targets.find((target) => target.path === file.path));
  }
  for (const link of draft.old?.links ?? []) await removeLink(draft, link);
  const known = new Set([...draft.old?.files ?? [], ...draft.old?.links ?? []].map(({ path }) => path));
  for (const target of request.targets) {
    if (!known.has(target.path) && !keep.has(target.path)) await removeByMarks(draft, target);
  }
  for (const target of request.targets) await moveEntries(draft, target);
  if (reading.kind === "damaged") {
    draft.warnings.unshift(`${reading.reason}, so our entries were found by their marks`);
  } else if (reading.kind === "absent" && draft.changes.length > 0) {
    draft.warnings.unshift("there is no record of this install, so our entries were found by their marks");
  }
  const backups = backupsDir(request.stateDir);
  if (!draft.old && draft.changes.some(({ kind }) => kind === "write") && await os.stat(backups)) {
    draft.warnings.push(
      `the backups of your files stay in ${backups}; delete them when you no longer need them`,
    );
  }
  for (const { kind, path } of request.targets) {
    // Without a record, it is unknown whether install put it there.
    if (kind !== "program" || draft.old || draft.changes.length === 0 || !await os.lstat(path)) continue;
    draft.warnings.push(
      `${path} was kept because there is no record of it; delete it if nothing else needs it`,
    );
  }
  // A file that cannot be restored does not stop the rest.
  draft.warnings.push(...draft.problems.splice(0));
  return draft.part("uninstall");
}

/** Undoes the changes to one file; what must stay is kept in the ledger. */
export async function removeRecorded(
  draft: PlanDraft,
  record: FileRecord,
  target: Target | undefined,
): Promise<void> {
  const { path } = record;
  // Another harness uses the file too, so it stays.
  if ((record.kind === "program" || record.kind === "file") && draft.siblingFile(path)) return;
  if (record.kind === "program") return await removeProgram(draft, record, target);
  if (record.kind === "secret") return await removeSecret(draft, path);
  if (record.kind === "original") return await restoreOriginal(draft, record);
  const before = draft.problems.length;
  const file = await readUserFile(draft, path);
  if (!file) return void draft.files.push(record);
  if (!file.bytes || file.text === undefined) return;
  try {
    if (record.kind === "file") return await removeOwnFile(draft, file, record, target);
    const removeMarked = record.kind === "block" ? removeBlock : marksOf(record, target);
    const isSafe = record.kind === "block"
      ? () => true
      : (text: string) =>
        record.format !== undefined && isClean(record.format, file, text, editsOf(record, target));
    const original = await originalFile(draft, file, record, removeMarked, isSafe);
    const text = original.existed ? original.text : undefined;
    if (text !== undefined && !original.exact && record.kind === "edit" && !isSafe(text)) {
      draft.problems.push(unsafe(path));
    } else if (!mayWrite(draft, file)) draft.files.push(record);
    else put(draft, file, record.kind, text);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    draft.problems.push(`${path}:${error.line}:${error.column}: ${error.message}; it was left alone`);
  }
  if (draft.problems.length > before && !draft.files.includes(record)) draft.files.push(record);
}

function unsafe(path: string): string {
  return `${path}: our entries could not be removed safely; remove them by hand`;
}

function put(draft: PlanDraft, file: UserFile, target: Target["kind"], text: string | undefined): void {
  const { path, real, bytes: before, mode } = file;
  if (!before || text === file.text) return;
  if (text === undefined) draft.changes.push({ kind: "remove", path, real, target, before });
  else draft.changes.push({ kind: "write", path, real, target, before, after: encode(text), mode });
}

function editsOf(record: FileRecord, target: Target | undefined): Edit[] {
  return [...target?.kind === "edit" ? target.edits : [], ...recordedEdits(record)];
}

function marksOf(record: FileRecord, target: Target | undefined): (text: string) => string {
  return (text) =>
    record.format === undefined
      ? text
      : removeEdits(record.format, text, editsOf(record, target), record.made);
}

function isClean(format: Format, file: UserFile, text: string, edits: readonly Edit[]): boolean {
  return verify(format, file.text ?? "", text, edits, { installed: false }) === undefined;
}

async function removeOwnFile(
  draft: PlanDraft,
  file: UserFile,
  record: FileRecord,
  target: Target | undefined,
): Promise<void> {
  const { text, bytes } = file;
  if (text === undefined || !bytes) return;
  const isOurs = record.after.includes(await digest(bytes)) || (target?.kind === "file" && target.owns(text));
  if (!isOurs) draft.warnings.push(`${file.path} was edited after the install and was kept`);
  else if (!mayWrite(draft, file)) draft.files.push(record);
  // A plugin of the original Signet that was replaced comes back.
  else put(draft, file, "file", record.existed ? await backupText(draft, record) : undefined);
}

async function removeSecret(draft: PlanDraft, path: string): Promise<void> {
  const found = await draft.os.lstat(path);
  if (found?.kind !== "file") return;
  try {
    const before = await draft.os.read(path) ?? new Uint8Array();
    draft.changes.push({ kind: "remove", path, real: path, target: "secret", before });
  } catch (error) {
    draft.problems.push(`${path} cannot be read (${errorReason(error)}); remove it by hand`);
  }
}

async function removeProgram(
  draft: PlanDraft,
  record: FileRecord,
  target: Target | undefined,
): Promise<void> {
  const found = await draft.os.lstat(record.path);
  if (found?.kind !== "file") return;
  const source = target?.kind === "program" ? await draft.os.stat(target.from) : undefined;
  // A manual upgrade may have replaced it: the program that runs now is ours.
  const running = source?.inode !== undefined && source.inode === found.inode;
  if (running || record.after.includes(await programHash(draft.os, record.path, found))) {
    draft.changes.push({ kind: "remove-program", path: record.path });
  } else draft.warnings.push(`${record.path} is not the program that was installed and was kept`);
}

/** Removes a link that still has our target. */
export async function removeLink(draft: PlanDraft, link: LinkRecord): Promise<void> {
  const { path, to, was } = link;
  if (draft.siblings.some(({ links }) => links.some((other) => other.path === path))) return;
  const found = await draft.os.lstat(path);
  const currentTarget = found?.kind === "link" ? await draft.os.readlink(path) : undefined;
  if (currentTarget !== undefined && (currentTarget === to || currentTarget === was)) {
    draft.changes.push({ kind: "unlink", path, was: currentTarget });
  }
}

/** Without a record: removes only what has our marks. */
async function removeByMarks(draft: PlanDraft, target: Target): Promise<void> {
  if (target.kind === "link") return await removeLink(draft, target);
  if (target.kind === "secret") return await removeSecret(draft, target.path);
  if (target.kind === "program" || target.kind === "original") return;
  const file = await readUserFile(draft, target.path);
  if (!file || file.text === undefined) return;
  const { text } = file;
  try {
    if (target.kind === "file") {
      if (target.owns(text) && mayWrite(draft, file)) put(draft, file, "file", undefined);
    } else if (target.kind === "block") {
      if (hasBlock(text) && mayWrite(draft, file)) put(draft, file, "block", removeBlock(text));
    } else if (
      findEdits(target.format, text, target.edits).some(isInstalled)
    ) {
      const left = removeEdits(target.format, text, target.edits);
      if (!isClean(target.format, file, left, target.edits)) draft.problems.push(unsafe(target.path));
      else if (mayWrite(draft, file)) put(draft, file, "edit", left);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    draft.problems.push(`${target.path}:${error.line}:${error.column}: ${error.message}; it was left alone`);
  }
}

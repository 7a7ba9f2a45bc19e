import { hasBlock, removeBlock } from "../marked_block.ts";
import { digest } from "../../fs/digest.ts";
import { PlanDraft } from "./plan_draft.ts";
import { errorReason } from "../../fs/error_reason.ts";
import { keepsComments } from "../../edit/change/comments.ts";
import { findEdits, isInstalled, readConfig, removeEdits } from "../../edit/config.ts";
import type { Edit, Format } from "../../edit/edit.ts";
import { comparable } from "../../edit/sections/outline.ts";
import { atPaths, type Concern } from "../../edit/sections/sections.ts";
import { same } from "../../edit/json_value.ts";
import { ConfigError } from "../../edit/tree.ts";
import type { Target } from "../../harness.ts";
import { backupText, originalFile } from "../original.ts";
import { restoreOriginal } from "./plan_original.ts";
import { backupsDir, type FileRecord, type LinkRecord, readLedger } from "../ledger/ledger.ts";
import type { Os } from "../../fs/os.ts";
import { keepAside } from "../keep_aside.ts";
import {
  carriesMarks,
  hasFileMark,
  isCredentialsPath,
  isOurLink,
  isProgramPath,
  trustedEdits,
} from "../marks.ts";
import { programHash } from "./plan_program.ts";
import { type HarnessPlan, type Plan, type PlanInput, planOf } from "./plan.ts";
import { isBlockEdited, siblingBlock } from "../shared_block.ts";
import { siblingLedgers } from "../ledger/sibling_ledgers.ts";
import { encode } from "../../fs/text_bytes.ts";
import { hasMoved, movedEdits, planMoves, plannedMoves } from "../move_entries.ts";
import { returningEdits, valueAt } from "../taken_originals.ts";
import { mayWrite, readUserFile, type UserFile } from "../user_file.ts";
import { verify } from "../verify.ts";

/**
 * Plans an uninstall from the ledger. Without an intact ledger, and in files that were
 * edited since, our entries are recognised by their marks.
 */
export async function planUninstall(os: Os, input: PlanInput): Promise<Plan> {
  return planOf([await uninstallPart(os, input)]);
}

export async function uninstallPart(os: Os, input: PlanInput): Promise<HarnessPlan> {
  const reading = await readLedger(os, input.stateDir);
  const siblings = await siblingLedgers(os, input.stateDir, input.leaving);
  const draft = new PlanDraft(os, input, reading.kind === "ok" ? reading.ledger : undefined, siblings);
  const keep = new Set(input.keep);
  for (const file of draft.old?.files ?? []) {
    if (!keep.has(file.path)) await removeRecorded(draft, file);
  }
  for (const link of draft.old?.links ?? []) await removeLink(draft, link);
  // A ledger that lists the whole install suffices.
  if (!draft.old || draft.old.partial) {
    const known = new Set([...draft.old?.files ?? [], ...draft.old?.links ?? []].map(({ path }) => path));
    for (const target of await draft.marks()) {
      if (!known.has(target.path) && !keep.has(target.path)) await removeByMarks(draft, target);
    }
  }
  if (draft.changes.length > 0) {
    for (const target of await draft.marks()) await planMoves(draft, target);
  }
  if (reading.kind === "ok") {
    draft.warnings.push(
      ...reading.elsewhere.map((path) => `${path} is outside of this home and was left alone`),
    );
  } else if (reading.kind === "damaged") {
    draft.warnings.unshift(`${reading.reason}, so our entries were found by their marks`);
  } else if (draft.changes.length > 0) {
    draft.warnings.unshift("there is no record of this install, so our entries were found by their marks");
  }
  await nameWhatStays(draft);
  // A file that cannot be restored does not stop the rest.
  draft.warnings.push(...draft.problems.splice(0));
  return draft.part("uninstall");
}

/** Warns about backups, and without a ledger about programs, that are not removed. */
async function nameWhatStays(draft: PlanDraft): Promise<void> {
  const { os, input, old, changes } = draft;
  if (!old) await releaseUnneeded(draft);
  if (!old && changes.length === 0) return;
  const needed = new Set([...draft.released, ...draft.files.flatMap((file) => file.backup ?? [])]);
  const left = (await draft.backupNames()).filter((name) => !needed.has(name) && !name.startsWith("."));
  if (left.length > 0) {
    draft.warnings.push(
      `the backups of your files stay in ${
        backupsDir(input.stateDir)
      }; delete them when you no longer need them`,
    );
  }
  if (old) return;
  for (const { kind, path } of await draft.marks()) {
    // Without a record, it is unknown whether install put it there.
    if (kind !== "program" || !await os.lstat(path)) continue;
    draft.warnings.push(
      `${path} was kept because there is no record of it; delete it if nothing else needs it`,
    );
  }
}

/** Releases backups that equal the user's file, as an install leaves them that was killed before its ledger was written. */
async function releaseUnneeded(draft: PlanDraft): Promise<void> {
  const names = await draft.backupNames();
  if (names.length === 0) return;
  const contents = new Set<string>();
  for (const { kind, path } of await draft.marks()) {
    if (kind !== "edit" && kind !== "block") continue;
    const change = draft.changes.find((change) => change.path === path);
    const bytes = change?.kind === "write" ? change.after : (await readUserFile(draft, path))?.bytes;
    if (bytes) contents.add(await digest(bytes));
  }
  for (const name of names) {
    const bytes = await draft.backup(name).catch(() => undefined);
    if (bytes && contents.has(await digest(bytes))) draft.released.push(name);
  }
}

/** Undoes the changes to one file; what must stay is kept in the ledger. */
export async function removeRecorded(draft: PlanDraft, record: FileRecord): Promise<void> {
  const { path } = record;
  // Another harness uses the file too, so it stays.
  if ((record.kind === "program" || record.kind === "file") && draft.siblingFile(path)) return;
  if (record.kind === "program") return await removeProgram(draft, record);
  if (record.kind === "secret") return await removeSecret(draft, path);
  if (record.kind === "original") return await restoreOriginal(draft, record);
  const before = draft.problems.length;
  const file = await readUserFile(draft, path);
  if (!file) return void draft.files.push(record);
  if (!file.bytes || file.text === undefined) return;
  try {
    if (record.kind === "file") return await removeOwnFile(draft, file, record);
    await removeEntries(draft, file, record);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    draft.problems.push(`${path}:${error.line}:${error.column}: ${error.message}; it was left alone`);
  }
  if (draft.problems.length > before && !draft.files.includes(record)) draft.files.push(record);
}

/** Takes our entries or our block out of a user's file. */
async function removeEntries(draft: PlanDraft, file: UserFile, record: FileRecord): Promise<void> {
  const { path } = file;
  const isEdit = record.kind === "edit";
  if (isEdit ? !record.format : !hasBlock(file.text ?? "")) {
    if (file.bytes && await digest(file.bytes) === record.before) draft.release(record);
    return;
  }
  const sibling = isEdit ? undefined : await siblingBlock(draft, file);
  if (sibling) {
    // The other harness gives the file back, from its own backup.
    if (sibling.before === record.before) draft.release(record);
    return;
  }
  const marked = isEdit && record.format ? editMarks(draft, file, record, record.format) : blockMarks(file);
  const original = await originalFile(draft, file, record, marked.remove, marked.mayRestore);
  const text = original.existed ? original.text : undefined;
  if (text !== undefined && !original.exact && isEdit && !await marked.isSafe(text)) {
    draft.problems.push(unsafe(path));
  } else if (!mayWrite(draft, file)) draft.files.push(record);
  else {
    if (!isEdit && await isBlockEdited(draft, file, record)) await keepAside(draft, file);
    put(draft, file, record.kind, text);
    draft.release(record);
  }
}

/** How our marks are removed from a user's file, and how a text without them is checked. */
interface Marked {
  remove(text: string): string | Promise<string>;
  /** Whether a text differs from the file in our entries only. */
  isSafe(text: string): boolean | Promise<boolean>;
  /** The same for a text from the ledger, which may be hostile: the file has our mark, and no comment is lost. */
  mayRestore(text: string): boolean | Promise<boolean>;
}

/** The marks in a config: the recorded entries, and what else this connector recognises there. */
function editMarks(draft: PlanDraft, file: UserFile, record: FileRecord, format: Format): Marked {
  const now = file.text ?? "";
  const recorded = async () => trustedEdits(record, carriesMarks(record) ? [] : await draft.marks());
  const all = async () => {
    const target = (await draft.marks()).find(({ path }) => path === file.path);
    return [...target?.kind === "edit" ? target.edits : [], ...await recorded()];
  };
  const back = returningEdits(record);
  const moves = async () => {
    const target = (await draft.marks()).find(({ path }) => path === file.path);
    return target?.kind === "edit" ? plannedMoves(draft, target) : [];
  };
  const either = async (check: (edits: readonly Edit[]) => boolean) =>
    check(await recorded()) || check(await all());
  return {
    remove: async (text) => removeEdits(format, text, await all(), record.made),
    isSafe: (text) => either((edits) => isClean(format, file, text, edits, back)),
    mayRestore: async (text) => {
      const moved = await moves();
      const gone = hasMoved(format, text, moved, back) ? movedEdits(moved) : [];
      const [is, becomes] = comparable(format, now, text, recordedSections(record));
      return keepsComments(format, is, becomes) && restoresValues(record, format, is, becomes) &&
        await either((edits) =>
          // Without entries of ours, bringing the original's back takes nothing away.
          (findEdits(format, now, edits).some(isInstalled) || (edits.length === 0 && back.length > 0)) &&
          isClean(format, file, text, edits, back, gone)
        );
    },
  };
}

function recordedSections({ entries = [], originals = [], made }: FileRecord): Concern {
  return atPaths([...entries, ...originals, ...made?.replaced ?? []].map(({ path }) => path));
}

/** Whether every value that an edit replaced is back, or is the one that the user chose since. */
function restoresValues(record: FileRecord, format: Format, now: string, text: string): boolean {
  const replaced = record.made?.replaced ?? [];
  if (replaced.length === 0) return true;
  const [is, becomes] = [readConfig(format, now), readConfig(format, text)];
  if (is.kind !== "parsed" || becomes.kind !== "parsed") return false;
  return replaced.every(({ path, value }) => {
    const written = record.entries?.find((entry) => same(entry.path, path))?.value;
    const current = valueAt(is.value, path);
    return same(valueAt(becomes.value, path), same(current, written) ? value : current);
  });
}

/** The marks in a text: whatever is between them is ours, and nothing else. */
function blockMarks(file: UserFile): Marked {
  const squeezed = (text: string) => text.replace(/\s+/g, "");
  const isSafe = (text: string) => squeezed(text) === squeezed(removeBlock(file.text ?? ""));
  return { remove: removeBlock, isSafe, mayRestore: isSafe };
}

function unsafe(path: string): string {
  return `${path}: our entries could not be removed safely; remove them by hand`;
}

function put(draft: PlanDraft, file: UserFile, target: Target["kind"], text: string | undefined): void {
  const { path, real, bytes: before, mode, notes } = file;
  if (!before || text === file.text) return;
  if (text === undefined) draft.changes.push({ kind: "remove", path, real, target, before });
  else draft.changes.push({ kind: "write", path, real, target, before, after: encode(text), mode, notes });
}

/**
 * Whether a text has none of our entries, and otherwise what the file has; `back` may have
 * come back, and what is at `gone` does not count.
 */
export function isClean(
  format: Format,
  file: UserFile,
  text: string,
  edits: readonly Edit[],
  back: readonly Edit[] = [],
  gone: readonly Edit[] = [],
): boolean {
  const how = { installed: false, replaceSignetCli: true, gone };
  const isRight = (back: readonly Edit[]) =>
    verify(format, file.text ?? "", text, edits, { ...how, back }) === undefined;
  return isRight([]) || (back.length > 0 && isRight(back));
}

async function removeOwnFile(draft: PlanDraft, file: UserFile, record: FileRecord): Promise<void> {
  const { text, bytes, path } = file;
  if (text === undefined || !bytes) return;
  const isUnchanged = record.after.includes(await digest(bytes));
  const isMarked = isUnchanged && hasFileMark(text);
  const target = isMarked ? undefined : (await draft.marks()).find((target) => target.path === path);
  const isOwned = target?.kind === "file" && target.owns(text);
  if (!isMarked && !isOwned) draft.warnings.push(`${path} was edited after the install and was kept`);
  else if (!mayWrite(draft, file)) draft.files.push(record);
  else {
    if (!isUnchanged) await keepAside(draft, file);
    // A plugin of the original Signet that was replaced comes back.
    put(draft, file, "file", record.existed ? await backupText(draft, record) : undefined);
    draft.release(record);
  }
}

async function removeSecret(draft: PlanDraft, path: string): Promise<void> {
  if (!isCredentialsPath(path, draft.input.harness)) return;
  const found = await draft.os.lstat(path);
  if (found?.kind !== "file") return;
  try {
    const before = await draft.os.read(path) ?? new Uint8Array();
    draft.changes.push({ kind: "remove", path, real: path, target: "secret", before });
  } catch (error) {
    draft.problems.push(`${path} cannot be read (${errorReason(error)}); remove it by hand`);
  }
}

async function removeProgram(draft: PlanDraft, record: FileRecord): Promise<void> {
  const { path } = record;
  const found = await draft.os.lstat(path);
  if (found?.kind !== "file") return;
  if (!record.copied) {
    draft.warnings.push(`${path} was not copied by install and was kept; delete it if nothing else needs it`);
  } else if (isProgramPath(path) && record.after.includes(await programHash(draft.os, path, found))) {
    draft.changes.push({ kind: "remove-program", path });
  } else draft.warnings.push(`${path} is not the program that was installed and was kept`);
}

/** Removes a link that still has our target. */
export async function removeLink(draft: PlanDraft, link: LinkRecord): Promise<void> {
  const { path, to, was } = link;
  if (!isOurLink(link)) return;
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
      if (!target.owns(text) || !mayWrite(draft, file)) return;
      if (text !== target.text) await keepAside(draft, file);
      put(draft, file, "file", undefined);
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

import { hasBlock, putBlock, removeBlock } from "../marked_block.ts";
import { digest } from "../../fs/digest.ts";
import { sameBytes } from "../../fs/same_bytes.ts";
import { PlanDraft } from "./plan_draft.ts";
import { errorReason } from "../../fs/error_reason.ts";
import { applyEdits, removeEdits } from "../../edit/config.ts";
import type { Made } from "../../edit/change/draft.ts";
import type { Edit } from "../../edit/edit.ts";
import { ConfigError } from "../../edit/tree.ts";
import { same } from "../../edit/json_value.ts";
import type { Target } from "../../harness.ts";
import { isGenerated } from "../../identity/header.ts";
import { keepAside } from "../keep_aside.ts";
import { replacingFileRecord, userFileRecord, wholeFileRecord } from "../ledger/file_record.ts";
import { originalFile } from "../original.ts";
import { type FileRecord, ledgerPath, readLedger } from "../ledger/ledger.ts";
import { findOriginalEntries, removeOriginalEntries } from "../original/original_signet.ts";
import type { Os } from "../../fs/os.ts";
import { type HarnessPlan, type Plan, type PlanInput, planOf } from "./plan.ts";
import { isClean, removeLink, removeRecorded } from "./plan_uninstall.ts";
import { planOriginal } from "./plan_original.ts";
import { planProgram } from "./plan_program.ts";
import { entryRecords, previousValue, recordedEdits, staleEdits } from "../ledger/recorded_edits.ts";
import { isBlockEdited, siblingBlock } from "../shared_block.ts";
import { siblingLedgers } from "../ledger/sibling_ledgers.ts";
import { encode } from "../../fs/text_bytes.ts";
import { lastingMoves, movedEdits, moveEntries, plannedMoves } from "../move_entries.ts";
import { returningEdits, takenOriginals } from "../taken_originals.ts";
import { mayWrite, NEW_FILE_MODE, readUserFile } from "../user_file.ts";
import { verify } from "../verify.ts";

type TargetOf<K extends Target["kind"]> = Extract<Target, { kind: K }>;

/** Plans an install: reads everything, writes nothing. `problems` lists what prevents it. */
export async function planInstall(os: Os, input: PlanInput): Promise<Plan> {
  return planOf([await installPart(os, input)]);
}

export async function installPart(os: Os, input: PlanInput): Promise<HarnessPlan> {
  const reading = await readLedger(os, input.stateDir);
  const siblings = await siblingLedgers(os, input.stateDir);
  const draft = new PlanDraft(os, input, reading.kind === "ok" ? reading.ledger : undefined, siblings);
  if (reading.kind === "damaged") {
    draft.warnings.push(`${reading.reason}; a new record was started`);
    // It may still tell a person which backup belongs to which file.
    if (reading.bytes) {
      await draft.addBackup("ledger.json", reading.bytes);
    }
  }
  for (const target of input.targets) await planTarget(draft, target);
  await planStale(draft);
  if (draft.files.length + draft.links.length > 0) await draft.needsDir(ledgerPath(input.stateDir));
  return draft.part("install");
}

async function planTarget(draft: PlanDraft, target: Target): Promise<void> {
  switch (target.kind) {
    case "edit":
      return await planEdit(draft, target);
    case "block":
      return await planBlock(draft, target);
    case "file":
      return await planFile(draft, target);
    case "secret":
      return await planSecret(draft, target);
    case "link":
      return await planLink(draft, target);
    case "program":
      return await planProgram(draft, target);
    case "original":
      return await planOriginal(draft, target);
  }
}

/** Removes what an earlier install wrote to files that are not targets of this one. */
async function planStale(draft: PlanDraft): Promise<void> {
  const { input, old } = draft;
  const named = new Set(input.targets.map((target) => target.path));
  for (const file of old?.files ?? []) {
    if (named.has(file.path)) continue;
    // What was taken from the original Signet comes back at uninstall, not before.
    if (input.partial || file.kind === "original") draft.files.push(file);
    // A program that install did not copy is nobody's to remove.
    else if (file.kind !== "program" || file.copied) await removeRecorded(draft, file);
  }
  for (const link of old?.links ?? []) {
    if (named.has(link.path)) continue;
    const goes = !input.partial || input.drop?.some(({ path }) => path === link.path);
    if (!goes) draft.links.push(link);
    else await removeLink(draft, link);
  }
}

async function planEdit(draft: PlanDraft, target: TargetOf<"edit">): Promise<void> {
  const { path, format, edits, originals = [] } = target;
  const file = await readUserFile(draft, path);
  if (!file) return;
  const record = draft.oldFile(path);
  const replaceSignetCli = draft.input.replaceSignetCli ?? false;
  try {
    const stale = staleEdits(record, edits);
    const known = [...edits, ...record ? recordedEdits(record) : []];
    const cleared = stale.length > 0 && file.text !== undefined
      ? removeEdits(format, file.text, stale, record?.made)
      : file.text;
    const left = replaceSignetCli && cleared !== undefined
      ? removeOriginalEntries(format, cleared, originals)
      : cleared;
    const moves = plannedMoves(draft, target);
    // Before the edits: one of ours may take the key of an entry that moves.
    const kept = left === undefined ? undefined : moveEntries(draft, target, left, moves);
    const done = applyEdits(format, kept, edits, { previous: (edit) => previousValue(record, edit) });
    const wrong = verify(format, file.text ?? "", done.text, edits, {
      installed: true,
      gone: [...stale, ...movedEdits(moves)],
      replaceSignetCli,
      originals,
    });
    if (wrong) {
      draft.problems.push(`${path}: ${wrong}; it was left alone`);
      return;
    }
    draft.conflicts.push(...done.conflicts.map((conflict) => `${path}: ${conflict}`));
    draft.signetCli.push(
      ...findOriginalEntries(format, kept ?? "", replaceSignetCli ? [] : originals).map((entry) => ({
        ...entry,
        file: path,
      })),
    );
    const changed = done.text !== file.text;
    if (changed && !mayWrite(draft, file)) return;
    const entries = entryRecords(edits);
    if (!changed && record && same(record.entries, entries)) {
      draft.files.push(record);
      return;
    }
    const original = !record && (!done.hadEdits || (replaceSignetCli && target.ofOriginal))
      ? { existed: file.bytes !== undefined, text: file.text, exact: true }
      : await originalFile(
        draft,
        file,
        record,
        (text) => removeEdits(format, text, known, record?.made),
        (text) => isClean(format, file, text, known, record ? returningEdits(record) : []),
      );
    const taken = replaceSignetCli
      ? takenOriginals(format, file.text, originals, !record && target.ofOriginal ? edits : [])
      : [];
    const gone = union(record?.originals, taken);
    const made = {
      containers: union(record?.made?.containers, done.made.containers),
      promoted: union(record?.made?.promoted, done.made.promoted),
      defaults: union(record?.made?.defaults, done.made.defaults),
      replaced: replacedValues(record, done.made.replaced, edits),
    };
    // Uninstall must not bring the old keys of moved entries back.
    const lasting = await lastingMoves(draft, target, moves);
    const base = original.text === undefined
      ? original
      : { ...original, text: moveEntries(draft, target, original.text, lasting) };
    draft.files.push(
      await userFileRecord(draft, file, base, done.text, {
        kind: "edit",
        format,
        entries,
        made,
        ...gone.length > 0 ? { originals: gone } : {},
      }),
    );
    if (!changed) return;
    await draft.needsDir(file.real);
    draft.changes.push({
      kind: "write",
      path,
      real: file.real,
      target: "edit",
      before: file.bytes,
      after: encode(done.text),
      mode: file.mode,
      notes: file.notes,
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    draft.problems.push(`${path}:${error.line}:${error.column}: ${error.message}; it was left alone`);
  }
}

/** The user's values that the edits replace: the first one of each place. */
function replacedValues(
  record: FileRecord | undefined,
  now: Made["replaced"],
  edits: readonly Edit[],
): Made["replaced"] {
  const all = [...record?.made?.replaced ?? [], ...now];
  return edits.filter((edit) => edit.kind === "entry" && edit.replaces)
    .flatMap(({ path }) => all.find((value) => same(value.path, path)) ?? []);
}

function union<T>(a: readonly T[] | undefined, b: readonly T[]): T[] {
  const all = [...a ?? []];
  for (const item of b) if (!all.some((other) => same(other, item))) all.push(item);
  return all;
}

async function planBlock(draft: PlanDraft, target: TargetOf<"block">): Promise<void> {
  const { path } = target;
  const file = await readUserFile(draft, path);
  if (!file) return;
  const record = draft.oldFile(path);
  try {
    // One block serves both harnesses; the one that wrote it keeps it up to date.
    const shared = (!record || record.shared) && hasBlock(file.text ?? "") &&
      await siblingBlock(draft, file) !== undefined;
    const text = shared ? file.text ?? "" : putBlock(file.text, target.text);
    const changed = text !== file.text && withoutDate(text) !== withoutDate(file.text);
    if (changed && !mayWrite(draft, file)) return;
    if (!changed && record && record.shared === (shared || undefined)) {
      draft.files.push(record);
      return;
    }
    if (changed && record && await isBlockEdited(draft, file, record)) await keepAside(draft, file);
    const original = await originalFile(draft, file, record, removeBlock, () => true);
    draft.files.push(
      await userFileRecord(draft, file, original, changed ? text : file.text ?? "", {
        kind: "block",
        shared: shared || undefined,
      }),
    );
    if (!changed) return;
    await draft.needsDir(file.real);
    draft.changes.push({
      kind: "write",
      path,
      real: file.real,
      target: "block",
      before: file.bytes,
      after: encode(text),
      mode: file.mode,
      notes: file.notes,
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    draft.problems.push(`${path}:${error.line}:${error.column}: ${error.message}`);
  }
}

function isIdentity(text: string | undefined): boolean {
  return text !== undefined && isGenerated(text);
}

/** A generated text without its date line. */
function withoutDate(text: string | undefined): string | undefined {
  return text?.replace(/^# Generated: .*$/m, "# Generated:");
}

async function planFile(draft: PlanDraft, target: TargetOf<"file">): Promise<void> {
  const { path, text } = target;
  const file = await readUserFile(draft, path);
  if (!file) return;
  const isOriginal = file.text !== undefined && target.isOriginal?.(file.text) === true;
  if (isOriginal && !draft.input.replaceSignetCli) {
    draft.signetCli.push({ path: [], line: 1, command: "its plugin", file: path });
    return;
  }
  if (file.text !== undefined && file.text !== text && !isOriginal && !target.owns(file.text)) {
    draft.warnings.push(`${path} was not written by this connector and was kept`);
    return;
  }
  const changed = file.text === undefined || withoutDate(file.text) !== withoutDate(text);
  if (changed && !mayWrite(draft, file)) return;
  const record = draft.oldFile(path);
  // Sync keeps the user's version of an identity file itself.
  if (
    changed && file.bytes && record && !isIdentity(file.text) &&
    !record.after.includes(await digest(file.bytes))
  ) {
    await keepAside(draft, file);
  }
  const after = changed ? text : file.text ?? text;
  const hash = await digest(encode(after));
  draft.files.push(
    isOriginal && file.bytes
      ? await replacingFileRecord(draft, path, hash, file.bytes)
      : wholeFileRecord(draft, path, "file", hash),
  );
  if (!changed) return;
  await draft.needsDir(file.real);
  draft.changes.push({
    kind: "write",
    path,
    real: file.real,
    target: "file",
    before: file.bytes,
    after: encode(text),
    mode: file.mode,
  });
}

async function planSecret(draft: PlanDraft, target: TargetOf<"secret">): Promise<void> {
  const { path } = target;
  const after = encode(target.text);
  try {
    const found = await draft.os.lstat(path);
    if (found && found.kind !== "file") {
      draft.problems.push(
        `${path} is not a regular file, and a key is never written through a link; remove it and try again`,
      );
      return;
    }
    const before = found ? await draft.os.read(path) : undefined;
    draft.files.push(wholeFileRecord(draft, path, "secret", await digest(after)));
    const tight = found?.mode === undefined || (found.mode & 0o077) === 0;
    if (before && sameBytes(before, after) && tight) return;
    await draft.needsDir(path);
    draft.changes.push({
      kind: "write",
      path,
      real: path,
      target: "secret",
      before,
      after,
      mode: NEW_FILE_MODE,
    });
  } catch (error) {
    draft.problems.push(`${path} cannot be read (${errorReason(error)}); make it readable and try again`);
  }
}

async function planLink(draft: PlanDraft, target: TargetOf<"link">): Promise<void> {
  const { path, to } = target;
  const found = await draft.os.lstat(path);
  const was = found?.kind === "link" ? await draft.os.readlink(path) : undefined;
  const known = draft.old?.links.find((link) => link.path === path);
  if (was === to) {
    draft.links.push(known?.to === to ? known : { path, to });
    return;
  }
  if (found && (was === undefined || (was !== known?.to && was !== known?.was))) {
    draft.warnings.push(`${path} already exists, so ${to} was not linked`);
    return;
  }
  await draft.needsDir(path);
  draft.links.push({ path, to, ...was === undefined ? {} : { was } });
  draft.changes.push({ kind: "link", path, to, ...was === undefined ? {} : { was } });
}

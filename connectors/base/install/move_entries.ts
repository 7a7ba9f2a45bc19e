import { applyEdits, readConfig, removeEdits } from "../edit/config.ts";
import type { Edit, Format, Path } from "../edit/edit.ts";
import { same } from "../edit/json_value.ts";
import { ConfigError } from "../edit/tree.ts";
import { decode, encode } from "../fs/text_bytes.ts";
import type { Move, Target } from "../harness.ts";
import type { PlanDraft } from "./plan/plan_draft.ts";
import { recordedEdits } from "./ledger/recorded_edits.ts";
import { valueAt } from "./taken_originals.ts";
import { mayWrite, readUserFile } from "./user_file.ts";
import { verify } from "./verify.ts";

type EditTarget = Extract<Target, { kind: "edit" }>;

/**
 * The user's entries that need another key because of what the plan does to another
 * file: Codex finds the trust of a hook by its position, and hooks before it go.
 */
export function plannedMoves(draft: PlanDraft, { moves }: EditTarget): readonly Move[] {
  const change = moves && draft.changes.find(({ path }) => path === moves.file);
  if (!moves || !change) return [];
  const reading = readConfig("json", change.kind === "write" ? decode(change.after) : undefined);
  return moves.entries(reading.kind === "parsed" ? reading.value : undefined);
}

/**
 * Those of the moves that also hold for the file as it would be without an install: not the
 * ones for entries of the original Signet, which an uninstall brings back.
 */
export async function lastingMoves(
  draft: PlanDraft,
  { moves }: EditTarget,
  planned: readonly Move[],
): Promise<readonly Move[]> {
  const positions = draft.input.targets.find(({ path }) => path === moves?.file);
  if (!moves || positions?.kind !== "edit" || planned.length === 0) return [];
  const { path, format, edits } = positions;
  const file = await readUserFile(draft, path);
  const record = draft.oldFile(path);
  const ours = [...edits, ...record ? recordedEdits(record) : []];
  const reading = readConfig(format, removeEdits(format, file?.text ?? "", ours));
  const without = moves.entries(reading.kind === "parsed" ? reading.value : undefined);
  return without.filter(({ from }) => planned.some((move) => same(move.from, from)));
}

/** A config with the entries moved that it has; a warning instead if that would change anything else. */
export function moveEntries(
  draft: PlanDraft,
  target: EditTarget,
  text: string,
  moves: readonly Move[],
): string {
  const { path, format } = target;
  const present = movesIn(format, text, moves);
  if (present.length === 0) return text;
  const from = present.map((move) => entryAt(move.from, move));
  const to = present.map((move) => entryAt(move.to, move));
  const after = applyEdits(format, removeEdits(format, text, from), to).text;
  if (verify(format, text, after, to, { installed: true, gone: from }) === undefined) return after;
  draft.warnings.push(`${path}: the entries that depend on the position of ours could not be moved`);
  return text;
}

/** The moves whose entries are in a text: in a file that is given back they may be in place already. */
function movesIn(format: Format, text: string, moves: readonly Move[]): Move[] {
  if (moves.length === 0) return [];
  const reading = readConfig(format, text, moves.map(({ from: [key = ""] }) => key));
  if (reading.kind !== "parsed") return [];
  return moves.filter(({ from, value }) => same(valueAt(reading.value, from), value));
}

/** The places that moves change, for a check of everything else. */
export function movedEdits(moves: readonly Move[]): Edit[] {
  return moves.flatMap((move) => [entryAt(move.from, move), entryAt(move.to, move)]);
}

/**
 * Whether a text that a ledger gave has the moved entries in their new places, and in the
 * old ones nothing but entries that may come `back`: one of these entries is a consent.
 */
export function hasMoved(
  format: Format,
  text: string,
  moves: readonly Move[],
  back: readonly Edit[],
): boolean {
  if (moves.length === 0) return true;
  const reading = readConfig(format, text, moves.flatMap(({ from, to }) => [from[0] ?? "", to[0] ?? ""]));
  if (reading.kind !== "parsed") return false;
  const isExpected = (path: Path) => {
    const value = valueAt(reading.value, path);
    return value === undefined || moves.some(({ to }) => same(to, path)) ||
      back.some((edit) => edit.kind === "entry" && same(edit.path, path) && edit.owns(value));
  };
  return moves.every(({ from, to, value }) => same(valueAt(reading.value, to), value) && isExpected(from));
}

function entryAt(path: Path, { value }: Move): Edit {
  return { kind: "entry", path, value, owns: () => true };
}

/** Uninstall: makes the moves part of the plan, on top of what it does to the file already. */
export async function planMoves(draft: PlanDraft, target: Target): Promise<void> {
  const moves = target.kind === "edit" ? plannedMoves(draft, target) : [];
  if (target.kind !== "edit" || moves.length === 0) return;
  const { path } = target;
  const planned = draft.changes.findIndex((change) => change.path === path);
  const change = draft.changes[planned];
  if (change && change.kind !== "write") return;
  const file = await readUserFile(draft, path);
  if (!file?.bytes || file.text === undefined) return;
  try {
    const before = change ? decode(change.after) ?? "" : file.text;
    const after = moveEntries(draft, target, before, moves);
    if (after === before || !mayWrite(draft, file)) return;
    const write = {
      kind: "write",
      path,
      real: file.real,
      target: "edit",
      before: file.bytes,
      after: encode(after),
      mode: file.mode,
    } as const;
    if (change) draft.changes[planned] = write;
    else draft.changes.push(write);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    draft.warnings.push(`${path}:${error.line}:${error.column}: ${error.message}; it was left alone`);
  }
}

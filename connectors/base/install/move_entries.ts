import { applyEdits, removeEdits } from "../edit/config.ts";
import type { Edit, Path } from "../edit/edit.ts";
import { ConfigError } from "../edit/tree.ts";
import { decode, encode } from "../fs/text_bytes.ts";
import type { Move, Target } from "../harness.ts";
import type { PlanDraft } from "./plan/plan_draft.ts";
import { mayWrite, readUserFile } from "./user_file.ts";
import { verify } from "./verify.ts";

/**
 * Gives the user's entries the keys that they need once our entries are gone:
 * Codex finds the trust of a hook by its position. The change becomes part of the
 * plan, on top of what the plan does to the file already.
 */
export async function moveEntries(draft: PlanDraft, target: Target): Promise<void> {
  if (target.kind !== "edit" || !target.moves || target.moves.length === 0) return;
  const { path, format, moves } = target;
  const planned = draft.changes.findIndex((change) => change.path === path);
  const change = draft.changes[planned];
  if (change && change.kind !== "write") return;
  const file = await readUserFile(draft, path);
  if (!file?.bytes || file.text === undefined || !mayWrite(draft, file)) return;
  try {
    const before = change ? decode(change.after) ?? "" : file.text;
    const left = removeEdits(format, before, moves.map((move) => entryAt(move.from, move)));
    const to = moves.map((move) => entryAt(move.to, move));
    const after = applyEdits(format, left, to).text;
    const gone = moves.map((move) => entryAt(move.from, move));
    if (verify(format, before, after, to, { installed: true, gone }) !== undefined) {
      draft.warnings.push(`${path}: the entries that depend on the position of ours could not be moved`);
      return;
    }
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

function entryAt(path: Path, { value }: Move): Edit {
  return { kind: "entry", path, value, owns: () => true };
}

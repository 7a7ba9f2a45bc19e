import type { Edit, Json } from "../../edit/edit.ts";
import { covers, handlerOf, same } from "../../edit/json_value.ts";
import type { EntryRecord, FileRecord } from "./ledger.ts";

/** Edits as data, for the ledger. */
export function entryRecords(edits: readonly Edit[]): EntryRecord[] {
  return edits.map((edit) => ({
    kind: edit.kind,
    path: edit.path,
    value: edit.value,
    ...edit.kind === "item" && edit.text !== undefined ? { text: edit.text } : {},
    ...edit.kind === "item" && edit.inner !== undefined ? { inner: edit.inner } : {},
    ...edit.kind === "entry" && edit.replaces ? { replaces: true } : {},
  }));
}

/** Edits from records: they own exactly what was written, not what looks similar. */
export function recordedEdits(record: FileRecord): Edit[] {
  return (record.entries ?? []).map(editOf);
}

export function editOf(entry: EntryRecord): Edit {
  const { path, value } = entry;
  if (entry.kind === "default") return { kind: "default", path, value };
  if (entry.kind === "entry") {
    const replaces = entry.replaces ? { replaces: true } : {};
    return { kind: "entry", path, value, ...replaces, owns: (found) => covers(found, value) };
  }
  const { text, inner } = entry;
  const handler = handlerOf(value, inner);
  const owns = (item: Json) => covers(item, handler) || (text !== undefined && item === text);
  return {
    kind: "item",
    path,
    value,
    owns,
    ...text === undefined ? {} : { text },
    ...inner === undefined ? {} : { inner },
  };
}

/** Edits of an earlier install that this one does not replace. */
export function staleEdits(record: FileRecord | undefined, edits: readonly Edit[]): Edit[] {
  if (!record) return [];
  return recordedEdits(record).filter((old) => !edits.some((edit) => replaces(edit, old)));
}

function replaces(edit: Edit, old: Edit): boolean {
  if (edit.kind !== old.kind || !same(edit.path, old.path)) return false;
  return edit.kind !== "item" || edit.owns(handlerOf(old.value, edit.inner));
}

/** The value that an earlier install wrote for an edit. */
export function previousValue(record: FileRecord | undefined, edit: Edit): Json | undefined {
  return record && recordedEdits(record).find((old) => replaces(edit, old))?.value;
}

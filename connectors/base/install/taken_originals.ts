import { readConfig } from "../edit/config.ts";
import type { Edit, Format, Json, Path } from "../edit/edit.ts";
import { isMap } from "../edit/json_value.ts";
import type { EntryRecord, FileRecord } from "./ledger/ledger.ts";
import { editOf } from "./ledger/recorded_edits.ts";

/**
 * The entries of the original Signet that install takes from a config and that no command
 * gives away: those at `originals`, and the items that look like those of `alike`.
 */
export function takenOriginals(
  format: Format,
  text: string | undefined,
  originals: readonly Path[],
  alike: readonly Edit[],
): EntryRecord[] {
  if (originals.length + alike.length === 0) return [];
  const keys = [...originals, ...alike.map(({ path }) => path)].map(([key = ""]) => key);
  const reading = readConfig(format, text, keys);
  if (reading.kind !== "parsed") return [];
  const root = reading.value;
  return [
    ...originals.flatMap((path) => entryAt(root, path)),
    ...alike.flatMap((edit) => itemsOf(root, edit)),
  ];
}

function entryAt(root: Json, path: Path): EntryRecord[] {
  const [above, key = ""] = [path.slice(0, -1), path.at(-1)];
  const parent = valueAt(root, above);
  const value = valueAt(root, path);
  if (value === undefined) return [];
  return [
    Array.isArray(parent) ? { kind: "item", path: above, value } : {
      kind: "entry",
      path: [...above, key],
      value,
    },
  ];
}

function itemsOf(root: Json, edit: Edit): EntryRecord[] {
  if (edit.kind !== "item" || edit.inner !== undefined) return [];
  const list = valueAt(root, edit.path);
  const items = Array.isArray(list) ? list.filter((item) => edit.owns(item)) : [];
  return items.map((value) => ({ kind: "item", path: edit.path, value }));
}

/** The value at a path; a key of a list is an index. */
export function valueAt(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isMap(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);
}

/** The recorded entries that uninstall may bring back: whatever the ledger says, no command or address of someone else. */
export function returningEdits({ originals = [] }: FileRecord): Edit[] {
  return originals.filter(({ path, value }) =>
    /signet/i.test(JSON.stringify([path, value])) || isTrustRecord(value)
  ).map(editOf);
}

/** Codex's trust in a hook is a switch and a digest. */
function isTrustRecord(value: Json): boolean {
  return isMap(value) &&
    Object.values(value).every((item) =>
      typeof item === "boolean" || (typeof item === "string" && /^sha256:[0-9a-f]*$/.test(item))
    );
}

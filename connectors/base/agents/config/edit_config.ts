import type { Edit, Json, Path } from "../../edit/edit.ts";
import { applyEdits, removeEdits } from "../../edit/config.ts";
import { readYaml, type YamlFile } from "../../../../hooks/agents/config/read_yaml.ts";

/** What a key can be set to. */
export type ConfigValue = string | number | readonly string[];

/**
 * The text with a key set, and everything else as it was. Of a list, the items that
 * stay keep their place and their comments.
 *
 * @throws {YamlProblem} if hooks cannot read the text before or after
 */
export function setInText(text: string | undefined, path: Path, value: ConfigValue): string {
  const before = at(readYaml(text ?? ""), path);
  let edited = text ?? "";
  if (Array.isArray(before) && Array.isArray(value) && before.length > 0 && value.length > 0) {
    for (const item of before) {
      if (!value.includes(item)) edited = removeEdits("yaml", edited, [itemEdit(path, item)]);
    }
    const kept = at(readYaml(edited), path);
    const has = Array.isArray(kept) ? kept : [];
    const added = value.filter((item) => !has.includes(item));
    // An emptied list is gone with its key.
    if (has.length > 0) edited = applyEdits("yaml", edited, added.map((item) => itemEdit(path, item))).text;
    else edited = applyEdits("yaml", edited, [entryEdit(path, [...value])]).text;
  } else edited = applyEdits("yaml", edited, [entryEdit(path, asJson(value))]).text;
  if (edited !== "" && !edited.endsWith("\n")) edited += "\n";
  readYaml(edited);
  return edited;
}

/** The text without a key; its comments stay. */
export function unsetInText(text: string, path: Path): string {
  const { fields } = readYaml(text);
  if (at({ fields }, path) === undefined) return text;
  const edit: Edit = { kind: "entry", path, value: null, owns: () => true };
  // A map that becomes empty goes too.
  const edited = removeEdits("yaml", text, [edit], { containers: [path.slice(0, 1)] });
  readYaml(edited);
  return edited;
}

function at({ fields }: Pick<YamlFile, "fields">, path: Path): unknown {
  let value: unknown = fields;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return value;
}

function entryEdit(path: Path, value: Json): Edit {
  return { kind: "entry", path, value, replaces: true, owns: () => true };
}

function itemEdit(path: Path, value: Json): Edit {
  return { kind: "item", path, value, owns: (item) => item === value };
}

function asJson(value: ConfigValue): Json {
  return typeof value === "object" ? [...value] : value;
}

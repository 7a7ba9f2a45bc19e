import type { Edit, Format, Json, Path, Reading } from "./edit.ts";
import { Draft, isCurrent, type Made, ownedItems } from "./change/draft.ts";
import { covers, same } from "./json_value.ts";
import { SYNTAX } from "./formats/formats.ts";
import { withComments } from "./change/keep_comments.ts";
import { comparable } from "./sections/outline.ts";
import { Removal } from "./change/removal.ts";
import { type Splice, splice } from "./text/splice.ts";
import { atKeys, atPaths, type Concern, LARGE } from "./sections/sections.ts";
import type { Op } from "./formats/syntax.ts";
import { ConfigError, entryOf, lineColumn, type Node, resolve, toJson } from "./tree.ts";
import { quickYaml } from "./formats/yaml/yaml_quick.ts";

/**
 * Reads a config: absent, parsed, or unparsable with the position of the error. With `keys`, reads
 * only the top-level entries with these keys, which is much faster for a large file.
 */
export function readConfig(format: Format, text: string | undefined, keys?: readonly string[]): Reading {
  if (text === undefined) return { kind: "absent" };
  try {
    const value = keys ? toJson(only(readTree(format, text, atKeys(keys)), keys)) : readAll(format, text);
    return { kind: "parsed", value };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { kind: "unparsable", line: error.line, column: error.column, message: error.message };
  }
}

function readAll(format: Format, text: string): Json {
  return (format === "yaml" ? quickYaml(text) : undefined) ?? toJson(SYNTAX[format].read(text));
}

/** A map with some of its entries; any other value as it is. */
function only(root: Node, keys: readonly string[]): Node {
  const map = resolve(root);
  return map.kind === "map" ? { ...map, entries: map.entries.filter(({ key }) => keys.includes(key)) } : map;
}

/**
 * Parses a config into a tree with offsets. Throws a ConfigError if the text does not parse. Of a
 * large text, only the sections that concern the caller are read.
 */
export function readTree(format: Format, text: string, concern?: Concern): Node {
  const syntax = SYNTAX[format];
  return (text.length >= LARGE && concern && syntax.readSections(text, concern)) || syntax.read(text);
}

/** Writes changes to a tree into the text that it was read from. */
export function writeOps(format: Format, text: string, root: Node, ops: readonly Op[]): string {
  return ops.length === 0 ? text : splice(text, splicesOf(format, text, root, ops));
}

function splicesOf(format: Format, text: string, root: Node, ops: readonly Op[]): readonly Splice[] {
  // Where an inner and an outer container end at the same offset, the inner one's new text comes first.
  const innerFirst = [...ops].sort((a, b) => b.node.start - a.node.start);
  return SYNTAX[format].write(text, root, innerFirst);
}

/** The result of `applyEdits`. */
export interface Edited {
  readonly text: string;
  readonly changed: boolean;
  /** Values of other programs at the paths of our entries; they were kept. */
  readonly conflicts: readonly string[];
  readonly made: Made;
  /** True if the text already held one of the edits, in this or an earlier version. */
  readonly hadEdits: boolean;
}

export interface EditOptions {
  /** The value that an earlier version wrote for an edit: keys that this version no longer writes are removed. */
  previous?(edit: Edit): Json | undefined;
}

/**
 * Puts every edit into a config's text and keeps everything else. Throws a
 * ConfigError if the text does not parse or has no safe place for an edit.
 */
export function applyEdits(
  format: Format,
  text: string | undefined,
  edits: readonly Edit[],
  options: EditOptions = {},
): Edited {
  const before = text ?? "";
  const concern = concernOf(edits);
  const first = readTree(format, before, concern);
  const cleared = removeOutdated(format, before, first, edits, options);
  const root = cleared === before ? first : readTree(format, cleared, concern);
  const draft = new Draft(cleared, root, options.previous);
  for (const edit of edits) draft.put(edit);
  const after = writeOps(format, cleared, root, draft.ops());
  return {
    text: after,
    changed: after !== text,
    conflicts: draft.conflicts,
    made: draft.made,
    hadEdits: edits.some((edit) => edit.kind !== "default" && isInstalled(stateOf(before, first, edit))),
  };
}

/** Whether an edit is in the file, in this or an earlier version. */
export function isInstalled({ state }: Pick<EditState, "state">): boolean {
  return state !== "missing" && state !== "foreign";
}

function concernOf(edits: readonly Edit[]): Concern {
  return atPaths(edits.map(({ path }) => path));
}

/** Removes duplicates of our entries, and keys that an earlier version wrote. */
function removeOutdated(
  format: Format,
  text: string,
  root: Node,
  edits: readonly Edit[],
  options: EditOptions,
): string {
  const removal = new Removal(root);
  for (const edit of edits) removal.remove(edit, { defaults: [], replaced: [] }, true);
  for (const edit of edits) {
    const previous = options.previous?.(edit);
    if (previous !== undefined) removal.removeOutdated(edit, previous);
  }
  return writeOps(format, text, root, removal.ops({ containers: [], promoted: [] }));
}

/** Removes edits by what `owns` recognises; `made` lists the containers that an install created. */
export function removeEdits(
  format: Format,
  text: string,
  edits: readonly Edit[],
  made?: Partial<Made>,
): string {
  const concern = concernOf(edits);
  const root = readTree(format, text, concern);
  const known = { containers: [], promoted: [], defaults: [], replaced: [], ...made };
  const removal = new Removal(root);
  for (const edit of edits) removal.remove(edit, known);
  const ops = removal.ops(known);
  if (ops.length === 0) return text;
  const cuts = splicesOf(format, text, root, ops);
  const kept = withComments(format, text, cuts);
  const left = kept &&
    sameValues(format, splice(text, kept.cuts), () => splice(text, kept.leaving), concern);
  return left ?? splice(text, cuts);
}

/** A text, if it reads as the same values as another. */
function sameValues(
  format: Format,
  as: string,
  make: () => string,
  concern: Concern,
): string | undefined {
  try {
    const text = make();
    const [is, want] = comparable(format, text, as, concern).map((one) => toJson(SYNTAX[format].read(one)));
    return same(is, want) ? text : undefined;
  } catch {
    return undefined; // a place where this format allows no comment
  }
}

/** Whether a file holds one edit. */
export interface EditState {
  readonly path: Path;
  /** `foreign`: the value at the path belongs to another program. */
  readonly state: "present" | "different" | "missing" | "duplicated" | "foreign";
  readonly line?: number;
  /** Only some versions of the program know the entry. */
  readonly optional?: boolean;
}

/** Looks for each edit in a config. Throws a ConfigError if the text does not parse. */
export function findEdits(format: Format, text: string | undefined, edits: readonly Edit[]): EditState[] {
  const root = readTree(format, text ?? "", concernOf(edits));
  return edits.map((edit) => ({
    path: edit.path,
    ...stateOf(text ?? "", root, edit),
    ...edit.kind === "item" && edit.optional ? { optional: true } : {},
  }));
}

function stateOf(text: string, root: Node, edit: Edit): Omit<EditState, "path"> {
  let node: Node | undefined = root;
  for (const key of edit.path) {
    const map: Node = resolve(node);
    node = map.kind === "map" ? entryOf(map, key)?.value : undefined;
    if (!node) return { state: "missing" };
  }
  const at = (where: Node) => ({ line: lineColumn(text, where.start).line });
  const value = toJson(node);
  if (edit.kind === "default") return { state: "present", ...at(node) };
  if (edit.kind === "entry") {
    if (covers(value, edit.value)) return { state: "present", ...at(node) };
    return { state: value === null ? "missing" : edit.owns(value) ? "different" : "foreign", ...at(node) };
  }
  const list = resolve(node);
  if (list.kind !== "list") {
    if (edit.inner !== undefined || !edit.owns(value)) return { state: "missing" };
    const want = typeof value === "string" ? edit.text ?? edit.value : edit.value;
    return { state: covers(value, want) ? "present" : "different", ...at(node) };
  }
  const owned = ownedItems(list, edit);
  const first = owned[0];
  if (!first) return { state: "missing" };
  if (owned.length > 1) return { state: "duplicated", ...at(owned[1]?.node ?? first.node) };
  return { state: isCurrent(first) ? "present" : "different", ...at(first.node) };
}

import { readTree, writeOps } from "../../edit/config.ts";
import type { Format, Path } from "../../edit/edit.ts";
import { Removal } from "../../edit/change/removal.ts";
import type { Site, Target } from "../../harness.ts";
import { isHook, isOriginalCommand, MARK, wordsOf } from "./original_command.ts";
import { ConfigError, entryOf, lineColumn, type Node, resolve, toJson } from "../../edit/tree.ts";

/** An entry of the original Signet CLI in a harness's config. */
export interface OriginalEntry {
  readonly path: Path;
  readonly line: number;
  /** The start of its command, to show to people. */
  readonly command: string;
}

/** The words of the command that a value is or holds, if any. */
function commandOf(node: Node): string[] | undefined {
  const at = resolve(node);
  if (at.kind === "map" && !entryOf(at, "command")) return undefined;
  if (at.kind === "list" && at.items.some((item) => item.kind !== "scalar")) return undefined;
  return wordsOf(toJson(at));
}

function readSignetSections(format: Format, text: string): Node {
  return readTree(format, text, (_, section) => section.includes("signet"));
}

/**
 * The entries of the original CLI anywhere in a config, and those at `originals`.
 * Throws a ConfigError if the text does not parse.
 */
export function findOriginalEntries(
  format: Format,
  text: string,
  originals: readonly Path[] = [],
): OriginalEntry[] {
  const entries: OriginalEntry[] = [];
  const root = readSignetSections(format, text);
  const add = (node: Node, path: Path, command: string) =>
    entries.push({ path, line: lineColumn(text, node.start).line, command });
  walk(root, [], (node, path) => {
    const words = commandOf(node);
    if (!words || !isOriginalCommand(words)) return false;
    add(node, path, words.slice(0, 3).join(" "));
    return true;
  });
  for (const path of [[MARK], ...originals]) {
    const place = placeOf(root, path);
    if (place) add(place.value, path, path.join("."));
  }
  return entries;
}

/** Everything of the original Signet in the files of a harness; files that do not parse are skipped. */
export function* originalsIn(
  targets: readonly Target[],
  site: Pick<Site, "readText">,
): Generator<OriginalEntry & { file: string }> {
  for (const target of targets) {
    const file = target.path;
    const text = target.kind === "link" || target.kind === "program" ? undefined : site.readText(file);
    if (text === undefined) continue;
    if (target.kind === "file" && target.isOriginal?.(text)) {
      yield { path: [], line: 1, command: "its plugin", file };
    } else if (target.kind === "original" && target.without(text) !== text) {
      yield { path: [], line: 1, command: target.what, file };
    } else if (target.kind === "edit") {
      try {
        yield* findOriginalEntries(target.format, text, target.originals).map((entry) => ({
          ...entry,
          file,
        }));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error; // reported with the state of our entries
      }
    }
  }
}

/** Where an entry or an item is; the last key of a list's path is an index. */
function placeOf(root: Node, path: Path): { parent: Node; index: number; value: Node } | undefined {
  let place: { parent: Node; index: number; value: Node } | undefined;
  let node = root;
  for (const key of path) {
    const index = node.kind === "list" ? Number(key) : node.entries.findIndex((entry) => entry.key === key);
    const value = node.kind === "list" ? node.items[index] : node.entries[index]?.value;
    if (value === undefined) return undefined;
    place = { parent: node, index, value };
    node = value;
  }
  return place;
}

/** Removes what `findOriginalEntries` finds. Throws a ConfigError if the text does not parse. */
export function removeOriginalEntries(
  format: Format,
  marked: string,
  originals: readonly Path[] = [],
): string {
  // First, because a marked group may go as a whole.
  const text = withoutMarks(format, marked);
  const root = readSignetSections(format, text);
  const removal = new Removal(root);
  walk(root, [], (node, path, parent, index) => {
    const words = commandOf(node);
    if (!words || !isOriginalCommand(words) || !parent) return false;
    if (parent.kind === "map") removal.find(path);
    removal.drop(parent, index);
    return true;
  }, (list, group, index) => removal.within(list, group, index));
  for (const path of originals) {
    const place = placeOf(root, path);
    if (place) removal.drop(place.parent, place.index);
  }
  return writeOps(format, text, root, removal.ops({ containers: [], promoted: [] }));
}

function withoutMarks(format: Format, text: string): string {
  if (!text.includes(MARK)) return text;
  const root = readSignetSections(format, text);
  const removal = new Removal(root);
  for (const { map, index } of marks(root)) removal.drop(map, index);
  return writeOps(format, text, root, removal.ops({ containers: [], promoted: [] }));
}

/** The marks of the original's Codex connector, on the file and on its groups. */
function marks(node: Node): { map: Node; index: number }[] {
  const here = node.entries.flatMap(({ key, value }, index) =>
    key === MARK && toJson(value) === true ? [{ map: node, index }] : []
  );
  return [...here, ...node.entries.flatMap(({ value }) => marks(value)), ...node.items.flatMap(marks)];
}

type Visit = (node: Node, path: Path, parent: Node | undefined, index: number) => boolean;

/** Visits maps and list items from the top; a visit that returns true skips the children. */
function walk(
  node: Node,
  path: Path,
  visit: Visit,
  group?: (list: Node, handlers: Node, index: number) => void,
): void {
  if (node.kind === "map") {
    for (const [index, entry] of node.entries.entries()) {
      const here = [...path, entry.key];
      const { kind } = entry.value;
      const single = kind === "map" || (kind === "scalar" && isHook(path) && entry.key !== "command");
      if (single && visit(entry.value, here, node, index)) continue;
      walk(entry.value, here, visit, group);
    }
  } else if (node.kind === "list") {
    for (const [index, item] of node.items.entries()) {
      const here = [...path, String(index)];
      const hook = item.kind === "map" || (item.kind === "scalar" && isHook(path));
      if (hook && visit(item, here, node, index)) continue;
      for (const entry of item.entries) if (entry.value.kind === "list") group?.(node, entry.value, index);
      walk(item, here, visit, group);
    }
  }
}

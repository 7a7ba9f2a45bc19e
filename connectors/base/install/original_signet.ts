import { readTree, writeOps } from "../edit/config.ts";
import type { Format, Json, Path } from "../edit/edit.ts";
import { isMap } from "../edit/json_value.ts";
import { Removal } from "../edit/removal.ts";
import { nameOf } from "../fs/file_path.ts";
import { entryOf, lineColumn, type Node, resolve, toJson } from "../edit/tree.ts";

/** An entry of the original Signet CLI in a harness's config. */
export interface OriginalEntry {
  readonly path: Path;
  readonly line: number;
  /** The start of its command, to show to people. */
  readonly command: string;
}

const EVENTS = new Set([
  "session-start",
  "user-prompt-submit",
  "session-end",
  "pre-compaction",
  "compaction-complete",
  "synthesis",
  "synthesis-complete",
  "notifications",
]);

/**
 * The first words of a shell command, without quotes. Unlike `splitCommand`, it also reads
 * commands that go on with a pipe or `||`: the program and its first arguments are enough here.
 */
export function commandWords(command: string): string[] {
  const words: string[] = [];
  const word = /\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+)/gy;
  for (let found = word.exec(command); found && words.length < 8; found = word.exec(command)) {
    words.push(
      (found[1] ?? "").replace(
        /"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
        (_, a, b) => (a ?? b ?? "").replace(/\\(["\\$`])/g, "$1"),
      ),
    );
  }
  return words;
}

function baseName(program = ""): string {
  return nameOf(program).replace(/\.(?:exe|cmd|ps1)$/i, "");
}

/**
 * True for the commands that the original CLI writes: `signet hook <event> …`,
 * on Windows `"<node>" "<signet.js>" hook <event> …`, and `signet-mcp`.
 */
export function isOriginalCommand(words: readonly string[]): boolean {
  const rest = baseName(words[0]) === "node" && /^(?:signet|signet-mcp)\.[cm]?js$/.test(baseName(words[1]))
    ? words.slice(1)
    : words;
  const program = baseName(rest[0]).replace(/\.[cm]?js$/, "");
  if (program === "signet-mcp") return true;
  return program === "signet" && rest[1] === "hook" && EVENTS.has(rest[2] ?? "");
}

function wordsOf(value: Json): string[] | undefined {
  if (typeof value === "string") return commandWords(value);
  if (Array.isArray(value)) {
    return value.every((word) => typeof word === "string") ? value.map(String) : undefined;
  }
  if (!isMap(value) || value.command === undefined) return undefined;
  const words = wordsOf(value.command);
  const args = Array.isArray(value.args)
    ? value.args.filter((arg) => typeof arg === "string").map(String)
    : [];
  // A command with arguments beside it is a program's path, which may hold spaces.
  return words && args.length > 0 && typeof value.command === "string" ? [value.command, ...args] : words;
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

/** The entries of the original CLI anywhere in a config. Throws a ConfigError if the text does not parse. */
export function findOriginalEntries(format: Format, text: string): OriginalEntry[] {
  const entries: OriginalEntry[] = [];
  walk(readSignetSections(format, text), [], (node, path) => {
    const words = commandOf(node);
    if (!words || !isOriginalCommand(words)) return false;
    entries.push({ path, line: lineColumn(text, node.start).line, command: words.slice(0, 3).join(" ") });
    return true;
  });
  return entries;
}

/** Removes the entries of the original CLI from a config. Throws a ConfigError if the text does not parse. */
export function removeOriginalEntries(format: Format, text: string): string {
  const root = readSignetSections(format, text);
  const removal = new Removal(root);
  walk(root, [], (node, path, parent, index) => {
    const words = commandOf(node);
    if (!words || !isOriginalCommand(words) || !parent) return false;
    if (parent.kind === "map") removal.find(path);
    removal.drop(parent, index);
    return true;
  }, (list, group, index) => removal.within(list, group, index));
  return writeOps(format, text, root, removal.ops({ containers: [], promoted: [] }));
}

/** The same for a parsed value, which verify.ts compares. */
export function withoutOriginalEntries(value: unknown, path: Path = []): unknown {
  const isOriginal = (item: unknown) => {
    if (typeof item === "string" ? !isHook(path) : !isMap(item)) return false;
    const words = typeof item === "string" || isMap(item) ? wordsOf(item) : undefined;
    return words !== undefined && isOriginalCommand(words);
  };
  if (Array.isArray(value)) {
    return value.filter((item) => !isOriginal(item)).flatMap((item) => {
      const left = withoutOriginalEntries(item, path);
      return isEmptied(left) && !isEmptied(item) ? [] : [left];
    });
  }
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([key, item]) => key === "command" || !isOriginal(item));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutOriginalEntries(item, [...path, key])]));
}

/** A group whose handlers were all removed. */
function isEmptied(value: unknown): boolean {
  return isMap(value) && Object.values(value).some((item) => Array.isArray(item) && item.length === 0);
}

/** A string is a command only among hooks: elsewhere it may be a note about one. */
function isHook(path: Path): boolean {
  return path.includes("hooks");
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

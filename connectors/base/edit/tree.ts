import type { Json } from "./edit.ts";

/**
 * A value in a config file and its position. Every format is read into this
 * tree, so that the rules of edits are written once; only printing and splicing
 * depend on the format.
 */
export interface Node {
  readonly kind: "map" | "list" | "scalar" | "alias";
  /** Of the value's own text: without anchor, tag or key. */
  readonly start: number;
  readonly end: number;
  /** A scalar's value. */
  readonly scalar?: Json;
  readonly entries: readonly Entry[];
  readonly items: readonly Node[];
  /** Between brackets, as opposed to YAML's indented and TOML's headed form. */
  readonly bracketed: boolean;
  /** The target of an alias. */
  readonly target?: Node;
  /** Aliases of this node: a change here changes them too. */
  readonly aliases?: readonly Node[];
  /** Maps that a merge key includes in this one. */
  readonly merged?: readonly Node[];
  /** Data for the format's writer. */
  readonly place?: unknown;
}

export interface Entry {
  readonly key: string;
  readonly start: number;
  readonly value: Node;
}

/** A file that does not parse, or that cannot be edited safely. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(message: string, readonly line: number, readonly column: number) {
    super(message);
  }
}

export function lineColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let from = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    from = at + 1;
  }
  // Editors show no column for a byte order mark.
  const bom = line === 1 && text.startsWith("\uFEFF") && offset > 0 ? 1 : 0;
  return { line, column: offset - from - bom + 1 };
}

export function configError(text: string, offset: number, message: string): ConfigError {
  const { line, column } = lineColumn(text, offset);
  return new ConfigError(message, line, column);
}

/** Follows aliases to their target. */
export function resolve(node: Node): Node {
  let at = node;
  while (at.kind === "alias" && at.target) at = at.target;
  return at;
}

/** The map's own entry for a key. */
export function entryOf(map: Node, key: string): Entry | undefined {
  return map.entries.findLast((entry) => entry.key === key);
}

/** An entry that a map gets from a merge key. */
export function mergedEntry(map: Node, key: string): Node | undefined {
  for (const source of map.merged ?? []) {
    const from = resolve(source);
    const found = entryOf(from, key)?.value ?? mergedEntry(from, key);
    if (found) return found;
  }
  return undefined;
}

// A few hundred bytes of nested YAML aliases can expand to gigabytes.
const MOST_NODES = 2_000_000;

export function toJson(node: Node, budget = { left: MOST_NODES }, isShared = false): Json {
  const at = resolve(node);
  const shared = isShared || at !== node;
  if (shared && --budget.left < 0) throw new ConfigError("its aliases expand to too many values", 1, 1);
  if (at.kind === "list") return at.items.map((item) => toJson(item, budget, shared));
  if (at.kind !== "map") return at.scalar ?? null;
  const map: { [key: string]: Json } = {};
  for (const source of [...at.merged ?? []].reverse()) Object.assign(map, toJson(source, budget, true));
  for (const entry of at.entries) {
    if (!at.merged || entry.key !== "<<") setOwn(map, entry.key, toJson(entry.value, budget, shared));
  }
  return map;
}

/** `__proto__` is a key like any other in a config file. */
export function setOwn(map: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== "__proto__") map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}

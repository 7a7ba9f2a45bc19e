import { parse as parseJsonc } from "@std/jsonc";
import { parse as parseYaml } from "@std/yaml";
import json5 from "json5";
import type { Edit, Format, Json, Path } from "../edit/edit.ts";
import { asJson, covers, groupKeys, isMap, same } from "../edit/json_value.ts";
import { withoutOriginalEntries, withoutPaths } from "./original/original_command.ts";
import { isValidToml } from "../edit/formats/toml/toml_read.ts";
import { outlines, sectionsOf } from "../edit/sections/outline.ts";
import { confirms, valuesAt } from "../edit/sections/pieces.ts";
import { atPaths, type Concern, LARGE, remembered } from "../edit/sections/sections.ts";
import { plainJson } from "./plain_json.ts";
import { parseToml, parseWholeToml } from "../edit/formats/toml/toml_parse.ts";
import { withoutTags } from "../edit/formats/yaml/yaml_tags.ts";

/** Reads a config with a parser that the editor does not use. */
export function readIndependently(format: Format, text: string): unknown {
  return format === "toml" ? parseWholeToml(text) : WHOLE[format](text);
}

const READERS: { readonly [F in Format]: (text: string) => unknown } = {
  yaml: (text) => parseYaml(withoutTags(text)),
  json5: (text) => asJsonOr(text, json5.parse),
  jsonc: (text) => asJsonOr(text, parseJsonc),
  json: (text) => JSON.parse(text),
  toml: parseToml,
};

function read(format: Format, text: string): unknown {
  const bare = text.replace(/^\uFEFF/, "");
  return bare.trim() === "" ? null : READERS[format](bare);
}

/** A function that remembers the last long texts: a check of an uninstall reads them several times. */
function byFormat<R>(
  make: (format: Format, text: string) => R,
): { readonly [F in Format]: (text: string) => R } {
  return {
    yaml: remembered((text) => make("yaml", text)),
    json5: remembered((text) => make("json5", text)),
    jsonc: remembered((text) => make("jsonc", text)),
    json: remembered((text) => make("json", text)),
    toml: remembered((text) => make("toml", text)),
  };
}

const WHOLE = byFormat(read);

/** Whether the independent parser accepts a text, and finds the sections that we find. */
const CONFIRMED = byFormat((format, text) => {
  if (format === "toml") return isValidToml(text);
  const sections = sectionsOf(format, text);
  return sections !== undefined && confirms(format, text, sections, (piece) => readPiece(format, piece));
});

/** A piece of a large text. The JSON5 library takes 4 s for 20 MB in pieces, and this way takes 1 s. */
function readPiece(format: Format, text: string): unknown {
  const plain = format === "json5" || format === "jsonc" ? plainJson(format, text) : undefined;
  try {
    if (plain !== undefined) return JSON.parse(plain);
  } catch {
    // The library knows more of the language.
  }
  return read(format, text);
}

/** Most files without a comment are JSON, which the runtime parses ten times as fast. */
function asJsonOr(text: string, parse: (text: string) => unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return nothingButComments(text) ? null : parse(text);
  }
}

function nothingButComments(text: string): boolean {
  const rest = /\S/g;
  for (let found = rest.exec(text); found; found = rest.exec(text)) {
    const [end, after] = text.startsWith("/*", found.index)
      ? [text.indexOf("*/", found.index + 2), 2]
      : text.startsWith("//", found.index)
      ? [text.slice(found.index).search(/[\n\r]|$/) + found.index, 0]
      : [-1, 0];
    if (end === -1) return false;
    rest.lastIndex = end + after;
  }
  return true;
}

/** The expected state of a file after an edit. */
export interface Intent {
  /** Whether the edits must be present or absent. */
  readonly installed: boolean;
  /** Edits of an earlier version that are removed at the same time. */
  readonly gone?: readonly Edit[];
  readonly replaceSignetCli?: boolean;
  /** Entries of the original Signet that go with it. */
  readonly originals?: readonly Path[];
  /** Entries of the original Signet that come back. */
  readonly back?: readonly Edit[];
}

/**
 * The last check before a file is written: an independent parser must find our
 * entries as intended and everything else unchanged. Returns the problem, or
 * undefined.
 */
export function verify(
  format: Format,
  before: string,
  after: string,
  edits: readonly Edit[],
  how: Intent,
): string | undefined {
  const values = smaller(format, before, after, concernOf(edits, how));
  return values ? compare(values, edits, how) : verifyWhole(format, before, after, edits, how);
}

interface Values {
  readonly was: unknown;
  readonly is: unknown;
}

/** The same, with every entry of both texts compared as a value. It takes longer for a large config. */
export function verifyWhole(
  format: Format,
  before: string,
  after: string,
  edits: readonly Edit[],
  how: Intent,
): string | undefined {
  let was: unknown;
  let is: unknown;
  try {
    was = readIndependently(format, before);
  } catch (error) {
    return `a second parser does not accept it (${firstLine(error)})`;
  }
  try {
    is = readIndependently(format, after);
  } catch (error) {
    return `the edit would make it unreadable (${firstLine(error)})`;
  }
  return compare({ was, is }, edits, how);
}

function compare({ was, is }: Values, edits: readonly Edit[], how: Intent): string | undefined {
  const bare = (value: unknown) => {
    const left = [...edits, ...how.gone ?? []].reduce(without, value);
    if (!how.replaceSignetCli) return left;
    // What surrounded an entry of the original may be empty now, or gone.
    const around = [
      ...(how.originals ?? []).map((path) => path.slice(0, -1)),
      ...(how.back ?? []).map(({ path }) => path),
    ];
    return [...edits.map(({ path }) => path), ...around].reduce(tidy, withoutOriginalEntries(left));
  };
  // Before the edits, because a path may hold positions in a list.
  const kept = how.replaceSignetCli ? withoutPaths(was, how.originals ?? []) : was;
  const ours = (how.back ?? []).reduce(without, is);
  if (!same(bare(kept) ?? {}, bare(ours) ?? {})) return "the edit would change other entries";
  const wrong = edits.find((edit) => edit.kind !== "default" && !asIntended(ours, was, edit, how));
  return wrong && `the edit would not leave ${wrong.path.join(".")} as intended`;
}

/** What an edit may change: the keys of its entries, and for the entries of the original whatever names it. */
function concernOf(edits: readonly Edit[], how: Intent): Concern {
  const paths = [
    ...[...edits, ...how.gone ?? [], ...how.back ?? []].map(({ path }) => path),
    ...how.originals ?? [],
  ];
  const isNamed = atPaths(paths);
  return (key, section) =>
    isNamed(key, section) || (how.replaceSignetCli === true && section.includes("signet"));
}

/**
 * The values of a large config, before and after, without the sections that are the same to the byte.
 * Undefined if they are not, or if the independent parser finds other sections than we do.
 */
function smaller(format: Format, before: string, after: string, concern: Concern): Values | undefined {
  if (Math.max(before.length, after.length) < LARGE) return undefined;
  const sections = sectionsOf(format, before);
  const small = sections && outlines(format, before, after, concern);
  if (!small || !CONFIRMED[format](before)) return undefined;
  try {
    const was = read(format, small.before);
    const values = valuesAt(format, before, sections, small.shown, (piece) => read(format, piece));
    const isFaithful = isMap(was) &&
      [...small.shown].every((key) =>
        Object.hasOwn(was, key) === values.has(key) && same(was[key], values.get(key))
      );
    return isFaithful ? { was, is: read(format, small.after) } : undefined;
  } catch {
    return undefined; // the whole text has the right line for the message
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((in_, key) => isMap(in_) && Object.hasOwn(in_, key) ? in_[key] : undefined, value);
}

function asIntended(is: unknown, was: unknown, edit: Edit, how: Intent): boolean {
  const value = at(is, edit.path);
  if (edit.kind === "default") return true;
  if (edit.kind === "entry") {
    // What it replaced is back, or the user chose another value since.
    if (edit.replaces && !how.installed) return true;
    const isOwned = value !== undefined && edit.owns(asJson(value));
    if (!how.installed) return !isOwned;
    const old = at(was, edit.path);
    const foreign = old !== undefined && old !== null && !edit.owns(asJson(old)) && same(old, value);
    return foreign || covers(asJson(value), edit.value);
  }
  const owned = ownedBy(value, edit);
  if (!how.installed) return owned.length === 0;
  const inner = edit.inner === undefined ? undefined : isMap(edit.value) ? edit.value[edit.inner] : undefined;
  const want = Array.isArray(inner) ? inner[0] ?? null : edit.value;
  const only = owned[0];
  return owned.length === 1 && only !== undefined &&
    (covers(only, want) || (edit.text !== undefined && only === edit.text)) && hasGroupKeys(value, edit);
}

/** Whether a group that holds only our handler has the keys that an edit writes beside it. */
function hasGroupKeys(value: unknown, edit: Extract<Edit, { kind: "item" }>): boolean {
  const { inner } = edit;
  if (inner === undefined || !Array.isArray(value)) return true;
  const keys = groupKeys(edit.value, inner);
  return value.map(asJson).every((group) => {
    const handlers = isMap(group) ? group[inner] : undefined;
    const isOurs = Array.isArray(handlers) && handlers.length === 1 && handlers.every(edit.owns);
    return !isOurs || covers(group, keys);
  });
}

function ownedBy(value: unknown, edit: Extract<Edit, { kind: "item" }>): Json[] {
  const list = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(
    asJson,
  );
  const inner = edit.inner;
  const all = inner === undefined ? list : list.flatMap((group) => {
    const handlers = isMap(group) ? group[inner] : undefined;
    return Array.isArray(handlers) ? handlers : [];
  });
  return all.filter((item) => edit.owns(item));
}

/** A config without an edit, and without the difference between missing, null and empty around it. */
function without(value: unknown, edit: Edit): unknown {
  return change(value, edit.path, (existing) => {
    if (edit.kind === "entry") {
      if (edit.replaces) return undefined;
      return existing !== undefined && edit.owns(asJson(existing)) ? undefined : existing;
    }
    if (edit.kind === "default") return same(existing, edit.value) ? undefined : existing;
    if (existing === undefined || existing === null) return undefined;
    const list: unknown[] = Array.isArray(existing) ? existing : [existing];
    const inner = edit.inner;
    const left = list.flatMap((item) => {
      if (inner === undefined) return edit.owns(asJson(item)) ? [] : [item];
      const handlers = isMap(item) ? item[inner] : undefined;
      if (
        !isMap(item) || !Array.isArray(handlers) || !handlers.some((handler) => edit.owns(asJson(handler)))
      ) return [item];
      const rest = handlers.filter((handler) => !edit.owns(asJson(handler)));
      return rest.length === 0 ? [] : [{ ...item, [inner]: rest }];
    });
    return left.length === 0 ? undefined : left;
  });
}

function tidy(value: unknown, path: Path): unknown {
  return change(value, path, (existing) => existing);
}

function change(value: unknown, path: readonly string[], leaf: (existing: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return leaf(value);
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  if (!isEmpty && !isMap(value)) return value;
  const map: Record<string, unknown> = isMap(value) ? { ...value } : {};
  const next = change(Object.hasOwn(map, key) ? map[key] : undefined, rest, leaf);
  const empty = next === undefined || next === null || (Array.isArray(next) && next.length === 0) ||
    (isMap(next) && Object.keys(next).length === 0);
  if (empty) delete map[key];
  else map[key] = next;
  return Object.keys(map).length === 0 ? undefined : map;
}

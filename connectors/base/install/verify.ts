import { parse as parseJsonc } from "@std/jsonc";
import { parse as parseYaml } from "@std/yaml";
import json5 from "json5";
import type { Edit, Format, Json, Path } from "../edit/edit.ts";
import { asJson, covers, isMap, same } from "../edit/json_value.ts";
import { withoutOriginalEntries, withoutPaths } from "./original/original_command.ts";
import { outlines } from "../edit/sections/outline.ts";
import { atPaths, type Concern, LARGE, remembered } from "../edit/sections/sections.ts";
import { parseToml } from "../edit/formats/toml/toml_parse.ts";
import { withoutTags } from "../edit/formats/yaml/yaml_tags.ts";

/** Reads a config with a parser that the editor does not use. */
export function readIndependently(format: Format, text: string): unknown {
  const bare = text.replace(/^\uFEFF/, "");
  return format === "toml" ? parseToml(bare) : bare.trim() === "" ? null : READERS[format](bare);
}

/** They remember the last long text: a check of an uninstall reads it several times. */
const READERS: { readonly [F in Exclude<Format, "toml">]: (text: string) => unknown } = {
  yaml: remembered((text) => parseYaml(withoutTags(text))),
  json5: remembered((text) => asJsonOr(text, json5.parse)),
  jsonc: remembered((text) => asJsonOr(text, parseJsonc)),
  json: remembered((text) => JSON.parse(text)),
};

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
  return check(
    format,
    before,
    after,
    edits,
    how,
    (whole) => smaller(format, before, after, whole, edits, how),
  );
}

/** The same, with every entry of both texts compared as a value. It takes longer for a large config. */
export function verifyWhole(
  format: Format,
  before: string,
  after: string,
  edits: readonly Edit[],
  how: Intent,
): string | undefined {
  return check(format, before, after, edits, how, () => undefined);
}

interface Values {
  readonly was: unknown;
  readonly is: unknown;
}

function check(
  format: Format,
  before: string,
  after: string,
  edits: readonly Edit[],
  how: Intent,
  part: (whole: unknown) => Values | undefined,
): string | undefined {
  let whole: unknown;
  let values: Values;
  try {
    whole = readIndependently(format, before);
  } catch (error) {
    return `a second parser does not accept it (${firstLine(error)})`;
  }
  try {
    values = part(whole) ?? { was: whole, is: readIndependently(format, after) };
  } catch (error) {
    return `the edit would make it unreadable (${firstLine(error)})`;
  }
  return compare(values, edits, how);
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
function smaller(
  format: Format,
  before: string,
  after: string,
  whole: unknown,
  edits: readonly Edit[],
  how: Intent,
): Values | undefined {
  if (Math.max(before.length, after.length) < LARGE || !isMap(whole)) return undefined;
  const small = outlines(format, before, after, concernOf(edits, how));
  if (!small) return undefined;
  try {
    const was = readIndependently(format, small.before);
    const isFaithful = isMap(was) && sameKeys(Object.keys(whole), small.keys) &&
      [...small.shown].every((key) =>
        Object.hasOwn(was, key) === Object.hasOwn(whole, key) && same(was[key], whole[key])
      );
    return isFaithful ? { was, is: readIndependently(format, small.after) } : undefined;
  } catch {
    return undefined; // the whole text has the right line for the message
  }
}

/** Whether two lists have the same keys. An object has numbers first, and a TOML file may come back to a table. */
function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === b.length && a.every((key, i) => key === b[i])) return true;
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && left.isSubsetOf(right);
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
    (covers(only, want) || (edit.text !== undefined && only === edit.text));
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

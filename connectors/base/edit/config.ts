import type { Edit, Format, Json, Path, Reading } from "./edit.ts";
import { Draft, type Made, ownItems } from "./draft.ts";
import { covers } from "./json_value.ts";
import { JSON5_SYNTAX } from "./json5.ts";
import { JSON_SYNTAX, JSONC_SYNTAX } from "./jsonc.ts";
import { Removal } from "./removal.ts";
import { dropSignetCli, findSignetCli, type SignetCliEntry } from "../install/original_signet.ts";
import { splice } from "./splice.ts";
import type { Concern, Op, Syntax } from "./syntax.ts";
import { TOML_SYNTAX } from "./toml.ts";
import { ConfigError, entryOf, lineColumn, type Node, resolve, toJson } from "./tree.ts";
import { YAML_SYNTAX } from "./yaml.ts";
import { quickYaml } from "./yaml_quick.ts";

const SYNTAX: { readonly [F in Format]: Syntax } = {
  yaml: YAML_SYNTAX,
  json: JSON_SYNTAX,
  jsonc: JSONC_SYNTAX,
  json5: JSON5_SYNTAX,
  toml: TOML_SYNTAX,
};

/** Reads a config: absent, parsed, or unparsable with the place where it stops making sense. */
export function readConfig(format: Format, text: string | undefined): Reading {
  if (text === undefined) return { kind: "absent" };
  try {
    const quick = format === "yaml" ? quickYaml(text) : undefined;
    return { kind: "parsed", value: quick ?? toJson(SYNTAX[format].read(text)) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { kind: "unparsable", line: error.line, column: error.column, message: error.message };
  }
}

export interface Installed {
  readonly text: string;
  readonly changed: boolean;
  /** Values of others that stand where ours would go; they were kept. */
  readonly conflicts: readonly string[];
  readonly made: Made;
  /** Entries of the original Signet CLI that are still there. */
  readonly signetCli: readonly SignetCliEntry[];
  /** True if something of ours was there before. */
  readonly hadOurs: boolean;
}

export interface InstallOptions {
  /** Take the entries of the original Signet CLI out. */
  readonly replaceSignetCli?: boolean;
  /** What an earlier version wrote for an edit: keys of it that this version does not write go. */
  previous?(edit: Edit): Json | undefined;
}

/**
 * Puts every edit into a config's text and keeps all the rest of it. Throws a
 * ConfigError where the text does not parse or has no safe place for an edit.
 */
export function install(
  format: Format,
  text: string | undefined,
  edits: readonly Edit[],
  options: InstallOptions = {},
): Installed {
  const syntax = SYNTAX[format];
  const before = text ?? "";
  const first = syntax.read(before, concernOf(edits));
  const cleared = collapse(syntax, before, first, edits, options);
  const root = cleared === before ? first : syntax.read(cleared, concernOf(edits));
  const draft = new Draft(cleared, root);
  for (const edit of edits) draft.put(edit);
  const after = written(syntax, cleared, root, draft.ops());
  return {
    text: after,
    changed: after !== text,
    conflicts: draft.conflicts,
    made: draft.made,
    signetCli: findSignetCli(cleared, root),
    hadOurs: edits.some((edit) => edit.kind !== "default" && isOurs(stateOf(before, first, edit).state)),
  };
}

function isOurs(state: Found["state"]): boolean {
  return state !== "missing" && state !== "foreign";
}

/** What edits reach, and what may be the original CLI's. */
function concernOf(edits: readonly Edit[]): Concern {
  const keys = new Set(edits.map((edit) => edit.path[0]));
  return (key, section) => keys.has(key) || section.includes("signet");
}

function written(syntax: Syntax, text: string, root: Node, ops: readonly Op[]): string {
  if (ops.length === 0) return text;
  // Where an inner and an outer container end at one place, the inner one's new text comes first.
  const innerFirst = [...ops].sort((a, b) => b.node.start - a.node.start);
  return splice(text, syntax.write(text, root, innerFirst));
}

/** Leaves one of each entry of ours that was copied by hand, and of each only what this version writes. */
function collapse(
  syntax: Syntax,
  text: string,
  root: Node,
  edits: readonly Edit[],
  options: InstallOptions,
): string {
  const removal = new Removal(root);
  for (const edit of edits) removal.remove(edit, { defaults: [] }, true);
  for (const edit of edits) {
    const previous = options.previous?.(edit);
    if (previous !== undefined) removal.removeOutdated(edit, previous);
  }
  if (options.replaceSignetCli) dropSignetCli(root, removal);
  const ops = removal.ops({ containers: [], promoted: [] });
  return written(syntax, text, root, ops);
}

/** Takes our edits out by their marks; `made` tells which containers exist because of us. */
export function uninstall(
  format: Format,
  text: string,
  edits: readonly Edit[],
  made?: Partial<Made>,
): string {
  const syntax = SYNTAX[format];
  const root = syntax.read(text, concernOf(edits));
  const known = { containers: [], promoted: [], defaults: [], ...made };
  const removal = new Removal(root);
  for (const edit of edits) removal.remove(edit, known);
  return written(syntax, text, root, removal.ops(known));
}

/** What became of one edit in a file. */
export interface Found {
  readonly path: Path;
  /** `foreign`: somebody else's value stands there. */
  readonly state: "present" | "different" | "missing" | "duplicated" | "foreign";
  readonly line?: number;
}

/** Looks for each edit in a config. Throws a ConfigError if the text does not parse. */
export function findOurs(format: Format, text: string | undefined, edits: readonly Edit[]): Found[] {
  const root = SYNTAX[format].read(text ?? "", concernOf(edits));
  return edits.map((edit) => ({ path: edit.path, ...stateOf(text ?? "", root, edit) }));
}

function stateOf(text: string, root: Node, edit: Edit): Omit<Found, "path"> {
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
  const ours = ownItems(list, edit);
  const first = ours[0];
  if (!first) return { state: "missing" };
  if (ours.length > 1) return { state: "duplicated", ...at(ours[1]?.node ?? first.node) };
  return { state: covers(toJson(first.node), first.want) ? "present" : "different", ...at(first.node) };
}

/** The entries of the original Signet CLI in a config. Throws a ConfigError if the text does not parse. */
export function signetCliIn(format: Format, text: string): SignetCliEntry[] {
  return findSignetCli(text, SYNTAX[format].read(text, concernOf([])));
}

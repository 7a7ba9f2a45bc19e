import type { Json } from "../../edit.ts";
import { type Dialect, type Layout, print } from "../brackets.ts";
import { writeBrackets } from "../json/jsonc.ts";
import { isMap, type JsonMap } from "../../json_value.ts";
import { indentAt, lineEnd, lineStart, nextLine, type Splice } from "../../text/splice.ts";
import type { Op, Syntax } from "../syntax.ts";
import { readToml, type Section, type TomlPlace, tomlPlace, tomlSections } from "./toml_read.ts";
import { configError, type Node } from "../../tree.ts";

const DIALECT: Dialect = {
  lineComment: "#",
  blockComments: false,
  // TOML 1.0 requires an inline table on one line; an array may span several.
  oneLine: (container) => container.kind === "map",
  flatMaps: true,
  key: (key) => `${tomlKey(key)} = `,
  scalar: tomlScalar,
};

function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlScalar(key);
}

function tomlScalar(value: Json): string {
  if (value === null) throw new Error("TOML has no null");
  return JSON.stringify(value).replaceAll("\x7f", "\\u007F");
}

export const TOML_SYNTAX: Syntax = {
  read: (text) => readToml(text),
  sections: tomlSections,
  readSections: readToml,
  write: (text, root, ops) => {
    const writer = new Writer(text, root);
    return [...ops.flatMap((op) => writer.write(op)), ...writer.appended(), ...writer.cut()];
  },
};

class Writer {
  /** New sections, all added at the end of the file. */
  readonly #tables: string[] = [];
  /** The ranges to remove. */
  readonly #removed: Section[] = [];
  readonly #eol: string;

  constructor(readonly text: string, readonly root: Node) {
    this.#eol = lineEnd(text);
  }

  write(op: Op): Splice[] {
    const { node } = op;
    const place = tomlPlace(node);
    if (!place || node.bracketed) return writeBrackets(this.text, this.root, op, DIALECT);
    switch (op.kind) {
      case "add":
        return op.entries.flatMap(([key, value]) => this.#add(node, place, key, value));
      case "append":
        for (const item of op.items) {
          if (!isMap(item)) {
            throw configError(this.text, node.start, "cannot add a string to a list of tables");
          }
          this.#table(place.path, item, true);
        }
        return [];
      case "drop":
        return this.#drop(node, op.indexes);
      case "unlist":
        return this.#drop(node, new Set([...node.items.keys()].filter((index) => index !== op.keep)));
      case "fill":
      case "replace":
      case "promote":
        throw configError(
          this.text,
          node.start,
          "this table cannot be edited safely; write it as a list of tables",
        );
    }
  }

  #add(map: Node, place: TomlPlace, key: string, value: Json): Splice[] {
    if (place.form === "dotted") {
      // A table that dotted keys made may not be opened again by a header.
      const name = [...place.prefix, key].map(tomlKey).join(".");
      return [this.#lineAfter(place.lines.at(-1)?.end ?? map.start, `${name} = ${this.#inline(value)}`)];
    }
    const many = Array.isArray(value) && value.length > 0 && value.every(isMap);
    if (isMap(value) || many) {
      for (const item of Array.isArray(value) ? value : [value]) {
        if (isMap(item)) this.#table([...place.path, key], item, many);
      }
      return [];
    }
    const section = place.sections.at(-1);
    if (!section) {
      this.#table(place.path, { [key]: value }, false);
      return [];
    }
    return [
      this.#lineAfter(
        section.end,
        `${tomlKey(key)} = ${this.#inline(value)}`,
        place.form === "root" && section.end === section.start,
      ),
    ];
  }

  #inline(value: Json): string {
    const layout: Layout = { eol: this.#eol, indent: "", step: "  ", minified: false, multiline: false };
    return print(value, DIALECT, layout, this.root);
  }

  #lineAfter(end: number, line: string, first = false): Splice {
    const { text } = this;
    if (first) {
      return { start: end, end, text: line + this.#eol + (text.slice(end).trim() === "" ? "" : this.#eol) };
    }
    const at = nextLine(text, end);
    const indent = indentAt(text, end);
    const open = at === text.length && !text.endsWith("\n");
    return { start: at, end: at, text: open ? this.#eol + indent + line : indent + line + this.#eol };
  }

  /** `[path]` with its keys, and its tables as sections of their own. */
  #table(path: readonly string[], map: JsonMap, many: boolean): void {
    const inner = Object.entries(map).filter(([, value]) => isMap(value) && Object.keys(value).length > 0);
    const lists = Object.entries(map).filter(([, value]) =>
      Array.isArray(value) && value.length > 0 && value.every(isMap)
    );
    const own = Object.entries(map).filter(([key]) => ![...inner, ...lists].some(([other]) => other === key));
    const name = path.map(tomlKey).join(".");
    if (many || own.length > 0 || inner.length + lists.length === 0) {
      const lines = own.map(([key, value]) => `${tomlKey(key)} = ${this.#inline(value)}`);
      this.#tables.push([many ? `[[${name}]]` : `[${name}]`, ...lines].join(this.#eol));
    }
    for (const [key, value] of inner) if (isMap(value)) this.#table([...path, key], value, false);
    for (const [key, value] of lists) {
      for (const item of Array.isArray(value) ? value : []) {
        if (isMap(item)) this.#table([...path, key], item, true);
      }
    }
  }

  appended(): Splice[] {
    if (this.#tables.length === 0) return [];
    const { text } = this;
    const eol = this.#eol;
    const body = this.#tables.join(eol + eol);
    const bare = text.replace("\uFEFF", "");
    if (bare === "") return [{ start: text.length, end: text.length, text: body + eol }];
    const gap = bare.endsWith(eol + eol) || bare.trim() === "" ? "" : bare.endsWith("\n") ? eol : eol + eol;
    return [{ start: text.length, end: text.length, text: gap + body + (bare.endsWith("\n") ? eol : "") }];
  }

  #drop(node: Node, indexes: ReadonlySet<number>): Splice[] {
    const gone = [...indexes].map((index) => node.entries[index]?.value ?? node.items[index]).filter((
      value,
    ) => value !== undefined);
    this.#removed.push(...gone.flatMap(extents));
    return [];
  }

  cut(): Splice[] {
    const { text } = this;
    const ranges = this.#removed.map(({ start, end }) => ({
      start: lineStart(text, start),
      end: nextLine(text, end),
    }))
      .sort((a, b) => a.start - b.start);
    const merged: { start: number; end: number }[] = [];
    for (const range of ranges) {
      const last = merged.at(-1);
      if (last && (range.start <= last.end || text.slice(last.end, range.start).trim() === "")) {
        last.end = Math.max(last.end, range.end);
      } else merged.push({ ...range });
    }
    return merged.map(({ start, end }) => {
      const from = this.#withBlankBefore(start, end);
      // #lineAfter added a blank line after the first line of a file.
      const blank = from === lineStart(text, 0) ? /^\r?\n/.exec(text.slice(end))?.[0].length ?? 0 : 0;
      return { start: from, end: end + blank, text: "" };
    });
  }

  /** Includes the blank line before a section, unless it separates the rest. */
  #withBlankBefore(start: number, end: number): number {
    const { text } = this;
    const before = text.slice(0, start);
    const after = text.slice(end);
    let at = start;
    const blank = /(?:^|\n)(\r?\n)$/.exec(before);
    if (blank && (after.trim() === "" || /^\r?\n/.test(after))) at -= blank[1]?.length ?? 0;
    // Without a final line break, the one before our lines was added by us.
    if (after === "" && !text.endsWith("\n")) at -= /\r?\n$/.exec(text.slice(0, at))?.[0].length ?? 0;
    return at;
  }
}

/** All ranges of a value in the file. */
function extents(node: Node): Section[] {
  const place = tomlPlace(node);
  const own = [...place?.sections ?? [], ...place?.lines ?? []];
  if (node.bracketed) return own;
  return [...own, ...node.entries.flatMap((entry) => extents(entry.value)), ...node.items.flatMap(extents)];
}

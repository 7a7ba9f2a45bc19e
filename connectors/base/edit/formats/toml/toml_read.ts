import { TomlError } from "smol-toml";
import { confirms } from "../../sections/pieces.ts";
import { type Concern, LARGE, remembered, type Section as TopSection } from "../../sections/sections.ts";
import { TomlCursor } from "./toml_cursor.ts";
import { parseToml, parseWholeToml } from "./toml_parse.ts";
import { ConfigError, type Entry, type Node } from "../../tree.ts";

/** A `[header]` and the keys under it, up to the last of them. */
export interface Section {
  start: number;
  end: number;
}

/** How a TOML value is written, which decides how it can be edited. */
export interface TomlPlace {
  /** `implicit`: named only in the headers of tables inside it. `dotted`: named only in dotted keys. */
  form: "root" | "table" | "implicit" | "dotted" | "value";
  /** From the top of the document. */
  readonly path: readonly string[];
  /** From the section of a dotted key. */
  readonly prefix: readonly string[];
  readonly sections: Section[];
  /** `key = value` texts that belong to it alone. */
  readonly lines: Section[];
}

interface Building extends Node {
  readonly entries: Entry[];
  /** The entries by key: a file may have thousands of tables. */
  readonly byKey: Map<string, Building>;
  readonly items: Building[];
  readonly place: TomlPlace;
}

export function tomlPlace(node: Node): TomlPlace | undefined {
  const place = node.place;
  // Every TOML node is created in this module.
  return typeof place === "object" && place !== null && "sections" in place ? place as TomlPlace : undefined;
}

const NO_KEYS = new Map<string, never>();

/**
 * Reads TOML with offsets. smol-toml reports the errors: it is as strict as Codex. Keys that do not
 * concern the reader are not in the tree.
 */
export function readToml(text: string, concern: Concern = () => true): Node {
  check(text);
  const sections = tomlSections(text);
  const shown = new Set<string>();
  for (const { key, start, end } of sections) {
    if (!shown.has(key) && concern(key, text.slice(start, end))) shown.add(key);
  }
  return new Reader(text).document(sections, shown);
}

/** Every `[header]` with its keys, and every key before the first header, of a text that is valid TOML. */
export const tomlSections: (text: string) => readonly TopSection[] = remembered((text) =>
  new Reader(text).sections()
);

/** Whether smol-toml accepts a text, and finds the sections in it that we find. */
export const isValidToml: (text: string) => boolean = remembered((text) => {
  try {
    return confirms("toml", text, tomlSections(text), parseToml);
  } catch {
    return false; // our reader expects valid TOML
  }
});

function check(text: string): void {
  if (text.length >= LARGE && isValidToml(text)) return;
  try {
    parseWholeToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ConfigError(
      (error.message.split("\n", 1)[0] ?? "").replace(/^Invalid TOML document: /, ""),
      error.line,
      error.column,
    );
  }
}

function put(table: Building, key: string, start: number, value: Building): void {
  table.entries.push({ key, start, value });
  table.byKey.set(key, value);
}

class Reader extends TomlCursor {
  readonly #root: Building;

  constructor(text: string) {
    super(text);
    this.#root = this.#map("root", [], [], 0);
  }

  sections(): TopSection[] {
    const { text } = this;
    const sections: TopSection[] = [];
    let header: { key: string; start: number; valueStart: number; end: number } | undefined;
    if (text.startsWith("\uFEFF")) this.at = 1;
    for (this.blank(); this.at < text.length; this.blank()) {
      const start = this.at;
      if (text[start] === "[") {
        const brackets = text[start + 1] === "[" ? 2 : 1;
        this.at += brackets;
        const [key = ""] = this.key();
        this.at += brackets;
        header = { key, start, valueStart: start, end: this.at };
        sections.push(header);
      } else {
        const [key = ""] = header ? this.skipKey() : this.key();
        this.at++;
        this.space();
        this.skipValue();
        if (header) header.end = this.at;
        else sections.push({ key, start, valueStart: start, end: this.at });
      }
    }
    return sections;
  }

  document(sections: readonly TopSection[], shown: ReadonlySet<string>): Node {
    const { text } = this;
    const root = this.#root;
    const at = text.startsWith("\uFEFF") ? 1 : 0;
    const top: Section = { start: at, end: at };
    root.place.sections.push(top);
    for (const { key, start, end } of sections) {
      this.at = start;
      const isHeader = text[start] === "[";
      if (!isHeader) top.end = end;
      if (!shown.has(key)) continue;
      if (isHeader) {
        const table = this.#header({ start, end });
        for (this.blank(); this.at < end; this.blank()) this.#pair(table);
      } else this.#pair(root);
    }
    return { ...root, end: text.length };
  }

  #map(form: TomlPlace["form"], path: readonly string[], prefix: readonly string[], start: number): Building {
    const place: TomlPlace = { form, path, prefix, sections: [], lines: [] };
    return {
      kind: "map",
      start,
      end: start,
      entries: [],
      byKey: new Map(),
      items: [],
      bracketed: false,
      place,
    };
  }

  #header(section: Section): Building {
    const many = this.text.startsWith("[[", this.at);
    this.at += many ? 2 : 1;
    const path = this.key();
    this.at += many ? 2 : 1;
    let table = this.#root;
    for (const [i, key] of path.entries()) {
      const last = i === path.length - 1;
      const found = table.byKey.get(key);
      if (found?.kind === "list" && !found.bracketed && !(last && many)) {
        // A header names the newest table of a list of tables.
        table = found.items.at(-1) ?? table;
      } else if (last && many) {
        const list = found ?? this.#list(table, key, path, section.start);
        table = this.#map("table", path, [], section.start);
        table.place.sections.push(section);
        list.items.push(table);
        return table;
      } else {
        const next = found ?? this.#map("implicit", path.slice(0, i + 1), [], section.start);
        if (!found) put(table, key, section.start, next);
        table = next;
      }
    }
    table.place.form = "table";
    table.place.sections.push(section);
    return table;
  }

  #list(table: Building, key: string, path: readonly string[], start: number): Building {
    const list: Building = { ...this.#map("table", path, [], start), kind: "list" };
    put(table, key, start, list);
    return list;
  }

  /** `a.b = value`, in a table or an inline one. */
  #pair(table: Building): void {
    const start = this.at;
    const path = this.key();
    if (this.text[this.at] !== "=") throw this.fail("expected an equals sign");
    this.at++;
    this.space();
    let into = table;
    const above: Building[] = [];
    for (const [i, key] of path.slice(0, -1).entries()) {
      const found = into.byKey.get(key);
      const next = found ??
        this.#map("dotted", [...table.place.path, ...path.slice(0, i + 1)], path.slice(0, i + 1), start);
      if (!found) put(into, key, start, next);
      above.push(next);
      into = next;
    }
    const value = this.#value([...table.place.path, ...path]);
    const line = { start, end: this.at };
    value.place.lines.push(line);
    for (const node of above) node.place.lines.push(line);
    put(into, path.at(-1) ?? "", start, value);
  }

  #value(path: readonly string[]): Building {
    const { text } = this;
    const start = this.at;
    const letter = text[start];
    const place: TomlPlace = { form: "value", path, prefix: [], sections: [], lines: [] };
    if (letter === "[" || letter === "{") {
      const made: Building = {
        kind: letter === "[" ? "list" : "map",
        start,
        end: start,
        entries: [],
        byKey: new Map(),
        items: [],
        bracketed: true,
        place,
      };
      const close = letter === "[" ? "]" : "}";
      this.at++;
      for (this.blank(); text[this.at] !== close; this.blank()) {
        if (this.at >= text.length) throw this.fail("the file ends inside a value");
        if (letter === "[") made.items.push(this.#value(path));
        else this.#pair(made);
        this.blank();
        if (text[this.at] === ",") this.at++;
      }
      this.at++;
      return { ...made, end: this.at };
    }
    const scalar = letter === '"' || letter === "'" ? this.string() : this.word();
    return {
      kind: "scalar",
      start,
      end: this.at,
      scalar,
      entries: [],
      byKey: NO_KEYS,
      items: [],
      bracketed: true,
      place,
    };
  }
}

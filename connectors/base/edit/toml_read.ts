import { TomlError } from "smol-toml";
import type { Json } from "./edit.ts";
import { type Concern, remembered, type Section as TopSection } from "./sections.ts";
import { parseToml } from "./toml_parse.ts";
import { ConfigError, configError, type Entry, type Node } from "./tree.ts";

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

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BASIC = /["\\]/g;
const LITERAL = /'/g;
const NESTING = /["'#[\]{}]/g;
const NO_KEYS = new Map<string, never>();
const SPECIAL = /^(?:[+-]?(?:inf|nan))$/;

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

function check(text: string): void {
  try {
    parseToml(text);
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

class Reader {
  #at = 0;
  readonly #root: Building;

  constructor(readonly text: string) {
    this.#root = this.#map("root", [], [], 0);
  }

  sections(): TopSection[] {
    const { text } = this;
    const sections: TopSection[] = [];
    let header: { key: string; start: number; valueStart: number; end: number } | undefined;
    if (text.startsWith("\uFEFF")) this.#at = 1;
    for (this.#blank(); this.#at < text.length; this.#blank()) {
      const start = this.#at;
      if (text[start] === "[") {
        const brackets = text[start + 1] === "[" ? 2 : 1;
        this.#at += brackets;
        const [key = ""] = this.#key();
        this.#at += brackets;
        header = { key, start, valueStart: start, end: this.#at };
        sections.push(header);
      } else {
        const [key = ""] = header ? this.#skipKey() : this.#key();
        this.#at++;
        this.#space();
        this.#skipValue();
        if (header) header.end = this.#at;
        else sections.push({ key, start, valueStart: start, end: this.#at });
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
      this.#at = start;
      const isHeader = text[start] === "[";
      if (!isHeader) top.end = end;
      if (!shown.has(key)) continue;
      if (isHeader) {
        const table = this.#header({ start, end });
        for (this.#blank(); this.#at < end; this.#blank()) this.#pair(table);
      } else this.#pair(root);
    }
    return { ...root, end: text.length };
  }

  #skipKey(): readonly string[] {
    const { text } = this;
    for (; text[this.#at] !== "="; this.#at++) {
      if (this.#at >= text.length) throw this.#fail("expected an equals sign");
      if (text[this.#at] === '"' || text[this.#at] === "'") {
        this.#skipString();
        this.#at--;
      }
    }
    return [];
  }

  /** Moves past a value of a text that was checked before. */
  #skipValue(): void {
    const { text } = this;
    const letter = text[this.#at];
    if (letter === '"' || letter === "'") return this.#skipString();
    if (letter !== "[" && letter !== "{") return this.#skipWord();
    for (let depth = 0;;) {
      NESTING.lastIndex = this.#at;
      const found = NESTING.exec(text);
      if (!found) throw this.#fail("the file ends inside a value");
      this.#at = found.index;
      if (found[0] === '"' || found[0] === "'") this.#skipString();
      else if (found[0] === "#") this.#blank();
      else {
        this.#at++;
        depth += found[0] === "[" || found[0] === "{" ? 1 : -1;
        if (depth === 0) return;
      }
    }
  }

  #skipWord(): void {
    const { text } = this;
    const start = this.#at;
    let end = start;
    for (; end < text.length && text[end] !== "#" && text[end] !== "\n"; end++);
    while (end > start && text.charCodeAt(end - 1) <= 32) end--;
    this.#at = end;
  }

  #skipString(): void {
    const { text } = this;
    const quote = text.charAt(this.#at);
    const mark = text.startsWith(quote.repeat(3), this.#at) ? quote.repeat(3) : quote;
    const stop = quote === '"' ? BASIC : LITERAL;
    let at = this.#at + mark.length;
    for (; !text.startsWith(mark, at); at += text[at] === "\\" && quote === '"' ? 2 : 1) {
      stop.lastIndex = at;
      const found = stop.exec(text);
      if (!found) throw this.#fail("a string is not closed");
      at = found.index;
      if (text.startsWith(mark, at)) break;
    }
    // Up to two more quotes at the end of a long string belong to it.
    while (mark.length === 3 && text[at + 3] === quote) at++;
    this.#at = at + mark.length;
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

  #fail(message: string): ConfigError {
    return configError(this.text, this.#at, message);
  }

  #space(): void {
    while (this.text[this.#at] === " " || this.text[this.#at] === "\t") this.#at++;
  }

  /** White space, line breaks and comments. */
  #blank(): void {
    const { text } = this;
    for (;;) {
      while (text.charCodeAt(this.#at) <= 32) this.#at++;
      if (text[this.#at] !== "#") return;
      const end = text.indexOf("\n", this.#at);
      this.#at = end === -1 ? text.length : end;
    }
  }

  #key(): string[] {
    const parts: string[] = [];
    for (;;) {
      this.#space();
      const letter = this.text[this.#at];
      if (letter === '"' || letter === "'") parts.push(this.#string());
      else {
        BARE_KEY.lastIndex = this.#at;
        const word = BARE_KEY.exec(this.text)?.[0];
        if (!word) throw this.#fail("expected a key");
        parts.push(word);
        this.#at += word.length;
      }
      this.#space();
      if (this.text[this.#at] !== ".") return parts;
      this.#at++;
    }
  }

  #header(section: Section): Building {
    const many = this.text.startsWith("[[", this.#at);
    this.#at += many ? 2 : 1;
    const path = this.#key();
    this.#at += many ? 2 : 1;
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
    const start = this.#at;
    const path = this.#key();
    if (this.text[this.#at] !== "=") throw this.#fail("expected an equals sign");
    this.#at++;
    this.#space();
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
    const line = { start, end: this.#at };
    value.place.lines.push(line);
    for (const node of above) node.place.lines.push(line);
    put(into, path.at(-1) ?? "", start, value);
  }

  #value(path: readonly string[]): Building {
    const { text } = this;
    const start = this.#at;
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
      this.#at++;
      for (this.#blank(); text[this.#at] !== close; this.#blank()) {
        if (this.#at >= text.length) throw this.#fail("the file ends inside a value");
        if (letter === "[") made.items.push(this.#value(path));
        else this.#pair(made);
        this.#blank();
        if (text[this.#at] === ",") this.#at++;
      }
      this.#at++;
      return { ...made, end: this.#at };
    }
    const scalar = letter === '"' || letter === "'" ? this.#string() : this.#word();
    return {
      kind: "scalar",
      start,
      end: this.#at,
      scalar,
      entries: [],
      byKey: NO_KEYS,
      items: [],
      bracketed: true,
      place,
    };
  }

  #word(): Json {
    const rest = /[^,\]}#\n\r]*/y;
    rest.lastIndex = this.#at;
    const raw = (rest.exec(this.text)?.[0] ?? "").trimEnd();
    if (!raw) throw this.#fail("expected a value");
    this.#at += raw.length;
    if (raw === "true" || raw === "false") return raw === "true";
    const number = Number(raw.replaceAll("_", "").replace(/^\+/, ""));
    // Dates and numbers that JSON cannot express become strings here.
    return Number.isNaN(number) || SPECIAL.test(raw) ? raw : number;
  }

  #string(): string {
    const { text } = this;
    const quote = text.charAt(this.#at);
    const long = text.startsWith(quote.repeat(3), this.#at);
    const mark = long ? quote.repeat(3) : quote;
    this.#at += mark.length;
    if (long && text.startsWith("\r\n", this.#at)) this.#at += 2;
    else if (long && text[this.#at] === "\n") this.#at++;
    let out = "";
    for (;;) {
      if (this.#at >= text.length) throw this.#fail("a string is not closed");
      if (text.startsWith(mark, this.#at)) {
        // Up to two more quotes at the end of a long string belong to it.
        while (long && text[this.#at + 3] === quote) out += text.charAt(this.#at++);
        this.#at += mark.length;
        return out;
      }
      if (quote === '"' && text[this.#at] === "\\") out += this.#escape();
      else {
        const run = quote === '"' ? BASIC : LITERAL;
        run.lastIndex = this.#at + 1;
        const end = run.exec(text)?.index ?? text.length;
        out += text.slice(this.#at, end);
        this.#at = end;
      }
    }
  }

  #escape(): string {
    const { text } = this;
    const letter = text.charAt(this.#at + 1);
    this.#at += 2;
    const digits = { u: 4, U: 8, x: 2 }[letter];
    if (digits !== undefined) {
      const code = parseInt(text.slice(this.#at, this.#at + digits), 16);
      this.#at += digits;
      return String.fromCodePoint(code);
    }
    if (/\s/.test(letter)) {
      while (/\s/.test(text.charAt(this.#at))) this.#at++;
      return "";
    }
    return { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b" }[letter] ?? letter;
  }
}

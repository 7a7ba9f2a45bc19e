/** What a file in our part of YAML can hold. */
export type YamlScalar = string | number | boolean | null;
export type YamlValue = YamlScalar | YamlScalar[] | { [key: string]: YamlScalar | YamlScalar[] };

/** A file that is not in our part of YAML. */
export class YamlProblem extends Error {
  constructor(readonly line: number, message: string) {
    super(message);
  }
}

export interface YamlFile {
  readonly fields: { readonly [key: string]: YamlValue };
  /** The line of each key: `rules`, `start.codex`. */
  readonly lines: ReadonlyMap<string, number>;
}

/**
 * Reads a small part of YAML without a library, which a hook cannot afford: keys,
 * one level of keys below them, lists of single values, and `|` for longer text.
 * What it accepts means the same to every YAML parser, and what it does not accept
 * is a YamlProblem with its line, never a guess.
 */
export function readYaml(text: string): YamlFile {
  return new Reader(text).read();
}

const KEY = /^([A-Za-z][A-Za-z0-9_-]*) *:(?: +|$)/;
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

/** What ends a value without quotes: a comment, and in a list also a character that has a meaning there. */
const PLAIN_END = / #|$/;
const PLAIN_END_IN_LIST = / #|[,[\]{}]|$/;

const ONE_LINE = "a list in brackets must be on one line, with commas between its values and quotes around " +
  "those that have brackets";

/** A value, and where it ends. */
interface Found<T> {
  readonly value: T;
  readonly end: number;
}

class Reader {
  readonly #lines: readonly string[];
  readonly #found = new Map<string, number>();
  /** The index of the line to read next. */
  #at = 0;

  constructor(text: string) {
    const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
    this.#lines = plain.split(/\r?\n/);
  }

  read(): YamlFile {
    this.#checkCharacters();
    if (this.#next() === 0 && /^---(?: +#.*| *)$/.test(this.#line())) this.#at++;
    const fields: Record<string, YamlValue> = {};
    for (let indent = this.#next(); indent !== undefined; indent = this.#next()) {
      if (indent > 0) this.#fail("this line is indented, but nothing above it asks for that");
      const { key, rest } = this.#key();
      this.#note(key);
      fields[key] = this.#value(rest, 0, (inner) => this.#map(key, inner));
    }
    return { fields, lines: this.#found };
  }

  #checkCharacters(): void {
    const at = this.#lines.findIndex((line) => CONTROL.test(line));
    if (at >= 0) this.#fail("it has a character that no text editor shows", at);
    const surrogate = this.#lines.findIndex((line) => !line.isWellFormed());
    if (surrogate >= 0) this.#fail("it is not valid UTF-8", surrogate);
  }

  /** Skips empty lines and comments; the indent of the next line, undefined at the end. */
  #next(): number | undefined {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line();
      const indent = indentOf(line);
      const rest = line.slice(indent);
      if (rest === "" || rest.startsWith("#")) continue;
      if (line.includes("\t")) this.#fail("it has a tab: use spaces");
      return indent;
    }
    return undefined;
  }

  #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  #key(): { key: string; rest: string } {
    const content = this.#line().trimStart();
    const [all, key] = KEY.exec(content) ?? [];
    if (all === undefined || key === undefined) this.#fail("it must be a key, as in `locks: on`");
    return { key, rest: content.slice(all.length) };
  }

  #note(path: string): void {
    if (this.#found.has(path)) {
      this.#fail(`the key ${path} is there twice: first on line ${this.#found.get(path)}`);
    }
    this.#found.set(path, this.#at + 1);
  }

  /** The value after a key or a dash at `indent`; `map` reads keys below it. */
  #value<T>(rest: string, indent: number, map?: (indent: number) => T): YamlScalar | YamlScalar[] | T {
    if (/^\|-?(?: +#.*| *)$/.test(rest)) return this.#blockText(indent, rest.startsWith("|-"));
    if (rest !== "" && !rest.startsWith("#")) {
      const { value, end } = rest.startsWith("[") ? this.#flowList(rest) : this.#scalar(rest, PLAIN_END);
      if (!/^(?: +#.*| *)$/.test(rest.slice(end))) this.#fail("there is something after the value");
      this.#at++;
      return value;
    }
    const line = this.#at++;
    const below = this.#next();
    if (map !== undefined && below !== undefined && below >= indent && isItem(this.#line().slice(below))) {
      return this.#list(below);
    }
    if (below === undefined || below <= indent) return null;
    if (map === undefined) this.#fail("only single values can be here", line);
    return map(below);
  }

  #map(path: string, indent: number): { [key: string]: YamlScalar | YamlScalar[] } {
    const fields: Record<string, YamlScalar | YamlScalar[]> = {};
    for (let at = this.#next(); at !== undefined && at >= indent; at = this.#next()) {
      if (at > indent) this.#fail("it is indented more than the line above it");
      const { key, rest } = this.#key();
      this.#note(`${path}.${key}`);
      fields[key] = this.#value(rest, indent, () => this.#fail("keys can only be two levels deep"));
    }
    return fields;
  }

  #list(indent: number): YamlScalar[] {
    const items: YamlScalar[] = [];
    for (let at = this.#next(); at !== undefined && at >= indent; at = this.#next()) {
      const content = this.#line().slice(at);
      if (at > indent) this.#fail("it is indented more than the line above it");
      // Keys at the indent of the dashes are the next entries of the map.
      if (!isItem(content)) break;
      const value = this.#value<never>(content.slice(1).trimStart(), indent);
      if (Array.isArray(value)) this.#fail("a list cannot hold another list", this.#at - 1);
      items.push(value);
    }
    return items;
  }

  #blockText(indent: number, strips: boolean): string {
    const lines: string[] = [];
    let width: number | undefined;
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line();
      const at = indentOf(line);
      const isEmpty = at === line.length;
      if (!isEmpty) {
        if (at <= indent || (width !== undefined && at < width)) break;
        width ??= at;
      } else if (width === undefined && at > 0) this.#fail("an empty line has spaces before the text begins");
      lines.push(isEmpty && at <= (width ?? 0) ? "" : line.slice(width));
    }
    while (lines.at(-1) === "") lines.pop();
    const text = lines.join("\n");
    return strips || lines.length === 0 ? text : `${text}\n`;
  }

  #flowList(text: string): Found<YamlScalar[]> {
    const items: YamlScalar[] = [];
    let at = skipSpaces(text, 1);
    while (text[at] !== "]") {
      if (at >= text.length) this.#fail(ONE_LINE);
      const { value, end } = this.#scalar(text.slice(at), PLAIN_END_IN_LIST);
      items.push(value);
      at = skipSpaces(text, at + end);
      if (text[at] === ",") {
        at = skipSpaces(text, at + 1);
        if (text[at] === "]") this.#fail("a list in brackets ends with a comma");
      } else if (text[at] !== "]") this.#fail(ONE_LINE);
    }
    return { value: items, end: at + 1 };
  }

  /** The value at the beginning of a text; `plainEnd` is what ends one without quotes. */
  #scalar(text: string, plainEnd: RegExp): Found<YamlScalar> {
    const [quoted] = /^(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")/.exec(text) ?? [];
    if (quoted !== undefined) {
      const inner = quoted.slice(1, -1);
      const value = quoted.startsWith("'") ? inner.replaceAll("''", "'") : this.#escaped(inner);
      return { value, end: quoted.length };
    }
    if (/^['"]/.test(text)) this.#fail("a text in quotes must end with the same quote on the same line");
    const content = text.slice(0, plainEnd.exec(text)?.index).trimEnd();
    return { value: this.#plain(content), end: content.length };
  }

  #escaped(inner: string): string {
    const text = inner.replace(/\\(u[0-9A-Fa-f]{4}|.)/g, (_, code: string) => {
      const simple = ESCAPES[code];
      if (simple !== undefined) return simple;
      if (code.length !== 5) this.#fail(`\\${code} is not an escape that can be used here`);
      return String.fromCharCode(parseInt(code.slice(1), 16));
    });
    if (!text.isWellFormed()) this.#fail("an escape encodes half of a character");
    return text;
  }

  #plain(content: string): YamlScalar {
    const first = content.charAt(0);
    if (first === "") this.#fail("a value is missing");
    if ("&*!%@`|>{}[],#\"'".includes(first) || /^[-?:](?:$| )/.test(content)) {
      this.#fail(
        first === "&" || first === "*"
          ? "anchors and aliases (& and *) cannot be used here; a value that begins so needs quotes"
          : first === ">"
          ? "use | for text of several lines"
          : `a value that begins with ${first} needs quotes`,
      );
    }
    if (/: |:$/.test(content)) this.#fail("a value with a colon in it needs quotes");
    if (/^(?:~|null|Null|NULL)$/.test(content)) return null;
    if (/^(?:true|True|TRUE)$/.test(content)) return true;
    if (/^(?:false|False|FALSE)$/.test(content)) return false;
    if (/^(?:0|[1-9]\d{0,14})$/.test(content)) return Number(content);
    // Numbers in other forms, dates, and what some parsers take for a number.
    if (/^[-+]?\.?\d/.test(content) || /^[-+]?\.(?:inf|nan)$/i.test(content)) {
      this.#fail("a value that begins with a digit needs quotes, unless it is a plain number");
    }
    return content;
  }

  #fail(message: string, at: number = this.#at): never {
    throw new YamlProblem(at + 1, message);
  }
}

/** Those that JSON and YAML share. */
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\",
  '"': '"',
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32) indent++;
  return indent;
}

function isItem(content: string): boolean {
  return content === "-" || content.startsWith("- ");
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32) at++;
  return at;
}

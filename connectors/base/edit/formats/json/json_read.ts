import type { Json } from "../../edit.ts";
import type { Concern, Section } from "../../sections/sections.ts";
import { type ConfigError, configError, type Entry, type Node } from "../../tree.ts";

/** What a dialect of JSON allows beyond the strict one. */
export interface Allows {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  /** Unquoted keys, single quotes, hex numbers and the rest of JSON5. */
  readonly json5: boolean;
}

const NONE: readonly never[] = [];
const IDENTIFIER = /[$_\p{ID_Start}\u200C\u200D][$_\p{ID_Continue}\u200C\u200D]*/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER5 = /[+-]?(?:Infinity|NaN|0[xX][\da-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };
const DEEPEST = 500;
const FEW_KEYS = 8;

const QUOTE = 0x22, APOSTROPHE = 0x27, STAR = 0x2A, COMMA = 0x2C, SLASH = 0x2F, COLON = 0x3A;
const BRACKET = 0x5B, BACKSLASH = 0x5C, BRACE = 0x7B;
/** From an opening bracket or brace to its closing one. */
const CLOSING = 2;

/**
 * Reads JSON, JSONC and JSON5 into one tree with offsets. The npm readers gave
 * two trees of different shape, and the JSON5 one took half a second for a
 * megabyte; independent parsers check every result of this one (verify.ts).
 */
export function readJson(text: string, allows: Allows): Node {
  return new Reader(text, allows).document();
}

/** The entries of the top-level object; undefined if the text is something else. Checks all of the text. */
export function jsonSections(text: string, allows: Allows): Section[] | undefined {
  return new Reader(text, allows).sections();
}

/** Reads the values of some of the text's sections; the others are in the tree, but without their content. */
export function readJsonSections(
  text: string,
  allows: Allows,
  sections: readonly Section[],
  concern: Concern,
): Node {
  const reader = new Reader(text, allows);
  const entries = sections.map(({ key, start, valueStart, end }): Entry => ({
    key,
    start,
    value: concern(key, text.slice(start, end)) ? reader.valueAt(valueStart) : unread(valueStart, end),
  }));
  return { ...reader.frame(sections), kind: "map", entries, items: NONE, bracketed: true };
}

function unread(start: number, end: number): Node {
  return { kind: "scalar", start, end, scalar: true, entries: NONE, items: NONE, bracketed: true };
}

class Reader {
  #at: number;
  readonly #end: number;

  constructor(readonly text: string, readonly allows: Allows) {
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
    this.#end = text.length;
  }

  document(): Node {
    this.#trivia();
    if (this.#at >= this.#end) {
      // Nothing at all, or comments alone: a place to begin.
      const at = this.#at;
      return {
        kind: "scalar",
        start: at,
        end: at,
        scalar: null,
        entries: NONE,
        items: NONE,
        bracketed: true,
      };
    }
    const root = this.#value(0);
    this.#expectEnd();
    return root;
  }

  sections(): Section[] | undefined {
    this.#trivia();
    if (this.#code() !== BRACE) return undefined;
    const sections: Section[] = [];
    const keys = new Keys();
    for (let more = this.#open(BRACE, 0); more; more = this.#next(BRACE)) {
      const start = this.#at;
      const key = this.#newKey(keys);
      const valueStart = this.#at;
      this.#skip(1);
      sections.push({ key, start, valueStart, end: this.#at });
    }
    this.#expectEnd();
    return sections;
  }

  /** The value at an offset of a text that was checked before. */
  valueAt(offset: number): Node {
    this.#at = offset;
    return this.#value(1);
  }

  /** Where the top-level object of a text that was checked before begins and ends. */
  frame(sections: readonly Section[]): { start: number; end: number } {
    this.#at = this.text.startsWith("\uFEFF") ? 1 : 0;
    this.#trivia();
    const start = this.#at;
    this.#at = sections.at(-1)?.end ?? start + 1;
    this.#trivia();
    if (this.#code() === COMMA) {
      this.#at++;
      this.#trivia();
    }
    return { start, end: this.#at + 1 };
  }

  #expectEnd(): void {
    this.#trivia();
    if (this.#at < this.#end) throw this.#fail(`expected the end of the file, found ${this.#shown()}`);
  }

  #fail(message: string, offset = this.#at): ConfigError {
    return configError(this.text, offset, message);
  }

  #shown(): string {
    return this.#at >= this.#end
      ? "the end of the file"
      : JSON.stringify(this.text.slice(this.#at, this.#at + 1));
  }

  #code(): number {
    return this.text.charCodeAt(this.#at);
  }

  #isSpace(code: number): boolean {
    if (code === 32 || code === 10 || code === 13 || code === 9) return true;
    return this.allows.json5 &&
      (code === 11 || code === 12 || code === 0xA0 || code === 0xFEFF || code === 0x2028 || code === 0x2029 ||
        (code > 127 && /\p{Zs}/u.test(String.fromCharCode(code))));
  }

  /** Skips white space and comments. */
  #trivia(): void {
    const { text } = this;
    for (;;) {
      while (this.#at < this.#end && this.#isSpace(text.charCodeAt(this.#at))) this.#at++;
      if (this.#code() !== SLASH) return;
      const next = text.charCodeAt(this.#at + 1);
      if (next !== SLASH && next !== STAR) return;
      if (!this.allows.comments) throw this.#fail("strict JSON does not allow comments");
      if (next === SLASH) {
        while (this.#at < this.#end && !isLineEnd(text.charCodeAt(this.#at))) this.#at++;
      } else {
        const end = text.indexOf("*/", this.#at + 2);
        if (end === -1) throw this.#fail("a comment is not closed");
        this.#at = end + 2;
      }
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.text)?.[0];
  }

  /** Moves past a run of characters that mean themselves, up to a quote, a backslash or the line's end. */
  #plain(quote: number): void {
    const { text } = this;
    // JSON5 allows control characters and the line separators of Unicode in strings.
    const least = this.allows.json5 ? 0 : 32;
    for (let at = this.#at;; at++) {
      const code = text.charCodeAt(at);
      if (code === quote || code === BACKSLASH || code === 10 || code === 13 || !(code >= least)) {
        this.#at = at;
        return;
      }
    }
  }

  #string(): string {
    const { text } = this;
    const opened = this.#at;
    const quote = text.charCodeAt(this.#at++);
    let out = "";
    for (;;) {
      const from = this.#at;
      this.#plain(quote);
      out += text.slice(from, this.#at);
      const code = this.#code();
      if (code === quote) {
        this.#at++;
        return out;
      }
      if (code !== BACKSLASH) throw this.#unclosed(opened);
      out += this.#escape();
    }
  }

  #skipString(): void {
    const opened = this.#at;
    const quote = this.text.charCodeAt(this.#at++);
    for (;;) {
      this.#plain(quote);
      const code = this.#code();
      if (code === quote) break;
      if (code !== BACKSLASH) throw this.#unclosed(opened);
      this.#escape();
    }
    this.#at++;
  }

  #unclosed(opened: number): ConfigError {
    return this.#fail("a string is not closed on its line", this.#at < this.#end ? this.#at : opened);
  }

  #escape(): string {
    const { text, allows } = this;
    const letter = text.charAt(++this.#at);
    this.#at++;
    if (letter === "u" || (letter === "x" && allows.json5)) {
      const digits = text.slice(this.#at, this.#at + (letter === "u" ? 4 : 2));
      if (!/^[\da-fA-F]+$/.test(digits) || digits.length < (letter === "u" ? 4 : 2)) {
        throw this.#fail("a \\u escape needs four hex digits");
      }
      this.#at += digits.length;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if ('"\\/'.includes(letter) && letter !== "") return letter;
    if ("bfnrt".includes(letter) && letter !== "") return ESCAPES[letter] ?? "";
    if (!allows.json5 || letter === "") {
      throw this.#fail(`\\${letter} is not a valid JSON escape`, this.#at - 1);
    }
    if (letter === "\r" && text[this.#at] === "\n") this.#at++;
    if (/[\n\r\u2028\u2029]/.test(letter)) return "";
    if (/[1-9]/.test(letter) || (letter === "0" && /\d/.test(text.charAt(this.#at)))) {
      throw this.#fail(`\\${letter} is not a valid JSON5 escape`, this.#at - 1);
    }
    return ESCAPES[letter] ?? letter;
  }

  #isQuote(code: number): boolean {
    return code === QUOTE || (code === APOSTROPHE && this.allows.json5);
  }

  #key(): string {
    const { text } = this;
    if (this.#isQuote(this.#code())) return this.#string();
    if (this.allows.json5) {
      let name = "";
      for (;;) {
        const run = this.#match(IDENTIFIER) ??
          (name ? this.#match(/[$\p{ID_Continue}\u200C\u200D]+/uy) : undefined);
        if (run) {
          name += run;
          this.#at += run.length;
        } else if (text.startsWith("\\u", this.#at)) name += this.#escape();
        else break;
      }
      if (name) return name;
    }
    throw this.#fail(
      this.#at >= this.#end ? "the file ends inside an object" : `expected a key, found ${this.#shown()}`,
    );
  }

  /** `true`, `null` or a number. */
  #word(): Json {
    const { text } = this;
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]] as const) {
      if (text.startsWith(word, this.#at) && !/[\w$]/.test(text.charAt(this.#at + word.length))) {
        this.#at += word.length;
        return meaning;
      }
    }
    const digits = this.#match(this.allows.json5 ? NUMBER5 : NUMBER);
    if (!digits || /[\w$.]/.test(text.charAt(this.#at + digits.length))) {
      throw this.#fail(`expected a value, found ${this.#shown()}`);
    }
    this.#at += digits.length;
    const sign = digits.startsWith("-") ? -1 : 1;
    return sign * Number(digits.replace(/^[+-]/, ""));
  }

  #value(depth: number): Node {
    const start = this.#at;
    const code = this.#code();
    if (code !== BRACE && code !== BRACKET) {
      if (depth > DEEPEST) throw this.#tooDeep();
      const scalar = this.#isQuote(code) ? this.#string() : this.#word();
      return { kind: "scalar", start, end: this.#at, scalar, entries: NONE, items: NONE, bracketed: true };
    }
    const kind = code === BRACE ? "map" : "list";
    const entries: Entry[] = [];
    const items: Node[] = [];
    const keys = new Keys();
    for (let more = this.#open(code, depth); more; more = this.#next(code)) {
      const start = this.#at;
      if (kind === "list") items.push(this.#value(depth + 1));
      else entries.push({ key: this.#newKey(keys), start, value: this.#value(depth + 1) });
    }
    return { kind, start, end: this.#at, entries, items, bracketed: true };
  }

  /** Checks a value without building its tree. */
  #skip(depth: number): void {
    const code = this.#code();
    if (code === BRACE) {
      const keys = new Keys();
      for (let more = this.#open(BRACE, depth); more; more = this.#next(BRACE)) {
        this.#newKey(keys);
        this.#skip(depth + 1);
      }
    } else if (code === BRACKET) {
      for (let more = this.#open(BRACKET, depth); more; more = this.#next(BRACKET)) this.#skip(depth + 1);
    } else if (depth > DEEPEST) throw this.#tooDeep();
    else if (this.#isQuote(code)) this.#skipString();
    else this.#word();
  }

  #tooDeep(): ConfigError {
    return this.#fail(`it is nested more than ${DEEPEST} levels deep`);
  }

  /** Reads a key and its colon. */
  #newKey(keys: Keys): string {
    const start = this.#at;
    const key = this.#key();
    if (!keys.add(key)) throw this.#fail(`duplicate key ${JSON.stringify(key)}`, start);
    this.#trivia();
    if (this.#code() !== COLON) throw this.#fail(`expected a colon, found ${this.#shown()}`);
    this.#at++;
    this.#trivia();
    return key;
  }

  /** Moves to the first value between two brackets; false if there is none. */
  #open(bracket: number, depth: number): boolean {
    if (depth > DEEPEST) throw this.#tooDeep();
    this.#at++;
    this.#trivia();
    if (this.#code() !== bracket + CLOSING) return true;
    this.#at++;
    return false;
  }

  /** Moves past the comma after a value, to the next one; false at the closing bracket. */
  #next(bracket: number): boolean {
    const close = bracket + CLOSING;
    this.#trivia();
    const code = this.#code();
    if (code !== close) {
      if (code !== COMMA) {
        throw this.#fail(`expected a comma or ${String.fromCharCode(close)}, found ${this.#shown()}`);
      }
      const comma = this.#at++;
      this.#trivia();
      if (this.#code() !== close) return true;
      if (!this.allows.trailingCommas) {
        throw this.#fail("strict JSON does not allow a trailing comma", comma);
      }
    }
    this.#at++;
    return false;
  }
}

/** The keys of one object. Comparing a few with each other is faster than a set. */
class Keys {
  readonly #few: string[] = [];
  #many?: Set<string>;

  /** False if the key is known already. */
  add(key: string): boolean {
    if (this.#many) {
      const { size } = this.#many;
      return this.#many.add(key).size > size;
    }
    if (this.#few.includes(key)) return false;
    if (this.#few.push(key) > FEW_KEYS) this.#many = new Set(this.#few);
    return true;
  }
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

import type { Json } from "../../edit.ts";
import { type ConfigError, configError } from "../../tree.ts";

/** What a dialect of JSON allows beyond the strict one. */
export interface Allows {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  /** Unquoted keys, single quotes, hex numbers and the rest of JSON5. */
  readonly json5: boolean;
}

const IDENTIFIER = /[$_\p{ID_Start}\u200C\u200D][$_\p{ID_Continue}\u200C\u200D]*/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER5 = /[+-]?(?:Infinity|NaN|0[xX][\da-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };
const WORDS = [["true", true], ["false", false], ["null", null]] as const;

const QUOTE = 0x22, APOSTROPHE = 0x27, STAR = 0x2A, SLASH = 0x2F, BACKSLASH = 0x5C;

/** A place in a text of JSON, JSONC or JSON5, and how to move on from it. */
export class JsonCursor {
  at: number;
  readonly end: number;

  constructor(readonly text: string, readonly allows: Allows) {
    this.at = startOf(text);
    this.end = text.length;
  }

  fail(message: string, offset = this.at): ConfigError {
    return configError(this.text, offset, message);
  }

  shown(): string {
    return this.at >= this.end
      ? "the end of the file"
      : JSON.stringify(this.text.slice(this.at, this.at + 1));
  }

  code(): number {
    return this.text.charCodeAt(this.at);
  }

  #isSpace(code: number): boolean {
    if (code === 32 || code === 10 || code === 13 || code === 9) return true;
    return this.allows.json5 &&
      (code === 11 || code === 12 || code === 0xA0 || code === 0xFEFF || code === 0x2028 || code === 0x2029 ||
        (code > 127 && /\p{Zs}/u.test(String.fromCharCode(code))));
  }

  /** Skips white space and comments. */
  trivia(): void {
    const { text } = this;
    for (;;) {
      while (this.at < this.end && this.#isSpace(text.charCodeAt(this.at))) this.at++;
      if (this.code() !== SLASH) return;
      const next = text.charCodeAt(this.at + 1);
      if (next !== SLASH && next !== STAR) return;
      if (!this.allows.comments) throw this.fail("strict JSON does not allow comments");
      if (next === SLASH) {
        while (this.at < this.end && !isLineEnd(text.charCodeAt(this.at))) this.at++;
      } else {
        const end = text.indexOf("*/", this.at + 2);
        if (end === -1) throw this.fail("a comment is not closed");
        this.at = end + 2;
      }
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0];
  }

  /** Moves past a run of characters that mean themselves, up to a quote, a backslash or the line's end. */
  #plain(quote: number): void {
    const { text } = this;
    // JSON5 allows control characters and the line separators of Unicode in strings.
    const least = this.allows.json5 ? 0 : 32;
    for (let at = this.at;; at++) {
      const code = text.charCodeAt(at);
      if (code === quote || code === BACKSLASH || code === 10 || code === 13 || !(code >= least)) {
        this.at = at;
        return;
      }
    }
  }

  string(): string {
    const { text } = this;
    const opened = this.at;
    const quote = text.charCodeAt(this.at++);
    let out = "";
    for (;;) {
      const from = this.at;
      this.#plain(quote);
      out += text.slice(from, this.at);
      const code = this.code();
      if (code === quote) {
        this.at++;
        return out;
      }
      if (code !== BACKSLASH) throw this.#unclosed(opened);
      out += this.#escape();
    }
  }

  skipString(): void {
    const opened = this.at;
    const quote = this.text.charCodeAt(this.at++);
    for (;;) {
      this.#plain(quote);
      const code = this.code();
      if (code === quote) break;
      if (code !== BACKSLASH) throw this.#unclosed(opened);
      this.#escape();
    }
    this.at++;
  }

  #unclosed(opened: number): ConfigError {
    return this.fail("a string is not closed on its line", this.at < this.end ? this.at : opened);
  }

  #escape(): string {
    const { text, allows } = this;
    const letter = text.charAt(++this.at);
    this.at++;
    if (letter === "u" || (letter === "x" && allows.json5)) {
      const digits = text.slice(this.at, this.at + (letter === "u" ? 4 : 2));
      if (!/^[\da-fA-F]+$/.test(digits) || digits.length < (letter === "u" ? 4 : 2)) {
        throw this.fail("a \\u escape needs four hex digits");
      }
      this.at += digits.length;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if ('"\\/'.includes(letter) && letter !== "") return letter;
    if ("bfnrt".includes(letter) && letter !== "") return ESCAPES[letter] ?? "";
    if (!allows.json5 || letter === "") {
      throw this.fail(`\\${letter} is not a valid JSON escape`, this.at - 1);
    }
    if (letter === "\r" && text[this.at] === "\n") this.at++;
    if (/[\n\r\u2028\u2029]/.test(letter)) return "";
    if (/[1-9]/.test(letter) || (letter === "0" && /\d/.test(text.charAt(this.at)))) {
      throw this.fail(`\\${letter} is not a valid JSON5 escape`, this.at - 1);
    }
    return ESCAPES[letter] ?? letter;
  }

  isQuote(code: number): boolean {
    return code === QUOTE || (code === APOSTROPHE && this.allows.json5);
  }

  key(): string {
    const { text } = this;
    if (this.isQuote(this.code())) return this.string();
    if (this.allows.json5) {
      let name = this.#asciiName();
      while (name === "" || mayContinue(this.code())) {
        const run = this.#match(IDENTIFIER) ??
          (name ? this.#match(/[$\p{ID_Continue}\u200C\u200D]+/uy) : undefined);
        if (run) {
          name += run;
          this.at += run.length;
        } else if (text.startsWith("\\u", this.at)) name += this.#escape();
        else break;
      }
      if (name) return name;
    }
    throw this.fail(
      this.at >= this.end ? "the file ends inside an object" : `expected a key, found ${this.shown()}`,
    );
  }

  /** The start of a name that needs no Unicode tables, which take three times as long. */
  #asciiName(): string {
    const { text } = this;
    const start = this.at;
    if (isDigit(this.code())) return "";
    while (isNameLetter(this.code())) this.at++;
    return text.slice(start, this.at);
  }

  /** `true`, `null` or a number. */
  word(): Json {
    const { text } = this;
    for (const [word, meaning] of WORDS) {
      if (text.startsWith(word, this.at) && !/[\w$]/.test(text.charAt(this.at + word.length))) {
        this.at += word.length;
        return meaning;
      }
    }
    const digits = this.#match(this.allows.json5 ? NUMBER5 : NUMBER);
    if (!digits || /[\w$.]/.test(text.charAt(this.at + digits.length))) {
      throw this.fail(`expected a value, found ${this.shown()}`);
    }
    this.at += digits.length;
    const sign = digits.startsWith("-") ? -1 : 1;
    return sign * Number(digits.replace(/^[+-]/, ""));
  }
}

/** Where a text begins after its byte order mark. */
export function startOf(text: string): number {
  return text.startsWith("\uFEFF") ? 1 : 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNameLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7A) || (code >= 0x41 && code <= 0x5A) || code === 0x5F || code === 0x24 ||
    isDigit(code);
}

/** Whether a letter after a name may be a part of it. */
function mayContinue(code: number): boolean {
  return isNameLetter(code) || code > 127 || code === BACKSLASH;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

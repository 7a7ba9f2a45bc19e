import type { Json } from "../../edit.ts";
import { type ConfigError, configError } from "../../tree.ts";

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BASIC = /["\\]/g;
const LITERAL = /'/g;
const NESTING = /["'#[\]{}]/g;
const SPECIAL = /^(?:[+-]?(?:inf|nan))$/;

/** A place in a TOML text, and how to move on from it. */
export class TomlCursor {
  at = 0;

  constructor(readonly text: string) {}

  fail(message: string): ConfigError {
    return configError(this.text, this.at, message);
  }

  space(): void {
    while (this.text[this.at] === " " || this.text[this.at] === "\t") this.at++;
  }

  /** White space, line breaks and comments. */
  blank(): void {
    const { text } = this;
    for (;;) {
      while (text.charCodeAt(this.at) <= 32) this.at++;
      if (text[this.at] !== "#") return;
      const end = text.indexOf("\n", this.at);
      this.at = end === -1 ? text.length : end;
    }
  }

  key(): string[] {
    const parts: string[] = [];
    for (;;) {
      this.space();
      const letter = this.text[this.at];
      if (letter === '"' || letter === "'") parts.push(this.string());
      else {
        BARE_KEY.lastIndex = this.at;
        const word = BARE_KEY.exec(this.text)?.[0];
        if (!word) throw this.fail("expected a key");
        parts.push(word);
        this.at += word.length;
      }
      this.space();
      if (this.text[this.at] !== ".") return parts;
      this.at++;
    }
  }

  word(): Json {
    const rest = /[^,\]}#\n\r]*/y;
    rest.lastIndex = this.at;
    const raw = (rest.exec(this.text)?.[0] ?? "").trimEnd();
    if (!raw) throw this.fail("expected a value");
    this.at += raw.length;
    if (raw === "true" || raw === "false") return raw === "true";
    const number = Number(raw.replaceAll("_", "").replace(/^\+/, ""));
    // Dates and numbers that JSON cannot express become strings here.
    return Number.isNaN(number) || SPECIAL.test(raw) ? raw : number;
  }

  string(): string {
    const { text } = this;
    const quote = text.charAt(this.at);
    const long = text.startsWith(quote.repeat(3), this.at);
    const mark = long ? quote.repeat(3) : quote;
    this.at += mark.length;
    if (long && text.startsWith("\r\n", this.at)) this.at += 2;
    else if (long && text[this.at] === "\n") this.at++;
    let out = "";
    for (;;) {
      if (this.at >= text.length) throw this.fail("a string is not closed");
      if (text.startsWith(mark, this.at)) {
        // Up to two more quotes at the end of a long string belong to it.
        while (long && text[this.at + 3] === quote) out += text.charAt(this.at++);
        this.at += mark.length;
        return out;
      }
      if (quote === '"' && text[this.at] === "\\") out += this.#escape();
      else {
        const run = quote === '"' ? BASIC : LITERAL;
        run.lastIndex = this.at + 1;
        const end = run.exec(text)?.index ?? text.length;
        out += text.slice(this.at, end);
        this.at = end;
      }
    }
  }

  #escape(): string {
    const { text } = this;
    const letter = text.charAt(this.at + 1);
    this.at += 2;
    const digits = { u: 4, U: 8, x: 2 }[letter];
    if (digits !== undefined) {
      const code = parseInt(text.slice(this.at, this.at + digits), 16);
      this.at += digits;
      return String.fromCodePoint(code);
    }
    if (/\s/.test(letter)) {
      while (/\s/.test(text.charAt(this.at))) this.at++;
      return "";
    }
    return { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b" }[letter] ?? letter;
  }

  skipKey(): readonly string[] {
    const { text } = this;
    for (; text[this.at] !== "="; this.at++) {
      if (this.at >= text.length) throw this.fail("expected an equals sign");
      if (text[this.at] === '"' || text[this.at] === "'") {
        this.#skipString();
        this.at--;
      }
    }
    return [];
  }

  /** Moves past a value of a text that was checked before. */
  skipValue(): void {
    const { text } = this;
    const letter = text[this.at];
    if (letter === '"' || letter === "'") return this.#skipString();
    if (letter !== "[" && letter !== "{") return this.#skipWord();
    for (let depth = 0;;) {
      NESTING.lastIndex = this.at;
      const found = NESTING.exec(text);
      if (!found) throw this.fail("the file ends inside a value");
      this.at = found.index;
      if (found[0] === '"' || found[0] === "'") this.#skipString();
      else if (found[0] === "#") this.blank();
      else {
        this.at++;
        depth += found[0] === "[" || found[0] === "{" ? 1 : -1;
        if (depth === 0) return;
      }
    }
  }

  #skipWord(): void {
    const { text } = this;
    const start = this.at;
    let end = start;
    for (; end < text.length && text[end] !== "#" && text[end] !== "\n"; end++);
    while (end > start && text.charCodeAt(end - 1) <= 32) end--;
    this.at = end;
  }

  #skipString(): void {
    const { text } = this;
    const quote = text.charAt(this.at);
    const mark = text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    const stop = quote === '"' ? BASIC : LITERAL;
    let at = this.at + mark.length;
    for (; !text.startsWith(mark, at); at += text[at] === "\\" && quote === '"' ? 2 : 1) {
      stop.lastIndex = at;
      const found = stop.exec(text);
      if (!found) throw this.fail("a string is not closed");
      at = found.index;
      if (text.startsWith(mark, at)) break;
    }
    // Up to two more quotes at the end of a long string belong to it.
    while (mark.length === 3 && text[at + 3] === quote) at++;
    this.at = at + mark.length;
  }
}

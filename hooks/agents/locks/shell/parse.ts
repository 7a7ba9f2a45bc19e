import { type Word, WordBuilder } from "./word.ts";

/** What separates a command from the next one; `end` at the end of the text or a group. */
export type Connector = ";" | "&" | "&&" | "||" | "|" | "end";

export interface Redirect {
  /** `>`, `>>`, `<`, `<>`, `<<` … without the descriptor. */
  readonly op: string;
  readonly word: Word;
  /** The text of a here-document. */
  readonly body?: string;
}

export interface SimpleCommand {
  readonly kind: "command";
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** What `$(…)` and backticks in it run first. */
  readonly nested: readonly Item[][];
  readonly next: Connector;
}

/** `( … )`: a directory change in it has no effect outside. */
export interface Group {
  readonly kind: "group";
  readonly items: readonly Item[];
  readonly next: Connector;
}

export type Item = SimpleCommand | Group | { readonly kind: "unknown"; readonly why: string };

const MAX_DEPTH = 20;
const MAX_LENGTH = 200_000;
const MAX_COMMANDS = 2_000;

/** Parses a POSIX shell text, with what bash and zsh add. Whatever is not understood becomes `unknown`. */
export function parseShell(text: string, depth = 0): Item[] {
  if (text.length > MAX_LENGTH) return [{ kind: "unknown", why: "it is very long" }];
  return new Parser(text, depth).list();
}

class Parser {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;
  /** Here-documents whose bodies follow the current line. */
  #pending: { redirect: { body?: string }; end: string; strip: boolean; quoted: boolean }[] = [];
  #items: Item[] = [];
  #commands = 0;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  /** Up to the end of the text, or to `)` if one is expected. */
  list(stop?: ")"): Item[] {
    const outer = this.#items;
    this.#items = [];
    while (this.#at < this.#text.length) {
      this.#blanks();
      const char = this.#text[this.#at];
      if (char === undefined) break;
      if (++this.#commands > MAX_COMMANDS) {
        this.#at = this.#text.length;
        this.#unknown("very many commands");
      } else if (char === ")") {
        this.#at++;
        if (stop === ")") return this.#leave(outer);
        this.#unknown("an unexpected parenthesis");
      } else if (char === "(") {
        this.#at++;
        this.#group();
      } else if (this.#connector() === undefined) this.#command();
    }
    if (stop !== undefined) this.#unknown("an open parenthesis");
    if (this.#pending.length > 0) this.#unknown("an open here-document");
    return this.#leave(outer);
  }

  #leave(outer: Item[]): Item[] {
    const items = this.#items;
    this.#items = outer;
    return items;
  }

  #unknown(why: string): void {
    this.#items.push({ kind: "unknown", why });
  }

  #group(): void {
    if (this.#depth > MAX_DEPTH) return this.#unknown("deep nesting");
    const items = this.#nest(() => this.list(")"));
    this.#blanks();
    this.#items.push({ kind: "group", items, next: this.#peekConnector() });
  }

  #level = 0;

  #nest<T>(run: () => T): T {
    if (++this.#level > MAX_DEPTH) this.#at = this.#text.length;
    const result = run();
    this.#level--;
    return result;
  }

  #blanks(): void {
    while (true) {
      const char = this.#text[this.#at];
      if (char === " " || char === "\t" || char === "\r") this.#at++;
      else if (char === "\\" && this.#text[this.#at + 1] === "\n") this.#at += 2;
      else if (char === "#") {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else return;
    }
  }

  /** Consumes a separator; undefined if a command begins here. */
  #connector(): Connector | undefined {
    const next = this.#peekConnector();
    if (next === "end") return undefined;
    this.#at += next === "&&" || next === "||" ? 2 : 1;
    if (this.#text[this.#at - 1] === "\n") this.#bodies();
    // `|&` and `;;`
    const char = this.#text[this.#at];
    if ((next === "|" && char === "&") || (next === ";" && char === ";")) this.#at++;
    return next;
  }

  #peekConnector(): Connector {
    const rest = this.#text.slice(this.#at, this.#at + 2);
    if (rest === "&&" || rest === "||") return rest;
    switch (rest[0]) {
      case ";":
      case "\n":
        return ";";
      case "&":
        return rest === "&>" ? "end" : "&";
      case "|":
        return "|";
      default:
        return "end";
    }
  }

  #command(): void {
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    const nested: Item[][] = [];
    while (this.#at < this.#text.length) {
      this.#blanks();
      const char = this.#text[this.#at];
      if (char === undefined || char === ")" || this.#peekConnector() !== "end") break;
      if (char === "(") {
        // `name() { … }`, an array, a glob of zsh: whatever follows may run at any time.
        this.#unknown("a parenthesis inside a command");
        this.#at++;
        continue;
      }
      if (this.#isRedirect()) {
        const redirect = this.#redirect(nested);
        if (redirect !== undefined) redirects.push(redirect);
        continue;
      }
      const word = this.#word(nested);
      if (/^\d+$/.test(word.text) && word.bare && "<>".includes(this.#text[this.#at] ?? " ")) continue;
      words.push(word);
      // After a reserved word another command begins.
      if (words.length === 1 && word.bare && OPENERS.has(word.text)) break;
    }
    this.#items.push({ kind: "command", words, redirects, nested, next: this.#peekConnector() });
  }

  #isRedirect(): boolean {
    const char = this.#text[this.#at];
    return char === "<" || char === ">" || (char === "&" && this.#text[this.#at + 1] === ">");
  }

  #redirect(nested: Item[][]): Redirect | undefined {
    const op = /^(?:&>>|&>|<<<|<<-|<<|<>|<&|<\(|<|>>|>&|>\||>!|>\(|>)/.exec(
      this.#text.slice(this.#at, this.#at + 3),
    )?.[0] ?? ">";
    this.#at += op.length;
    if (op.endsWith("(")) {
      nested.push(this.#nest(() => this.list(")")));
      this.#unknown("a process substitution");
      return undefined;
    }
    if (op === ">!") this.#unknown("a redirection of zsh");
    this.#blanks();
    const start = this.#at;
    const word = this.#word(nested);
    if (op !== "<<" && op !== "<<-") return { op, word };
    const raw = this.#text.slice(start, this.#at);
    const redirect: { op: string; word: Word; body?: string } = { op: "<<", word };
    this.#pending.push({ redirect, end: word.text, strip: op === "<<-", quoted: /["'\\]/.test(raw) });
    return redirect;
  }

  /** The bodies of the here-documents that the finished line has begun. */
  #bodies(): void {
    for (const { redirect, end, strip, quoted } of this.#pending.splice(0)) {
      const lines: string[] = [];
      let closed = false;
      while (this.#at < this.#text.length && !closed) {
        const found = this.#text.indexOf("\n", this.#at);
        const stop = found < 0 ? this.#text.length : found;
        const line = this.#text.slice(this.#at, stop);
        this.#at = Math.min(stop + 1, this.#text.length);
        closed = (strip ? line.replace(/^\t+/, "") : line) === end;
        if (!closed) lines.push(line);
      }
      if (!closed) this.#unknown("an open here-document");
      redirect.body = lines.join("\n");
      if (!quoted && /[`]|\$\(/.test(redirect.body)) this.#unknown("a command in a here-document");
    }
  }

  #word(nested: Item[][]): Word {
    const word = new WordBuilder();
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (/[\s;&|()<>]/.test(char)) break;
      this.#at++;
      if (char === "'") this.#single(word);
      else if (char === '"') this.#double(word, nested);
      else if (char === "\\") this.#escape(word);
      else if (char === "$") this.#dollar(word, nested, false);
      else if (char === "`") this.#backtick(word, nested);
      else if (char === "*" || char === "?") word.glob(char);
      else if (char === "[") this.#bracket(word);
      else if (char === "{") this.#brace(word);
      else if (char === "=" && !word.begun) {
        // zsh: `=name` is a program's path.
        word.literal(char, false);
        if (/[A-Za-z]/.test(this.#text[this.#at] ?? "")) word.dynamic();
      } else word.literal(char, false);
    }
    return word.build();
  }

  #single(word: WordBuilder): void {
    word.quote();
    const end = this.#text.indexOf("'", this.#at);
    if (end < 0) this.#unknown("an open quote");
    for (const char of this.#text.slice(this.#at, end < 0 ? undefined : end)) word.literal(char, true);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #double(word: WordBuilder, nested: Item[][]): void {
    word.quote();
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at++] ?? "";
      if (char === '"') return;
      if (char === "$") this.#dollar(word, nested, true);
      else if (char === "`") this.#backtick(word, nested);
      else if (char === "\\" && '$`"\\\n'.includes(this.#text[this.#at] ?? " ")) {
        const next = this.#text[this.#at++] ?? "";
        if (next !== "\n") word.literal(next, true);
      } else word.literal(char, true);
    }
    this.#unknown("an open quote");
  }

  #escape(word: WordBuilder): void {
    const next = this.#text[this.#at++];
    if (next === undefined) word.literal("\\", true);
    else if (next !== "\n") word.literal(next, true);
  }

  #dollar(word: WordBuilder, nested: Item[][], quoted: boolean): void {
    const next = this.#text[this.#at] ?? "";
    if (next === "(") {
      this.#at++;
      word.dynamic();
      // `$((…))` is read as commands as well; what it has are no known commands.
      nested.push(this.#nest(() => this.list(")")));
    } else if (next === "{") {
      word.dynamic();
      const end = this.#text.indexOf("}", this.#at);
      const inside = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#text.length : end + 1;
      if (end < 0 || /[$`"'\\{]/.test(inside)) this.#unknown("a nested expansion");
      // zsh and bash run code in these: ${(e)x}, ${x@P}.
      else if (/[(@]/.test(inside) && inside !== "@") this.#unknown("an expansion with flags");
    } else if (next === "'" && !quoted) {
      word.dynamic();
      this.#ansiQuote();
    } else if (next === '"' && !quoted) {
      word.dynamic();
    } else if (next === "[") {
      word.dynamic();
      this.#unknown("arithmetic");
    } else if (/[A-Za-z_]/.test(next)) {
      const [name = ""] = /^\w+/.exec(this.#text.slice(this.#at)) ?? [];
      this.#at += name.length;
      if (word.begun || !word.variable(name)) word.dynamic();
    } else if (/[0-9@*#?$!-]/.test(next) && next !== "") {
      this.#at++;
      word.dynamic();
    } else word.literal("$", quoted);
  }

  #ansiQuote(): void {
    this.#at++;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at++];
      if (char === "\\") this.#at++;
      else if (char === "'") return;
    }
    this.#unknown("an open quote");
  }

  #backtick(word: WordBuilder, nested: Item[][]): void {
    word.dynamic();
    let inside = "";
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at++] ?? "";
      if (char === "`") {
        if (this.#depth > MAX_DEPTH) return this.#unknown("deep nesting");
        nested.push(parseShell(inside, this.#depth + 1));
        return;
      }
      if (char === "\\" && "`\\$".includes(this.#text[this.#at] ?? " ")) {
        inside += this.#text[this.#at++] ?? "";
      } else inside += char;
    }
    this.#unknown("an open backtick");
  }

  /** `[ab]` matches one character; a bracket without an end is one. */
  #bracket(word: WordBuilder): void {
    const inside = /^[!^]?\]?[^\]\s;&|()<>]*\]/.exec(this.#text.slice(this.#at, this.#at + 200))?.[0];
    if (inside === undefined) return word.literal("[", false);
    if (/["'\\$`/]/.test(inside)) {
      this.#unknown("an unusual bracket expression");
      word.dynamic();
    }
    this.#at += inside.length;
    word.glob(`[${inside}`);
  }

  /** `{a,b}` and `{1..3}` expand in bash and zsh; `{}` and `{` do not. */
  #brace(word: WordBuilder): void {
    word.literal("{", false);
    const inside = /^[^\s;&|()<>]*/.exec(this.#text.slice(this.#at, this.#at + 500))?.[0] ?? "";
    if (/,|\.\./.test(inside)) word.dynamic();
  }
}

/** Reserved words that a command follows. */
const OPENERS = new Set(["if", "then", "else", "elif", "do", "while", "until", "{", "!", "time"]);

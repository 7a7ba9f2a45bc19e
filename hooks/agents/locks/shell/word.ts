/** A word of a shell command, as far as it can be known without running anything. */
export interface Word {
  /** The text after removing quotes; meaningless if the word is dynamic. */
  readonly text: string;
  /** It has an expansion whose value is not known: `$x`, `$(…)`, `{a,b}`. */
  readonly dynamic: boolean;
  /** It has an unquoted `*`, `?` or `[`. */
  readonly glob: boolean;
  /** A regular expression for what the word can expand to; wider than the glob in doubt. */
  readonly source: string;
  /** Where the first glob character is in `text`. */
  readonly globAt: number;
  /** It begins with an unquoted `~`. */
  readonly tilde: boolean;
  /** Nothing in it was quoted: it may be a reserved word. */
  readonly bare: boolean;
}

const STAR = "[^/]*";
/** `**` may cross directories. */
const STARS = ".*";

/** Collects the pieces of a word. */
export class WordBuilder {
  #text = "";
  /** One piece for each character: looking at the end of one long string would copy it each time. */
  readonly #source: string[] = [];
  #dynamic = false;
  #globAt = -1;
  #tilde = false;
  #bare = true;
  #begun = false;

  get begun(): boolean {
    return this.#begun;
  }

  /** A character that means itself. */
  literal(char: string, quoted: boolean): void {
    if (char === "~" && this.#text === "" && !quoted) this.#tilde = true;
    this.#begun = true;
    if (quoted) this.#bare = false;
    this.#text += char;
    this.#source.push(escapeRegExp(char));
  }

  /** `$HOME` and `$PWD` at the start of a word are known; false for others. */
  variable(name: string): boolean {
    if (name === "HOME") {
      this.literal("~", false);
      this.#bare = false;
      return true;
    }
    if (name !== "PWD") return false;
    this.literal(".", true);
    return true;
  }

  /** Quotes with nothing in them still make a word. */
  quote(): void {
    this.#begun = true;
    this.#bare = false;
  }

  /** `*`, `?`, or `[…]` as it is written: where it finds nothing, that is the name. */
  glob(chars: string): void {
    this.#begun = true;
    if (this.#globAt < 0) this.#globAt = this.#text.length;
    this.#text += chars === "*" ? chars : "?";
    const last = this.#source.at(-1);
    if (chars === "?") this.#source.push("[^/]");
    else if (chars !== "*") this.#source.push(`(?:[^/]|${escapeRegExp(chars)})`);
    else if (last === STAR) this.#source.splice(-1, 1, STARS);
    else if (last !== STARS) this.#source.push(STAR);
  }

  dynamic(): void {
    this.#begun = true;
    this.#dynamic = true;
  }

  build(): Word {
    return {
      text: this.#text,
      dynamic: this.#dynamic,
      glob: this.#globAt >= 0,
      source: this.#source.join(""),
      globAt: this.#globAt,
      tilde: this.#tilde,
      bare: this.#bare,
    };
  }
}

export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** A word that is known exactly. */
export function isStatic(word: Word): boolean {
  return !word.dynamic && !word.glob;
}

/** A word that means just this text. */
export function literalWord(text: string): Word {
  return { text, dynamic: false, glob: false, source: "", globAt: -1, tilde: false, bare: false };
}

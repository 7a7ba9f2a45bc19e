import type { Concern, Result, Section } from "../../sections/sections.ts";
import { sharedEnds } from "../../text/diff.ts";
import { ConfigError, type Entry, type Node } from "../../tree.ts";
import { type Allows, JsonCursor, startOf } from "./json_cursor.ts";

const NONE: readonly never[] = [];
const DEEPEST = 500;
const FEW_KEYS = 8;

const COMMA = 0x2C, COLON = 0x3A, BRACKET = 0x5B, BRACE = 0x7B;
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

/**
 * The entries of the top-level object; undefined if the text is something else. Checks all of the
 * text, or what differs from a similar one that was checked before.
 */
export function jsonSections(
  text: string,
  allows: Allows,
  last?: Result<readonly Section[] | undefined>,
): readonly Section[] | undefined {
  const reader = new Reader(text, allows);
  return (last?.value && changedSections(reader, last.text, last.value)) ?? reader.sections();
}

function changedSections(reader: Reader, other: string, sections: readonly Section[]): Section[] | undefined {
  try {
    return reader.changedSections(other, sections);
  } catch (error) {
    if (error instanceof ConfigError) return undefined; // the whole text has the first error
    throw error;
  }
}

/** Entries without their values. */
export function unreadEntries(sections: readonly Section[]): Entry[] {
  return sections.map(({ key, start, valueStart, end }) => ({
    key,
    start,
    value: {
      kind: "scalar",
      start: valueStart,
      end,
      scalar: true,
      entries: NONE,
      items: NONE,
      bracketed: true,
    },
  }));
}

/** Reads the values of some of the text's sections; the others are in the tree, but `unread`. */
export function readJsonSections(
  text: string,
  allows: Allows,
  sections: readonly Section[],
  unread: readonly Entry[],
  concern: Concern,
): Node {
  const reader = new Reader(text, allows);
  const entries = [...unread];
  for (const [i, { key, start, valueStart, end }] of sections.entries()) {
    if (concern(key, text.slice(start, end))) entries[i] = { key, start, value: reader.valueAt(valueStart) };
  }
  return { ...reader.frame(sections), kind: "map", entries, items: NONE, bracketed: true };
}

class Reader extends JsonCursor {
  readonly #keys: Keys[] = [];

  document(): Node {
    this.trivia();
    if (this.at >= this.end) {
      // Nothing at all, or comments alone: a place to begin.
      const at = this.at;
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
    this.at = startOf(this.text);
    this.trivia();
    if (this.code() !== BRACE) return undefined;
    const sections: Section[] = [];
    const keys = this.#keysAt(0);
    for (let more = this.#open(BRACE, 0); more; more = this.#next(BRACE)) sections.push(this.#section(keys));
    this.#expectEnd();
    return sections;
  }

  #section(keys: Keys): Section {
    const start = this.at;
    const key = this.#newKey(keys);
    const valueStart = this.at;
    this.#skip(1);
    return { key, start, valueStart, end: this.at };
  }

  /**
   * The sections of a text that has the start and the end of another: reads from the section that
   * the change begins in to the first one that is the same in both. Undefined if that is not possible.
   */
  changedSections(other: string, sections: readonly Section[]): Section[] | undefined {
    const { text } = this;
    const { head, tail } = sharedEnds(other, text);
    const first = sections.findLastIndex(({ start }) => start < head);
    const firstSection = sections[first];
    if (!firstSection) return undefined;
    const moved = text.length - other.length;
    const result = sections.slice(0, first);
    const keys = new Set<string>();
    this.at = firstSection.start;
    for (let i = first, more = true; more; more = this.#next(BRACE)) {
      while ((sections[i]?.start ?? Infinity) + moved < this.at) i++;
      if (this.at >= text.length - tail && sections[i]?.start === this.at - moved) {
        for (const { key, start, valueStart, end } of sections.slice(i)) {
          result.push({ key, start: start + moved, valueStart: valueStart + moved, end: end + moved });
        }
        this.at = text.length;
        break;
      }
      const section = this.#section(this.#keysAt(0));
      keys.add(section.key);
      result.push(section);
    }
    this.#expectEnd();
    // Otherwise a key is in it twice.
    return result.filter(({ key }) => keys.has(key)).length === keys.size ? result : undefined;
  }

  /** The value at an offset of a text that was checked before. */
  valueAt(offset: number): Node {
    this.at = offset;
    return this.#value(1);
  }

  /** Where the top-level object of a text that was checked before begins and ends. */
  frame(sections: readonly Section[]): { start: number; end: number } {
    this.at = startOf(this.text);
    this.trivia();
    const start = this.at;
    this.at = sections.at(-1)?.end ?? start + 1;
    this.trivia();
    if (this.code() === COMMA) {
      this.at++;
      this.trivia();
    }
    return { start, end: this.at + 1 };
  }

  #expectEnd(): void {
    this.trivia();
    if (this.at < this.end) throw this.fail(`expected the end of the file, found ${this.shown()}`);
  }

  #value(depth: number): Node {
    const start = this.at;
    const code = this.code();
    if (code !== BRACE && code !== BRACKET) {
      if (depth > DEEPEST) throw this.#tooDeep();
      const scalar = this.isQuote(code) ? this.string() : this.word();
      return { kind: "scalar", start, end: this.at, scalar, entries: NONE, items: NONE, bracketed: true };
    }
    const kind = code === BRACE ? "map" : "list";
    const entries: Entry[] = [];
    const items: Node[] = [];
    const keys = this.#keysAt(depth);
    for (let more = this.#open(code, depth); more; more = this.#next(code)) {
      const start = this.at;
      if (kind === "list") items.push(this.#value(depth + 1));
      else entries.push({ key: this.#newKey(keys), start, value: this.#value(depth + 1) });
    }
    return { kind, start, end: this.at, entries, items, bracketed: true };
  }

  /** Checks a value without building its tree. */
  #skip(depth: number): void {
    const code = this.code();
    if (code === BRACE) {
      const keys = this.#keysAt(depth);
      for (let more = this.#open(BRACE, depth); more; more = this.#next(BRACE)) {
        this.#newKey(keys);
        this.#skip(depth + 1);
      }
    } else if (code === BRACKET) {
      for (let more = this.#open(BRACKET, depth); more; more = this.#next(BRACKET)) this.#skip(depth + 1);
    } else if (depth > DEEPEST) throw this.#tooDeep();
    else if (this.isQuote(code)) this.skipString();
    else this.word();
  }

  #tooDeep(): ConfigError {
    return this.fail(`it is nested more than ${DEEPEST} levels deep`);
  }

  /** The keys of a new object. At most one is open at each depth. */
  #keysAt(depth: number): Keys {
    const keys = this.#keys[depth] ??= new Keys();
    keys.clear();
    return keys;
  }

  /** Reads a key and its colon. */
  #newKey(keys: Keys): string {
    const start = this.at;
    const key = this.key();
    if (!keys.add(key)) throw this.fail(`duplicate key ${JSON.stringify(key)}`, start);
    this.trivia();
    if (this.code() !== COLON) throw this.fail(`expected a colon, found ${this.shown()}`);
    this.at++;
    this.trivia();
    return key;
  }

  /** Moves to the first value between two brackets; false if there is none. */
  #open(bracket: number, depth: number): boolean {
    if (depth > DEEPEST) throw this.#tooDeep();
    this.at++;
    this.trivia();
    if (this.code() !== bracket + CLOSING) return true;
    this.at++;
    return false;
  }

  /** Moves past the comma after a value, to the next one; false at the closing bracket. */
  #next(bracket: number): boolean {
    const close = bracket + CLOSING;
    this.trivia();
    const code = this.code();
    if (code !== close) {
      if (code !== COMMA) {
        throw this.fail(`expected a comma or ${String.fromCharCode(close)}, found ${this.shown()}`);
      }
      const comma = this.at++;
      this.trivia();
      if (this.code() !== close) return true;
      if (!this.allows.trailingCommas) {
        throw this.fail("strict JSON does not allow a trailing comma", comma);
      }
    }
    this.at++;
    return false;
  }
}

/** The keys of one object. Comparing a few with each other is faster than a set. */
class Keys {
  readonly #few: string[] = [];
  #many?: Set<string>;

  clear(): void {
    this.#few.length = 0;
    this.#many = undefined;
  }

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

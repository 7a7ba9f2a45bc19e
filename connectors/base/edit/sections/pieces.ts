import type { Format } from "../edit.ts";
import { isMap, type JsonMap } from "../json_value.ts";
import type { Section } from "./sections.ts";
import { STAND_IN, standIn } from "./stand_in.ts";

type Parse = (text: string) => unknown;

/** A part of a config that is a config itself. */
interface Piece {
  readonly keys: ReadonlySet<string>;
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * The least number of characters in a piece. smol-toml reads 20 MB in pieces of this size in a
 * quarter of the time that it takes for one text, and every parser needs far less memory for them.
 */
const PIECE = 32_000;

/** The key at the end of a piece, in the place of the section that follows. */
const NEXT = `${STAND_IN}0`;

/** Cuts a text at the start of some of its sections. */
function* pieces(format: Format, text: string, sections: readonly Section[]): Generator<Piece> {
  const [open, close] = format.startsWith("json") ? "{}" : ["", ""];
  for (let first = 0, next = 0; first < sections.length; first = next) {
    const start = first === 0 ? 0 : sections[first]?.start ?? 0;
    const keys = new Set<string>();
    let last: Section | undefined;
    for (let section = sections[next]; section; section = sections[++next]) {
      // Tables of one key stay together: a parser checks them against each other.
      if (last && section.start - start >= PIECE && section.key !== last.key) break;
      keys.add(section.key);
      last = section;
    }
    const end = sections[next]?.start;
    const rest = end === undefined ? "" : standIn(format, 0, true) + close;
    yield {
      keys,
      text: (first > 0 ? open : "") + text.slice(start, end) + rest,
      isLast: end === undefined,
    };
  }
}

/**
 * Whether a parser accepts a text and finds the sections in it that we found, with less time and
 * memory than the whole text takes. Each piece begins where the one before ends, and a stand-in at
 * its end is found at the top level: the parser agrees that a section begins there.
 */
export function confirms(
  format: Format,
  text: string,
  sections: readonly Section[],
  parse: Parse,
): boolean {
  if (sections.length === 0 || text.includes(STAND_IN)) return false;
  const known = new Set<string>();
  const repeated = new Set<string>();
  for (const piece of pieces(format, text, sections)) {
    if (!readPiece(piece, parse)) return false;
    for (const key of piece.keys) {
      if (known.has(key)) repeated.add(key);
      known.add(key);
    }
  }
  if (repeated.size === 0) return true;
  // Only TOML may come back to a key, and no parser has seen all tables of it.
  const again = sections.filter(({ key }) => repeated.has(key));
  const rest = again.map(({ start, end }) => text.slice(start, end)).join("\n");
  return format === "toml" && readPiece({ keys: repeated, text: rest, isLast: true }, parse) !== undefined;
}

/** The values of some keys of a text that a parser confirmed. */
export function valuesAt(
  format: Format,
  text: string,
  sections: readonly Section[],
  wanted: ReadonlySet<string>,
  parse: Parse,
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const piece of pieces(format, text, sections)) {
    const keys = wanted.intersection(piece.keys);
    const value = keys.size > 0 ? readPiece(piece, parse) : undefined;
    for (const key of keys) values.set(key, value?.[key]);
  }
  return values;
}

/** The value of a piece, if it has the keys that it should have. */
function readPiece({ keys, text, isLast }: Piece, parse: Parse): JsonMap | undefined {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return undefined; // the whole text has the right line for the message
  }
  if (!isMap(value)) return undefined;
  const has = new Set(Object.keys(value));
  if (!isLast && !has.delete(NEXT)) return undefined;
  return has.size === keys.size && has.isSubsetOf(keys) ? value : undefined;
}

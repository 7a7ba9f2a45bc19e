import type { Word } from "./word.ts";

/** Which options a command may have; any other makes the command unknown. */
export interface OptionTable {
  /** Options without a value: letters, and long names. */
  readonly flags: string;
  readonly long?: readonly string[];
  /** Options whose value is the rest of the word or the next word. */
  readonly values?: string;
  /** Long options with a value, as `--x=v` or `--x v`. */
  readonly longValues?: readonly string[];
}

export interface Options {
  /** The options that were given, by letter or long name, with their values. */
  readonly given: ReadonlyMap<string, Word | undefined>;
  readonly operands: readonly Word[];
  /** An option that the table does not have, or a word that could be one. */
  readonly unknown: boolean;
}

/** Sorts a command's arguments as GNU getopt does: options may follow operands. */
export function readOptions(words: readonly Word[], table: OptionTable): Options {
  const given = new Map<string, Word | undefined>();
  const operands: Word[] = [];
  let unknown = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) break;
    const { text } = word;
    if (word.dynamic) {
      // Its value may be an option.
      unknown = true;
      operands.push(word);
    } else if (text === "--") {
      operands.push(...words.slice(i + 1));
      break;
    } else if (!text.startsWith("-") || text === "-") operands.push(word);
    else if (word.glob) unknown = true;
    else if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = text.slice(2, equals < 0 ? undefined : equals);
      if (table.longValues?.includes(name)) {
        given.set(name, equals < 0 ? words[++i] : { ...word, text: text.slice(equals + 1) });
      } else if (table.long?.includes(name)) given.set(name, undefined);
      else unknown = true;
    } else {
      for (let j = 1; j < text.length; j++) {
        const letter = text.charAt(j);
        if (table.values?.includes(letter)) {
          given.set(letter, j + 1 < text.length ? { ...word, text: text.slice(j + 1) } : words[++i]);
          break;
        }
        if (!table.flags.includes(letter)) unknown = true;
        given.set(letter, undefined);
      }
    }
  }
  return { given, operands, unknown };
}

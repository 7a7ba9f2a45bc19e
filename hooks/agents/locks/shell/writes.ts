import { isStatic, type Word } from "./word.ts";

/** What a command does to files. */
export interface Effect {
  readonly writes: readonly Write[];
  /** Why it may do more than that. */
  readonly unknown?: string;
  /** It creates links or moves directories: a later path in the same text may mean another file. */
  readonly movesPaths?: boolean;
}

/** A path that a command writes. */
export interface Write {
  readonly word: Word;
  /** Appended to the path, such as the name that a copied file gets in a directory. */
  readonly child?: Word;
  /** Everything below it, too. */
  readonly tree?: boolean;
  /** The command writes through a link that a glob finds; `rm` and `mv` change the link itself. */
  readonly follows?: boolean;
  /** Removes the name: if that is a link, a later path through it means another file. */
  readonly removes?: boolean;
}

export const NOTHING: Effect = { writes: [] };

export function unknown(why: string, writes: readonly Write[] = []): Effect {
  return { writes, unknown: why };
}

/** Each word as a path that is written. */
export function each(words: readonly Word[], options: Omit<Write, "word"> = {}): Write[] {
  return words.map((word) => ({ word, ...options }));
}

/** The last part of a path, as a word of its own: `b*` of `a/b*`. */
export function baseName(word: Word): Word {
  const text = trimSlashes(word.text);
  const cut = text.lastIndexOf("/") + 1;
  if (isStatic(word)) return { ...word, text: text.slice(cut), tilde: false };
  const slash = word.source.lastIndexOf("\\/");
  return {
    ...word,
    text: text.slice(cut),
    source: slash < 0 ? word.source : word.source.slice(slash + 2),
    globAt: Math.max(0, word.globAt - cut),
    tilde: false,
    // A star before the last slash leaves the last part as it is.
    glob: /[*?]/.test(text.slice(cut)),
  };
}

function trimSlashes(text: string): string {
  let end = text.length;
  while (end > 1 && text[end - 1] === "/") end--;
  return text.slice(0, end);
}

import type { Path } from "../edit.ts";

/** An entry at the top of a config, from its key or header to the end of its value. */
export interface Section {
  readonly key: string;
  readonly start: number;
  /** Where its value begins. In TOML and YAML it is the start of the section. */
  readonly valueStart: number;
  readonly end: number;
}

/** Whether a section of a file matters to the reader: its key, its text. */
export type Concern = (key: string, section: string) => boolean;

/** The sections of the entries at some paths. */
export function atPaths(paths: readonly Path[]): Concern {
  return atKeys(paths.map(([key = ""]) => key));
}

/** The sections with some keys. */
export function atKeys(keys: readonly string[]): Concern {
  const known = new Set(keys);
  return (key) => known.has(key);
}

/**
 * Texts of this length are read section by section. Smaller ones are fast enough: the whole tree of
 * 1 MB of YAML took 2.6 s, and an edit that skips the other sections 0.07 s (Deno 2.7, yaml 2.9).
 */
export const LARGE = 100_000;

/** An install reads the same few texts again and again: before and after, with and without our entries. */
const KEPT = 4;
/** The last results, for all functions together: they are large. */
let recent: Known[] = [];

class Known {
  constructor(readonly text: string) {}
}

/** A text, and the result of a function for it. */
export interface Result<R> {
  readonly text: string;
  readonly value: R;
}

/** Remembers the last results of a function of a long text. The function gets the last one, which may be of a similar text. */
export function remembered<R>(make: (text: string, last?: Result<R>) => R): (text: string) => R {
  const results = new WeakMap<Known, Result<R>>();
  return (text) => {
    if (text.length < LARGE) return make(text);
    const mine = recent.filter((entry) => results.has(entry));
    const known = mine.find((entry) => entry.text === text) ?? new Known(text);
    const last = mine[0] && results.get(mine[0]);
    const result = results.get(known) ?? { text, value: make(text, last) };
    results.set(known, result);
    recent = [known, ...recent.filter((entry) => entry !== known)].slice(0, KEPT);
    return result.value;
  };
}

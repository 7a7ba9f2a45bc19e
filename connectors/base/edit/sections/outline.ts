import type { Format } from "../edit.ts";
import { SYNTAX } from "../formats/formats.ts";
import { type Concern, LARGE, type Section } from "./sections.ts";
import { STAND_IN, standIn } from "./stand_in.ts";
import { ConfigError } from "../tree.ts";
import { withShared } from "../formats/yaml/yaml_sections.ts";

/** Two versions of a config without what they have in common: sections that are equal to the byte. */
export interface Outlines {
  readonly before: string;
  readonly after: string;
  /** The keys that are in an outline. */
  readonly shown: ReadonlySet<string>;
}

/**
 * Leaves out of two texts the sections that do not concern the caller, if they are the same in both,
 * with everything between them. Undefined if they differ, or if a text has no such sections: then
 * only the whole texts can be compared.
 */
export function outlines(
  format: Format,
  before: string,
  after: string,
  concern: Concern,
): Outlines | undefined {
  const [a, b] = [sectionsOf(format, before), sectionsOf(format, after)];
  if (!a || !b || before.includes(STAND_IN) || after.includes(STAND_IN)) return undefined;
  const shown = new Set<string>();
  for (const [text, sections] of [[before, a], [after, b]] as const) {
    for (const { key, start, end } of sections) if (concern(key, text.slice(start, end))) shown.add(key);
  }
  // The line break at the end of a YAML file may be part of the last value.
  if (format === "yaml") { for (const { key } of [...a.slice(-1), ...b.slice(-1)]) shown.add(key); }
  if (format === "yaml") {
    withShared(before, a, shown);
    withShared(after, b, shown);
  }
  const runs = commonRuns(format, [before, a], [after, b], shown);
  if (!runs) return undefined;
  return {
    before: leaveOut(format, before, runs.map(([run]) => run)),
    after: leaveOut(format, after, runs.map(([, run]) => run)),
    shown,
  };
}

/** Two versions of a config to compare: of large ones, only the outlines where that is possible. */
export function comparable(
  format: Format,
  before: string,
  after: string,
  concern: Concern,
): [string, string] {
  const isLarge = Math.max(before.length, after.length) >= LARGE;
  const small = isLarge ? outlines(format, before, after, concern) : undefined;
  return small ? [small.before, small.after] : [before, after];
}

/** The sections of a text; undefined if it has none that can be told apart. */
export function sectionsOf(format: Format, text: string): readonly Section[] | undefined {
  try {
    return SYNTAX[format].sections(text);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

interface Run {
  readonly start: number;
  readonly end: number;
}

type Version = readonly [text: string, sections: readonly Section[]];

/** The runs of other sections, as they are in both texts; undefined if one differs. */
function commonRuns(
  format: Format,
  [before, a]: Version,
  [after, b]: Version,
  shown: ReadonlySet<string>,
): [Run, Run][] | undefined {
  const runs: [Run, Run][] = [];
  const next = (sections: readonly Section[], from: number) => {
    let at = from;
    for (let section = sections[at]; section && shown.has(section.key); section = sections[at]) at++;
    return at;
  };
  let [i, j] = [next(a, 0), next(b, 0)];
  for (let first = a[i], other = b[j]; first && other; first = a[i], other = b[j]) {
    let [last, otherLast] = [first, other];
    // A run ends where one of the texts has a section that is not left out.
    for (i++, j++;; i++, j++) {
      const [more, otherMore] = [a[i], b[j]];
      if (!more || !otherMore || shown.has(more.key) || shown.has(otherMore.key)) break;
      if (format === "toml" && isHeader(before, more) !== isHeader(before, first)) break;
      [last, otherLast] = [more, otherMore];
    }
    const [was, is] = [{ start: first.start, end: last.end }, { start: other.start, end: otherLast.end }];
    if (before.slice(was.start, was.end) !== after.slice(is.start, is.end)) return undefined;
    // Blank lines after such a text are part of it.
    if (format === "yaml" && /[|>][1-9]?\+/.test(before.slice(last.start, last.end))) return undefined;
    runs.push([was, is]);
    [i, j] = [next(a, i), next(b, j)];
  }
  return i === a.length && j === b.length ? runs : undefined;
}

function isHeader(text: string, section: Section): boolean {
  return text[section.start] === "[";
}

function leaveOut(format: Format, text: string, runs: readonly Run[]): string {
  let out = "";
  let from = 0;
  for (const [i, { start, end }] of runs.entries()) {
    out += text.slice(from, start) + standIn(format, i, text[start] === "[");
    from = end;
  }
  return out + text.slice(from);
}

import { type Concern, remembered, type Section } from "../../sections/sections.ts";
import { ConfigError, type Node } from "../../tree.ts";
import { readYaml } from "./yaml_read.ts";

const SPACE = 0x20, TAB = 0x09, LINE_FEED = 0x0A, RETURN = 0x0D, HASH = 0x23, DASH = 0x2D;
/** A key on one line, and its colon. A plain one has no letter that could begin something else. */
const KEY =
  /^(?:"([^"\\\n]*)"|'([^'\n]*)'|([^\s#%&*!|>@`"'?:,.{}[\]-](?:[^\s:#]|[ \t]+(?=[^\s:#])|:(?=\S)|(?<=\S)#)*))[ \t]*:(?=\s)/;
/** A longer one has to be marked as a key in YAML. */
const LONGEST_KEY = 1024;

/**
 * The sections of a block map at column 0: every line that starts there begins one. Undefined for
 * any other layout.
 */
export const yamlSections: (text: string) => readonly Section[] | undefined = remembered((text) => {
  const sections: { key: string; start: number; valueStart: number; end: number }[] = [];
  let isOpen = false;
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length;) {
    const lineEnd = text.indexOf("\n", at);
    const next = lineEnd === -1 ? text.length : lineEnd + 1;
    const code = text.charCodeAt(at);
    const last = sections.at(-1);
    if (code === SPACE || code === TAB) {
      const letter = firstLetter(text, at, next);
      if (letter < next) {
        if (last) last.end = next;
        // A map that is indented as a whole.
        else if (text[letter] !== "#") return undefined;
      }
    } else if (code === DASH && isMarker(text, at, "---")) {
      // Only the start of the one document, alone on its line.
      if (isOpen || last || !/^---[ \t]*(?:#.*)?\r?$/.test(text.slice(at, next).trimEnd())) return undefined;
      isOpen = true;
    } else if (code === DASH && last && /\s/.test(text.charAt(at + 1))) last.end = next;
    else if (code !== LINE_FEED && code !== RETURN && code !== HASH) {
      const found = KEY.exec(text.slice(at, Math.min(next, at + LONGEST_KEY)));
      const key = found?.[1] ?? found?.[2] ?? found?.[3];
      if (key === undefined || key === "<<") return undefined;
      sections.push({ key, start: at, valueStart: at, end: next });
    }
    at = next;
  }
  return sections;
});

function firstLetter(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) <= SPACE) at++;
  return at;
}

function isMarker(text: string, at: number, marker: string): boolean {
  return text.startsWith(marker, at) && /^\s?$/.test(text.charAt(at + marker.length));
}

/** The writer indents like the start of the file does. */
const STYLE_SAMPLE = 4_000;

const SHARED = /(?:^|[\s,[{])[&*]([^\s,[\]{}]+)/g;

/** The anchors that a section defines or uses. A `*` in a string counts too: that costs time, and nothing else. */
function namesIn(section: string): string[] {
  return Array.from(section.matchAll(SHARED), ([, name = ""]) => name);
}

/** Adds to some keys those of the sections that share a value with theirs, by an anchor and its aliases. */
export function withShared(text: string, sections: readonly Section[], shown: Set<string>): void {
  const names = new Set<string>();
  const used = ({ start, end }: Section) => namesIn(text.slice(start, end));
  for (const section of sections) {
    if (shown.has(section.key)) { for (const name of used(section)) names.add(name); }
  }
  if (names.size === 0) return;
  let others = sections.filter(({ key }) => !shown.has(key))
    .map((section) => ({ key: section.key, used: new Set(used(section)) }))
    .filter(({ used }) => used.size > 0);
  for (let size = 0; size !== names.size;) {
    size = names.size;
    const sharing = others.filter(({ used }) => !used.isDisjointFrom(names));
    others = others.filter(({ used }) => used.isDisjointFrom(names));
    for (const { key, used } of sharing) {
      shown.add(key);
      for (const name of used) names.add(name);
    }
  }
}

/**
 * Reads a file with the sections that do not concern the reader replaced by comments of the same
 * length, so that offsets stay correct. Before a write, an independent parser reads the whole file
 * in any case.
 */
export function readYamlSections(text: string, concern: Concern): Node | undefined {
  const sections = yamlSections(text);
  const last = sections?.at(-1);
  if (!sections || !last) return undefined;
  const shown = new Set<string>();
  for (const { key, start, end } of sections) if (concern(key, text.slice(start, end))) shown.add(key);
  withShared(text, sections, shown);
  for (const { key, start, end } of sections) {
    if (end > STYLE_SAMPLE) break;
    if (namesIn(text.slice(start, end)).length === 0) shown.add(key);
  }
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < sections.length - 1; i++) {
    const start = sections[i]?.start ?? 0;
    let end = start;
    // One comment for sections that follow each other.
    for (let next = sections[i]; next && next !== last && !shown.has(next.key); next = sections[++i]) {
      if (end !== start && next.start !== end) break;
      end = next.end;
    }
    if (end === start) continue;
    i--;
    parts.push(text.slice(from, start), hidden(text, start, end));
    from = end;
  }
  // Whether the last one ends in a line break or in a `|` text matters to the writer.
  const end = text.slice(last.start);
  const rest = shown.has(last.key) ? end : withoutNames(end);
  try {
    return readYaml(parts.join("") + text.slice(from, last.start) + rest);
  } catch (error) {
    // What looked like a name may have been something else.
    if (error instanceof ConfigError && rest !== end) return undefined;
    throw error;
  }
}

/** A section whose values do not matter, without anchors and aliases; strings stay closed. */
function withoutNames(section: string): string {
  return section.replace(/(?:^|[\s,[{])[&*]([^\s,[\]{}"'\\]+)/g, (found, name: string) => {
    const at = found.length - name.length - 1;
    return found.slice(0, at) + (found[at] === "*" ? `x${name}` : " ".repeat(name.length + 1));
  });
}

function hidden(text: string, start: number, end: number): string {
  const breakAt = text[end - 2] === "\r" ? end - 2 : end - 1;
  return "#" + "x".repeat(breakAt - start - 1) + text.slice(breakAt, end);
}

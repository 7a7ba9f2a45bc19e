import { type Concern, remembered, type Section } from "./sections.ts";
import type { Node } from "./tree.ts";
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

/** Whether a section has an anchor, which may be used elsewhere, or an alias, which may be defined elsewhere. */
export function sharesValues(section: string): boolean {
  return /(?:^|[\s,[{])[&*][^\s,[\]{}]/.test(section);
}

/**
 * Reads a file with the sections that do not concern the reader replaced by comments of the same
 * length, so that offsets stay correct. Before a write, an independent parser reads the whole file
 * in any case.
 */
export function readYamlSections(text: string, concern: Concern): Node | undefined {
  const sections = yamlSections(text);
  if (!sections) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < sections.length; i++) {
    const section = sections[i];
    if (!section) break;
    const isLast = i === sections.length - 1;
    const shown = text.slice(section.start, section.end);
    // Whether the text of the last one ends in a line break matters to the writer.
    if (isLast || concern(section.key, shown)) {
      if (sharesValues(shown)) return undefined;
      continue;
    }
    let end = section.end;
    // One comment for sections that follow each other.
    for (
      let next = sections[i + 1];
      next && next.start === end && i + 2 < sections.length;
      next = sections[i + 1]
    ) {
      if (concern(next.key, text.slice(next.start, next.end))) break;
      end = next.end;
      i++;
    }
    parts.push(text.slice(from, section.start), hidden(text, section.start, end));
    from = end;
  }
  return readYaml(parts.join("") + text.slice(from));
}

function hidden(text: string, start: number, end: number): string {
  const breakAt = text[end - 2] === "\r" ? end - 2 : end - 1;
  return "#" + "x".repeat(breakAt - start - 1) + text.slice(breakAt, end);
}

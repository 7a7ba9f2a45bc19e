import type { Concern } from "./syntax.ts";
import type { Node } from "./tree.ts";
import { readYaml } from "./yaml_read.ts";

// Smaller files are fast enough. Reading 1 MB with offsets took 2.6 s, and an edit with hidden sections 0.07 s
// (Deno 2.7, yaml 2.9), so this path stays.
export const LARGE = 100_000;

/**
 * Reads a large file with the top-level sections that no edit concerns replaced
 * by comments of the same length, so that offsets stay correct. In a block map
 * at column 0, every line that starts there begins a section. Returns undefined
 * for any other layout, and the whole file is read. Before a write, an
 * independent parser reads the whole file in any case.
 */
export function readConcernedSections(text: string, concern: Concern): Node | undefined {
  if (text.length < LARGE) return undefined;
  const starts: number[] = [];
  const line = /^[^\s#-].*$/gm;
  for (let found = line.exec(text); found; found = line.exec(text)) {
    if (/^(?:\?|%|---|\.\.\.|[{["'&*!|>}\]])/.test(found[0])) return undefined;
    starts.push(found.index);
  }
  if (starts.length < 3 || text.startsWith("\uFEFF") || /^(?:---|\.\.\.)/m.test(text)) return undefined;
  const shown: string[] = [text.slice(0, starts[0])];
  for (const [i, start] of starts.entries()) {
    const section = text.slice(start, starts[i + 1] ?? text.length);
    const head = /^([^\s:#]+)[ \t]*:(?=\s)/.exec(section)?.[1];
    if (head === undefined) return undefined;
    const last = i === starts.length - 1;
    if (last || concern(head, section)) {
      // An anchor may be used elsewhere, and an alias defined elsewhere.
      if (/(?:^|[\s,[{])[&*][^\s,[\]{}]/.test(section)) return undefined;
      shown.push(section);
    } else {
      if (section.startsWith("<<")) return undefined;
      shown.push(hidden(section));
    }
  }
  return readYaml(shown.join(""));
}

function hidden(section: string): string {
  const breakAt = section.endsWith("\r\n") ? 2 : section.endsWith("\n") ? 1 : 0;
  const body = section.length - breakAt;
  return "#" + "x".repeat(Math.max(0, body - 1)) + section.slice(body);
}

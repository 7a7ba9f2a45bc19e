import type { Concern } from "./syntax.ts";
import type { Node } from "./tree.ts";
import { readYaml } from "./yaml_read.ts";

// Below this the library is quick enough; a megabyte takes it two seconds and a half.
export const LARGE = 100_000;

/**
 * Reads a large file with the top-level sections that do not matter hidden
 * behind comments of the same length, so that offsets stay true. In a block map
 * that starts at column 0, every line that starts there begins a section; where
 * anything is unlike that, the answer is undefined and the whole file is read.
 * The independent parser reads all of it in any case (verify.ts).
 */
export function unconcernedHidden(text: string, concern: Concern): Node | undefined {
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

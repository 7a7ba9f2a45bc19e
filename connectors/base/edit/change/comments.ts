import type { Format } from "../edit.ts";

/** A comment in a config, and where its text is. */
export interface Comment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const QUOTED = {
  yaml: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'/y,
  toml: /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y,
  json5: /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y,
};

/** The comments of a config, in order. A `#` in a YAML block scalar counts too: no reader tells them apart by the line. */
export function commentsIn(format: Format, text: string): Comment[] {
  if (format === "json") return [];
  const isHash = format === "yaml" || format === "toml";
  const quoted = QUOTED[isHash ? format : "json5"];
  const out: Comment[] = [];
  const mark = isHash ? /[#"']/g : /["']|\/[/*]/g;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const at = found.index;
    const before = at === 0 ? "\n" : text.charAt(at - 1);
    if (found[0] === '"' || found[0] === "'") {
      // In YAML, a quote inside a word is a letter like any other.
      if (format === "yaml" && !/[\s,[{:-]/.test(before)) continue;
      quoted.lastIndex = at;
      if (quoted.test(text)) mark.lastIndex = quoted.lastIndex;
      continue;
    }
    if (format === "yaml" && !/\s/.test(before)) continue;
    const end = found[0] === "/*" ? text.indexOf("*/", at + 2) + 2 : lineEndAt(text, at);
    if (end < at + 2 && found[0] === "/*") break;
    out.push({ start: at, end, text: text.slice(at, end) });
    mark.lastIndex = end;
  }
  return out;
}

function lineEndAt(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  const end = at === -1 ? text.length : at;
  return text.charAt(end - 1) === "\r" ? end - 1 : end;
}

/** Whether every comment of one config is in another, as often. */
export function keepsComments(format: Format, from: string, to: string): boolean {
  const left = new Map<string, number>();
  for (const { text } of commentsIn(format, to)) left.set(text, (left.get(text) ?? 0) + 1);
  return commentsIn(format, from).every(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  });
}

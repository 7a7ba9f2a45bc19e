/** Replaces the text from `start` to `end`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies splices that do not overlap; those at the same offset keep their order. */
export function splice(source: string, splices: readonly Splice[]): string {
  const sorted = splices.map((s, i) => ({ s, i })).sort((a, b) =>
    a.s.start - b.s.start || a.s.end - b.s.end || a.i - b.i
  );
  let out = "";
  let at = 0;
  for (const { s } of sorted) {
    if (s.start < at) throw new Error("two edits of this file overlap; please report this as a bug");
    out += source.slice(at, s.start) + s.text;
    at = s.end;
  }
  return out + source.slice(at);
}

/** The line ending of a text, from its first line. */
export function lineEnd(text: string): string {
  const at = text.indexOf("\n");
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** The start of the line at `offset`. */
export function lineStart(text: string, offset: number): number {
  const at = text.lastIndexOf("\n", offset - 1) + 1;
  return at === 0 && text.startsWith("\uFEFF") ? 1 : at;
}

/** The offset after the line break that follows `offset`, or the text's length. */
export function nextLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}

/** The start of the line after the `#` comments from `start` on that are indented by `depth` or more. */
export function afterComments(text: string, start: number, depth: number): number {
  let at = start;
  for (let probe = at; probe < text.length;) {
    const next = nextLine(text, probe);
    const line = text.slice(probe, next);
    const comment = /^([ \t]*)#/.exec(line);
    if (comment ? (comment[1] ?? "").length < depth : line.trim() !== "") break;
    if (comment) at = next;
    probe = next;
  }
  return at;
}

/** The indentation of the line at `offset`. */
export function indentAt(text: string, offset: number): string {
  const from = lineStart(text, offset);
  let to = from;
  while (text[to] === " " || text[to] === "\t") to++;
  return text.slice(from, to);
}

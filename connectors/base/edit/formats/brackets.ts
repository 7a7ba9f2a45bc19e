import type { Json } from "../edit.ts";
import { indentAt, lineEnd, type Splice } from "../text/splice.ts";
import type { Node } from "../tree.ts";

/** How a language writes `{}` and `[]`: JSON and its variants, YAML's flow style, TOML's inline style. */
export interface Dialect {
  /** The start of a line comment. */
  readonly lineComment: "//" | "#" | "";
  readonly blockComments: boolean;
  /** TOML 1.0 forbids line breaks in inline tables. */
  readonly oneLine?: (container: Node) => boolean;
  /** The same, for new values. */
  readonly flatMaps?: boolean;
  /** YAML needs nested lines indented further than the key around them; one line avoids the question. */
  readonly flatUnlessBroken?: boolean;
  /** A key with its separator. */
  key(key: string, minified: boolean, beside: Node): string;
  scalar(value: Json): string;
}

/** How a value is printed: line break, current indent, indent step; or on one line. */
export interface Layout {
  readonly eol: string;
  readonly indent: string;
  readonly step: string;
  readonly minified: boolean;
  readonly multiline: boolean;
}

export function print(value: Json, dialect: Dialect, layout: Layout, beside: Node): string {
  if (typeof value !== "object" || value === null) return dialect.scalar(value);
  const list = Array.isArray(value);
  // `["hook", "session-start"]` reads best on one line in any layout.
  const words = list && value.every((item) => typeof item !== "object");
  const multiline = layout.multiline && !words && (list || !dialect.flatMaps);
  const inner = { ...layout, multiline, indent: layout.indent + layout.step };
  const parts = list
    ? value.map((item) => print(item, dialect, inner, beside))
    : Object.entries(value).map(([key, item]) =>
      dialect.key(key, layout.minified, beside) + print(item, dialect, inner, beside)
    );
  const [open, close] = list ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  if (!multiline) return open + parts.join(layout.minified ? "," : ", ") + close;
  return open + parts.map((part) => layout.eol + inner.indent + part).join(",") + layout.eol + layout.indent +
    close;
}

/** The next offset that is not in white space or a comment. */
export function skipTrivia(text: string, from: number, dialect: Dialect): number {
  let at = from;
  for (;;) {
    while (at < text.length && /\s|\uFEFF/.test(text.charAt(at))) at++;
    if (dialect.lineComment && text.startsWith(dialect.lineComment, at)) {
      while (at < text.length && !/[\n\r\u2028\u2029]/.test(text.charAt(at))) at++;
    } else if (dialect.blockComments && text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      at = end === -1 ? text.length : end + 2;
    } else return at;
  }
}

/** On one line and without spaces, as machines write it. */
export function isMinified(text: string): boolean {
  return /[:=]/.test(text) && !/\n/.test(text.trim()) && !/[:,=] /.test(text);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function children(container: Node): Range[] {
  return container.kind === "map"
    ? container.entries.map((entry) => ({ start: entry.start, end: entry.value.end }))
    : container.items.map((item) => ({ start: startOf(item), end: item.end }));
}

/** An item may begin before its value: with YAML's anchor or tag. */
function startOf(item: Node): number {
  const place = item.place;
  return typeof place === "object" && place !== null && "propsStart" in place &&
      typeof place.propsStart === "number"
    ? place.propsStart
    : item.start;
}

/** The end of the text before `from`, without trailing white space. */
function backOverSpace(text: string, from: number, least: number): number {
  let at = from;
  while (at > least && /\s/.test(text.charAt(at - 1))) at--;
  return at;
}

export function addToBrackets(
  text: string,
  container: Node,
  added: readonly [string | undefined, Json][],
  dialect: Dialect,
  step: string,
): Splice[] {
  const inside = children(container);
  const first = inside[0];
  const last = inside.at(-1);
  const open = container.start + 1;
  const close = container.end - 1;
  const whole = text.slice(container.start, container.end);
  const eol = lineEnd(text);
  const minified = isMinified(text);
  const oneLine = dialect.oneLine?.(container) ?? false;
  const multiline = !oneLine &&
    (first && last
      ? /\n/.test(text.slice(open, last.start))
      : (!minified && !dialect.flatUnlessBroken) || /\n/.test(whole));
  const base = indentAt(text, container.start);
  const ownLine = (at: number) => /^\s*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));
  const beside = [last, first].find((child) => child && ownLine(child.start));
  const indent = beside ? indentAt(text, beside.start) : base + step;
  const layout: Layout = { eol, indent, step, minified, multiline: multiline && !oneLine };
  const parts = added.map(([key, value]) =>
    (key === undefined ? "" : dialect.key(key, minified, container)) +
    print(value, dialect, layout, container)
  );

  if (!last) {
    const tail = backOverSpace(text, close, open);
    const comment = tail > open;
    if (!multiline && !comment) return [{ start: open, end: close, text: parts.join(minified ? "," : ", ") }];
    const body = parts.map((part) => eol + indent + part).join(",");
    if (!comment) return [{ start: open, end: close, text: body + eol + base }];
    const closing = /\n/.test(text.slice(tail, close)) ? "" : eol + base;
    return [{ start: tail, end: tail, text: body + closing }];
  }

  const after = skipTrivia(text, last.end, dialect);
  const comma = text[after] === "," && after < close;
  const tail = Math.max(backOverSpace(text, close, last.end), comma ? after + 1 : last.end);
  if (multiline) {
    const body = parts.map((part) => eol + indent + part);
    if (comma) return [{ start: tail, end: tail, text: body.map((part) => part + ",").join("") }];
    return [
      { start: last.end, end: last.end, text: "," },
      { start: tail, end: tail, text: body.join(",") },
    ];
  }
  const previous = inside.at(-2);
  const between = previous ? text.slice(previous.end, last.start) : "";
  const separator = /^\s*,\s*$/.test(between) ? between : minified ? "," : ", ";
  if (comma) {
    const gap = separator.slice(separator.indexOf(",") + 1);
    return [{ start: after + 1, end: after + 1, text: parts.map((part) => gap + part + ",").join("") }];
  }
  return [{ start: last.end, end: last.end, text: parts.map((part) => separator + part).join("") }];
}

/** Where a cut begins: after the text before it, unless a line comment there would take in the rest of the line. */
function cutStart(text: string, start: number, end: number, least: number, dialect: Dialect): number {
  const at = backOverSpace(text, start, least);
  const line = text.slice(least, at).split("\n").at(-1) ?? "";
  const isCommented = dialect.lineComment !== "" && line.includes(dialect.lineComment);
  return isCommented && /^[ \t]*\S/.test(text.slice(end)) ? start : at;
}

export function dropFromBrackets(
  text: string,
  container: Node,
  indexes: ReadonlySet<number>,
  dialect: Dialect,
): Splice[] {
  const inside = children(container);
  const open = container.start + 1;
  const close = container.end - 1;
  const commaAfter = (child: Range) => {
    const at = skipTrivia(text, child.end, dialect);
    return text[at] === "," && at < close ? at : undefined;
  };
  const splices: Splice[] = [];
  for (let i = 0; i < inside.length; i++) {
    if (!indexes.has(i)) continue;
    const from = inside[i];
    let j = i;
    while (indexes.has(j + 1)) j++;
    const to = inside[j];
    if (!from || !to) break;
    const previous = inside[i - 1];
    const comma = commaAfter(to);
    const end = comma === undefined ? to.end : comma + 1;
    if (previous) {
      const start = cutStart(text, from.start, end, previous.end, dialect);
      const before = commaAfter(previous);
      if (comma === undefined && before !== undefined) {
        if (before + 1 >= start) splices.push({ start: before, end, text: "" });
        else splices.push({ start: before, end: before + 1, text: "" }, { start, end, text: "" });
      } else splices.push({ start, end, text: "" });
    } else if (j === inside.length - 1) {
      const start = cutStart(text, from.start, end, open, dialect);
      const rest = backOverSpace(text, close, end);
      const empty = start === open && rest === end;
      splices.push({ start, end: empty ? close : end, text: "" });
    } else {
      let past = end;
      while (/\s/.test(text.charAt(past))) past++;
      splices.push({ start: from.start, end: past, text: "" });
    }
    i = j;
  }
  return splices;
}

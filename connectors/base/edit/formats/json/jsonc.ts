import type { Json } from "../../edit.ts";
import {
  addToBrackets,
  type Dialect,
  dropFromBrackets,
  isMinified,
  type Layout,
  print,
  skipTrivia,
} from "../brackets.ts";
import type { Allows } from "./json_cursor.ts";
import { jsonSections, readJson, readJsonSections, unreadEntries } from "./json_read.ts";
import { remembered, type Section } from "../../sections/sections.ts";
import { indentAt, lineEnd, type Splice } from "../../text/splice.ts";
import type { Op, Syntax } from "../syntax.ts";
import type { Node } from "../../tree.ts";

const DIALECT: Dialect = {
  lineComment: "//",
  blockComments: true,
  key: (key, minified) => JSON.stringify(key) + (minified ? ":" : ": "),
  scalar: (value) => JSON.stringify(value),
};

/** The indent step, from the first level of the document. */
function stepOf(text: string, root: Node): string {
  const levels: (number | undefined)[] = [root.entries[0]?.start, root.items[0]?.start];
  for (const at of levels) {
    if (at === undefined) continue;
    const indent = indentAt(text, at);
    if (indent && text.slice(root.start, at).includes("\n")) return indent;
  }
  return "  ";
}

export function writeBrackets(text: string, root: Node, op: Op, dialect: Dialect): Splice[] {
  const step = stepOf(text, root);
  const node = op.node;
  const eol = lineEnd(text);
  const multiline = text.includes("\n") || text.trim() === "";
  const layout: Layout = {
    eol,
    indent: indentAt(text, node.start),
    step,
    minified: isMinified(text),
    multiline,
  };
  const whole = (value: Json): Splice[] => {
    if (node === root && node.start === node.end) {
      return freshRoot(
        text,
        print(value, dialect, { ...layout, multiline: true, minified: false }, node),
        eol,
      );
    }
    if (
      node.kind !== "scalar" && node.entries.length + node.items.length === 0 && sameKind(node, value) &&
      hasInside(text, node)
    ) {
      return addToBrackets(text, node, pairs(value), dialect, step);
    }
    return [{ start: node.start, end: node.end, text: print(value, dialect, layout, root) }];
  };
  switch (op.kind) {
    case "add":
      return addToBrackets(text, node, op.entries, dialect, step);
    case "append":
      return addToBrackets(text, node, op.items.map((item) => [undefined, item]), dialect, step);
    case "fill":
    case "replace":
      return whole(op.value);
    case "promote": {
      const own = text.slice(node.start, node.end);
      const wide = multiline && (own.includes("\n") || op.items.some((item) => typeof item === "object"));
      const inner = layout.indent + step;
      const items = op.items.map((item) =>
        print(item, dialect, { ...layout, indent: inner, multiline: wide }, root)
      );
      if (!wide) {
        const gap = layout.minified ? "," : ", ";
        return [{ start: node.start, end: node.end, text: `[${[own, ...items].join(gap)}]` }];
      }
      return [
        { start: node.start, end: node.start, text: `[${eol}${inner}` },
        {
          start: node.end,
          end: node.end,
          text: items.map((item) => `,${eol}${inner}${item}`).join("") + `${eol}${layout.indent}]`,
        },
      ];
    }
    case "drop":
      return dropFromBrackets(text, node, op.indexes, dialect);
    case "unlist": {
      const item = node.items[op.keep];
      if (!item) return [];
      const others = new Set(node.items.keys());
      others.delete(op.keep);
      const bare = skipTrivia(text, node.start + 1, { ...dialect, lineComment: "", blockComments: false }) ===
        node.items[0]?.start;
      if (!bare || hasComment(text, node, dialect)) return dropFromBrackets(text, node, others, dialect);
      return [
        { start: node.start, end: item.start, text: "" },
        { start: item.end, end: node.end, text: "" },
      ];
    }
  }
}

function sameKind(node: Node, value: Json): boolean {
  return (node.kind === "list") === Array.isArray(value);
}

function hasInside(text: string, node: Node): boolean {
  return text.slice(node.start + 1, node.end - 1).trim() !== "";
}

function pairs(value: Json): [string | undefined, Json][] {
  if (Array.isArray(value)) return value.map((item) => [undefined, item]);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** True if there is a comment between a list's items. */
function hasComment(text: string, list: Node, dialect: Dialect): boolean {
  const gaps: string[] = [];
  let from = list.start + 1;
  for (const item of list.items) {
    gaps.push(text.slice(from, item.start));
    from = item.end;
  }
  gaps.push(text.slice(from, list.end - 1));
  return gaps.some((gap) =>
    (dialect.lineComment && gap.includes(dialect.lineComment)) ||
    (dialect.blockComments && gap.includes("/*"))
  );
}

/** The first value of a file that is empty or has only comments. */
function freshRoot(text: string, value: string, eol: string): Splice[] {
  const bare = text.replace("\uFEFF", "");
  const gap = bare.trim() === "" || bare.endsWith("\n") ? "" : eol;
  // A new file ends in a line break; a comment-only file keeps the end it has.
  const end = bare.trim() === "" || bare.endsWith("\n") ? eol : "";
  const start = bare.trim() === "" ? text.length - bare.length : text.length;
  return [{ start, end: text.length, text: gap + value + end }];
}

/** How a dialect of JSON is read. */
export function jsonReader(allows: Allows): Pick<Syntax, "read" | "sections" | "readSections"> {
  const sections = remembered<readonly Section[] | undefined>((text, last) =>
    jsonSections(text, allows, last)
  );
  const unread = remembered((text) => unreadEntries(sections(text) ?? []));
  return {
    read: (text) => readJson(text, allows),
    sections,
    readSections: (text, concern) => {
      const all = sections(text);
      return all && readJsonSections(text, allows, all, unread(text), concern);
    },
  };
}

function json(allows: Allows): Syntax {
  return {
    ...jsonReader(allows),
    write: (text, root, ops) => ops.flatMap((op) => writeBrackets(text, root, op, DIALECT)),
  };
}

/** Claude Code ignores a whole settings file for one comment in it, so what it reads is strict. */
export const JSON_SYNTAX = json({ comments: false, trailingCommas: false, json5: false });
export const JSONC_SYNTAX = json({ comments: true, trailingCommas: true, json5: false });

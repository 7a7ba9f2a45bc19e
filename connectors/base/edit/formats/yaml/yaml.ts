import type { Json } from "../../edit.ts";
import { addToBrackets, dropFromBrackets } from "../brackets.ts";
import { writeBrackets } from "../json/jsonc.ts";
import { isMap } from "../../json_value.ts";
import { afterComments, lineEnd, lineStart, nextLine, type Splice } from "../../text/splice.ts";
import type { Op, Syntax } from "../syntax.ts";
import { configError, type Node } from "../../tree.ts";
import { blockLines, type BlockStyle, entryLines, FLOW, inFlow, oneLine } from "./yaml_print.ts";
import { readYamlSections, yamlSections } from "./yaml_sections.ts";
import { placeOf, readYaml } from "./yaml_read.ts";

export const YAML_SYNTAX: Syntax = {
  read: readYaml,
  sections: yamlSections,
  readSections: readYamlSections,
  write(text, root, ops) {
    const style = styleOf(text, root);
    const writer = new Writer(text, root, style);
    return trimmed(text, root, withBlankLines(text, root, ops.flatMap((op) => writer.write(op))));
  },
};

/** The indentation of this document, from its first nested map and list. */
function styleOf(text: string, root: Node): BlockStyle {
  let step: number | undefined;
  let dash: number | undefined;
  const queue = [root];
  for (let i = 0; i < queue.length && i < 5000 && (step === undefined || dash === undefined); i++) {
    const node = queue[i];
    if (!node || node.bracketed) continue;
    for (const { start, value } of node.entries) {
      queue.push(value);
      const by = column(text, value.start) - column(text, start);
      if (value.bracketed || value.start === value.end) continue;
      if (value.kind === "map" && by > 0) step ??= by;
      if (value.kind === "list" && by >= 0) dash ??= by;
    }
    queue.push(...node.items);
  }
  return { eol: lineEnd(text), step: step ?? 2, dash: dash ?? step ?? 2 };
}

function column(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

class Writer {
  constructor(readonly text: string, readonly root: Node, readonly style: BlockStyle) {}

  write(op: Op): Splice[] {
    const { node } = op;
    if (placeOf(node).inFlow) return this.#flow(op);
    switch (op.kind) {
      case "add":
        if (node.entries.length === 0) return this.#set(node, Object.fromEntries(op.entries));
        if (node.bracketed) return this.#flow(op);
        return this.#insert(
          node,
          column(this.text, node.start),
          op.entries.flatMap(([key, value]) => {
            const at = column(this.text, node.start);
            return entryLines(key, value, at, this.style).map((line, i) =>
              i === 0 ? " ".repeat(at) + line : line
            );
          }),
        );
      case "append":
        if (node.items.length === 0) return this.#set(node, [...op.items]);
        return node.bracketed ? this.#flow(op) : this.#append(node, op.items);
      case "fill":
      case "replace":
        return this.#set(node, op.value);
      case "promote":
        return this.#promote(node, op.items);
      case "drop":
        return node.bracketed
          ? dropFromBrackets(this.text, node, op.indexes, FLOW)
          : this.#drop(node, op.indexes);
      case "unlist":
        return node.bracketed ? this.#flow(op) : this.#unlist(node, op.keep);
    }
  }

  #flow(op: Op): Splice[] {
    const { node } = op;
    if (op.kind === "add") {
      return addToBrackets(this.text, node, op.entries, FLOW, " ".repeat(this.style.step));
    }
    if (op.kind === "append") {
      return addToBrackets(
        this.text,
        node,
        op.items.map((item) => [undefined, item]),
        FLOW,
        " ".repeat(this.style.step),
      );
    }
    if (op.kind === "fill" || op.kind === "replace") {
      const gap = node.start === node.end && placeOf(node).colonEnd === node.start ? " " : "";
      if (node.start === node.end && placeOf(node).colonEnd === undefined) throw this.#refuse(node);
      return [{ start: node.start, end: node.end, text: gap + oneLine(op.value) }];
    }
    if (op.kind === "promote") {
      return [
        { start: placeOf(node).propsStart, end: placeOf(node).propsStart, text: "[" },
        { start: node.end, end: node.end, text: op.items.map((item) => `, ${oneLine(item)}`).join("") + "]" },
      ];
    }
    return writeBrackets(this.text, this.root, op, FLOW);
  }

  #refuse(node: Node) {
    return configError(
      this.text,
      node.start,
      "this value cannot be edited safely in this style; write it as a block",
    );
  }

  /** Inserts lines after a block and the comments at its depth. */
  #insert(block: Node, depth: number, lines: readonly string[]): Splice[] {
    const { text, style: { eol } } = this;
    if (this.#endsOpen(block)) {
      const first = block.entries.at(-1)?.start ?? placeOf(block.items.at(-1) ?? block).dash;
      const at = lineStart(text, first ?? block.start);
      if (first === undefined || text.slice(at, first).trim() !== "") throw this.#refuse(block);
      return [{ start: at, end: at, text: lines.map((line) => line + eol).join("") }];
    }
    return [this.#linesAt(this.#after(block.end, depth), lines)];
  }

  /** True if the file ends in this block's `|` text without a line break: the break that a line after it needs would become part of it. */
  #endsOpen(block: Node): boolean {
    return !this.text.endsWith("\n") && block.end === this.text.length && lastLeaf(block).blockScalar;
  }

  #linesAt(at: number, lines: readonly string[]): Splice {
    const { text, style: { eol } } = this;
    const body = at === text.length && text.length > 0 && !text.endsWith("\n") && text !== "\uFEFF"
      ? lines.map((line) => eol + line).join("")
      : lines.map((line) => line + eol).join("");
    return { start: at, end: at, text: body };
  }

  /** The start of the line after `end`, and after comments that are indented by `depth` or more. */
  #after(end: number, depth: number): number {
    const { text } = this;
    return afterComments(text, end > 0 && text[end - 1] === "\n" ? end : nextLine(text, end), depth);
  }

  #append(list: Node, items: readonly Json[]): Splice[] {
    const dash = column(this.text, list.start);
    const last = list.items.at(-1);
    const like = last?.kind === "map" && last.bracketed;
    const pad = " ".repeat(dash);
    const lines = items.flatMap((item) =>
      like && isMap(item)
        ? [`${pad}- ${oneLine(item)}`]
        : blockLines([item], dash, this.style).map((line, i) => i === 0 ? pad + line : line)
    );
    // Comments at the depth of a list that is not indented belong to what follows it.
    const keyStart = placeOf(list).keyStart;
    const indentless = keyStart !== undefined && column(this.text, keyStart) === dash;
    return this.#insert(list, indentless ? dash + 1 : dash, lines);
  }

  /** Fills an empty value or replaces a value. */
  #set(node: Node, value: Json): Splice[] {
    const { text, style } = this;
    const place = placeOf(node);
    if (node === this.root) return this.#setRoot(node, value);
    const list = Array.isArray(value) && value.some((item) => typeof item === "object");
    const flow = list ? undefined : inFlow(value);
    const from = place.colonEnd ?? node.start;
    if (place.keyStart === undefined || place.colonEnd === undefined) {
      if (flow === undefined && node.kind !== "map") throw this.#refuse(node);
      const lines = blockLines(value, column(text, node.start), style);
      return [{ start: node.start, end: node.end, text: lines.join(style.eol) }];
    }
    const block = !node.bracketed && (node.kind === "map" || node.kind === "list") || place.blockScalar;
    if (flow !== undefined && !block) {
      const gap = node.start === node.end && !/\s/.test(text.charAt(node.start - 1)) ? " " : "";
      return [{ start: node.start, end: node.end, text: gap + flow }];
    }
    const tail = block && text[node.end - 1] === "\n" ? style.eol : "";
    if (flow !== undefined) return [{ start: from, end: node.end, text: ` ${flow}${tail}` }];
    const base = column(text, place.keyStart);
    const inner = base + (Array.isArray(value) ? style.dash : style.step);
    const lines = blockLines(value, inner, style).map((line, i) => i === 0 ? " ".repeat(inner) + line : line);
    if (block) {
      return [{
        start: from,
        end: node.end,
        text: lines.map((line) => style.eol + line).join("") + tail,
      }];
    }
    let start = node.start;
    while (node.start < node.end && start > from && /[ \t]/.test(text.charAt(start - 1))) start--;
    // The anchor of the removed value would otherwise name the new list.
    const cleared: Splice[] = start < node.end ? [{ start, end: node.end, text: "" }] : [];
    return [...cleared, this.#linesAt(this.#after(Math.max(node.end, from), base + 1), lines)];
  }

  #setRoot(node: Node, value: Json): Splice[] {
    const { text, style } = this;
    if (node.start !== node.end && node.bracketed && isMap(value)) {
      const alone = text.replace("\uFEFF", "").trim() === text.slice(node.start, node.end);
      if (alone) {
        return [{ start: node.start, end: node.end, text: blockLines(value, 0, style).join(style.eol) }];
      }
      return addToBrackets(text, node, Object.entries(value), FLOW, " ".repeat(style.step));
    }
    const lines = blockLines(value, 0, style);
    if (node.start !== node.end) return [{ start: node.start, end: node.end, text: lines.join(style.eol) }];
    return [this.#linesAt(text.length, lines)];
  }

  #promote(node: Node, items: readonly Json[]): Splice[] {
    const { text, style } = this;
    const place = placeOf(node);
    if (place.colonEnd === undefined || place.keyStart === undefined) throw this.#refuse(node);
    const base = column(text, place.keyStart);
    const begin = place.propsStart;
    const ownLines = text.slice(place.colonEnd, begin).includes("\n");
    const several = text.slice(begin, node.end).trimEnd().includes("\n");
    const at = column(text, begin);
    const dash = ownLines ? Math.max(base, at - 2) : several ? base : base + style.dash;
    const pad = " ".repeat(dash);
    const lines = items.flatMap((item) => {
      const flat = node.bracketed && isMap(item);
      return flat
        ? [`${pad}- ${oneLine(item)}`]
        : blockLines([item], dash, style).map((line, i) => i === 0 ? pad + line : line);
    });
    if (!ownLines && this.#endsOpen(node)) {
      const before = lines.map((line) => style.eol + line).join("");
      return [{ start: place.colonEnd, end: begin, text: `${before}${style.eol}${pad}- ` }];
    }
    const opened: Splice[] = ownLines
      ? [{ start: begin - at + dash, end: begin, text: "- " + " ".repeat(Math.max(0, at - dash - 2)) }]
      : [{ start: place.colonEnd, end: begin, text: `${style.eol}${pad}- ` }];
    // A map that is indented by one column has no room for a dash before it.
    if (ownLines && at - dash < 2) opened.push(...this.#indented(begin, node.end, dash + 2 - at));
    return [...opened, ...this.#insert(node, dash + 1, lines)];
  }

  /** Moves the lines after the first to the right. */
  #indented(start: number, end: number, by: number): Splice[] {
    const out: Splice[] = [];
    for (let at = nextLine(this.text, start); at < end; at = nextLine(this.text, at)) {
      if (this.text.slice(at, nextLine(this.text, at)).trim() !== "") {
        out.push({ start: at, end: at, text: " ".repeat(by) });
      }
    }
    return out;
  }

  /** The whole lines of a child, with the rest of its last line. */
  #lines(node: Node, index: number): Splice {
    const { text } = this;
    const entry = node.entries[index];
    const item = node.items[index];
    const first = entry?.start ?? (item && placeOf(item).dash);
    const last = entry?.value.end ?? item?.end;
    if (first === undefined || last === undefined) throw this.#refuse(node);
    const start = lineStart(text, first);
    if (text.slice(start, first).trim() !== "") throw this.#refuse(entry?.value ?? item ?? node);
    const end = last > first && text[last - 1] === "\n" ? last : nextLine(text, last);
    return { start, end, text: "" };
  }

  #drop(node: Node, indexes: ReadonlySet<number>): Splice[] {
    const { text } = this;
    const splices = [...indexes].map((index) => this.#lines(node, index));
    const all = indexes.size === node.entries.length + node.items.length;
    const colonEnd = placeOf(node).colonEnd;
    if (all && colonEnd !== undefined) {
      const anchored = placeOf(node).propsStart < node.start
        ? text.slice(placeOf(node).propsStart).split(/\s/, 1)[0] ?? ""
        : "";
      const at = anchored ? placeOf(node).propsStart + anchored.length : colonEnd;
      splices.push({ start: at, end: at, text: node.kind === "map" ? " {}" : " []" });
    }
    return splices;
  }

  #unlist(list: Node, keep: number): Splice[] {
    const { text } = this;
    const others = new Set([...list.items.keys()].filter((index) => index !== keep));
    const drops = this.#drop(list, others);
    const item = list.items[keep];
    const { colonEnd } = placeOf(list);
    const dash = item && placeOf(item).dash;
    if (!item || dash === undefined || colonEnd === undefined) return drops;
    if (item.kind === "map" && !item.bracketed) return [...drops, { start: dash, end: dash + 1, text: " " }];
    const begin = placeOf(item).propsStart;
    const between = text.slice(colonEnd, dash);
    const first = keep === 0 || list.items.slice(0, keep).every((_, i) => others.has(i));
    if (
      !first || keep !== 0 || between.trim() !== "" || text.slice(begin, item.end).trimEnd().includes("\n")
    ) return drops;
    return [...drops, { start: colonEnd, end: begin, text: " " }];
  }
}

/** If the end of a text without a final line break is removed, the break before it was added by us and is removed too. */
function trimmed(text: string, root: Node, splices: readonly Splice[]): Splice[] {
  if (text.endsWith("\n") || !splices.some(({ start, end }) => end === text.length && start < end)) {
    return [...splices];
  }
  const sorted = [...splices].sort((a, b) => a.start - b.start);
  let edge = text.length;
  for (let i = sorted.length - 1; i >= 0; i--) {
    const cut = sorted[i];
    if (!cut || cut.end !== edge || cut.text !== "") break;
    edge = cut.start;
  }
  // What is written there begins on a line of its own.
  if (sorted.some(({ end, text }) => end === edge && text !== "")) return sorted;
  const line = text.slice(0, edge).endsWith("\r\n") ? 2 : text.slice(0, edge).endsWith("\n") ? 1 : 0;
  // The line break is part of a `|` value: PyYAML reads another value without it.
  if (blockScalarTo(root, edge)) return sorted;
  const before = sorted.find((cut) => cut.end > edge - line && cut.start < edge);
  return before || line === 0 ? sorted : [...sorted, { start: edge - line, end: edge, text: "" }];
}

/** Cuts with the blank lines after them, where these would become part of a `|+` value before the cut. */
function withBlankLines(text: string, root: Node, splices: readonly Splice[]): Splice[] {
  let edge: number | undefined;
  return [...splices].sort((a, b) => a.start - b.start).map((cut) => {
    const scalar = blockScalarTo(root, cut.start);
    const isAfter = cut.start === edge || (scalar && /^[|>]\d?\+/.test(text.slice(scalar.start, scalar.end)));
    if (cut.text !== "" || cut.start === cut.end || !isAfter) return cut;
    edge = cut.end + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(cut.end))?.[0].length ?? 0);
    return { ...cut, end: edge };
  });
}

/** The `|` or `>` value that ends at an offset. */
function blockScalarTo(node: Node, edge: number): Node | undefined {
  if (node.start >= edge || node.end < edge) return undefined;
  if (placeOf(node).blockScalar) return node.end === edge ? node : undefined;
  for (const child of [...node.entries.map(({ value }) => value), ...node.items]) {
    const found = blockScalarTo(child, edge);
    if (found) return found;
  }
  return undefined;
}

function lastLeaf(node: Node): { blockScalar: boolean } {
  let at = node;
  for (
    let next: Node | undefined = at;
    next;
    next = at.bracketed ? undefined : at.entries.at(-1)?.value ?? at.items.at(-1)
  ) at = next;
  return { blockScalar: placeOf(at).blockScalar ?? false };
}

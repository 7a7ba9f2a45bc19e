import { BLOCK_END, BLOCK_START } from "../../../hooks/context_text/signet_block.ts";
import { lineEnd } from "../edit/text/splice.ts";
import { configError } from "../edit/tree.ts";

/** Puts text between the Signet marks into a user's file. Throws a ConfigError if a mark is unpaired. */
export function putBlock(text: string | undefined, block: string): string {
  const before = text ?? "";
  const eol = lineEnd(before);
  const body = block.trim().replaceAll("\r\n", "\n").replaceAll("\n", eol);
  const marked = `${BLOCK_START}${eol}${body}${eol}${BLOCK_END}`;
  const [first, ...more] = blocks(before);
  if (!first) {
    if (before.replace("\uFEFF", "").trim() === "") {
      return `${before.startsWith("\uFEFF") ? "\uFEFF" : ""}${marked}${eol}`;
    }
    const gap = before.endsWith("\n") ? eol : eol + eol;
    return before + gap + marked + (before.endsWith("\n") ? eol : "");
  }
  let out = before;
  for (const { start, end } of more.reverse()) out = out.slice(0, start) + out.slice(pastLine(out, end));
  return out.slice(0, first.start) + marked + out.slice(first.end);
}

/**
 * Removes every Signet block with the blank line before it, so that a file is
 * as it was before `putBlock`. Throws a ConfigError if a mark is unpaired.
 */
export function removeBlock(text: string): string {
  let out = text;
  for (const { start, end } of blocks(text).reverse()) {
    const after = out.slice(pastLine(out, end));
    let before = out.slice(0, start);
    if (after.trim() === "" || /(?:\r?\n){2}$/.test(before)) before = before.replace(/(\r?\n)\r?\n$/, "$1");
    if (!out.endsWith("\n") && after === "") before = before.replace(/\r?\n$/, "");
    out = before + after;
  }
  return out;
}

/** The text of the first block; undefined if there is none. */
export function blockText(text: string): string | undefined {
  const [first] = hasBlock(text) ? blocks(text) : [];
  return first && text.slice(first.start, first.end).replaceAll("\r\n", "\n");
}

export function hasBlock(text: string): boolean {
  return text.includes(BLOCK_START) && text.includes(BLOCK_END);
}

function pastLine(text: string, end: number): number {
  return text.startsWith("\r\n", end) ? end + 2 : text[end] === "\n" ? end + 1 : end;
}

function blocks(text: string): { start: number; end: number }[] {
  const out: { start: number; end: number }[] = [];
  for (let from = 0;;) {
    const start = text.indexOf(BLOCK_START, from);
    const end = text.indexOf(BLOCK_END, from);
    if (start === -1 && end === -1) return out;
    const second = start === -1 ? -1 : text.indexOf(BLOCK_START, start + 1);
    if (start === -1 || end < start || (second !== -1 && second < end)) {
      const at = start === -1 || (end !== -1 && end < start) ? end : start;
      throw configError(
        text,
        at,
        "this Signet mark has no counterpart; remove it by hand",
      );
    }
    out.push({ start, end: end + BLOCK_END.length });
    from = end + BLOCK_END.length;
  }
}

import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import type { Ui } from "./ui.ts";

/** Rows under headings; a narrow terminal gets one block per row instead. */
export function table(
  headings: readonly string[],
  given: readonly (readonly string[])[],
  ui: Pick<Ui, "width" | "bold" | "dim">,
): string {
  // Names from a daemon must not control the terminal or break the table.
  const rows = given.map((row) => row.map((cell) => stripControls(cell).replace(/[\n\t]/g, " ")));
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0))
  );
  const total = widths.reduce((sum, width) => sum + width + 2, 0);
  if (total > ui.width + 2) {
    const left = Math.max(...headings.map(({ length }) => length)) + 1;
    return rows.map((row) =>
      headings.flatMap((heading, i) =>
        row[i] ? [`${ui.dim(heading.toLowerCase().padEnd(left))} ${row[i]}\n`] : []
      ).join("")
    ).join("\n");
  }
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ").trimEnd() + "\n";
  return ui.bold(line(headings).trimEnd()) + "\n" + rows.map(line).join("");
}

/** In less room, the second column would have one word per line. */
const MIN_ROOM = 24;

/** Two columns, the second wrapped to the terminal's width. On a narrow terminal they are stacked. */
export function columns(rows: readonly (readonly [string, string])[], width: number): string {
  const left = Math.min(30, Math.max(...rows.map(([first]) => first.length))) + 2;
  const stacked = width - left - 2 < MIN_ROOM;
  const margin = " ".repeat(stacked ? 6 : left + 2);
  return rows.map(([first, second]) => {
    const lines = wrap(second, width - margin.length);
    const below = stacked || first.length + 2 > left;
    const head = below ? `  ${first.trimStart()}\n${margin}` : `  ${first.padEnd(left)}`;
    return head + lines.join(`\n${margin}`) + "\n";
  }).join("");
}

/** Breaks text between words; a word longer than a line stays whole. */
export function wrap(text: string, room: number): string[] {
  return fill(text.split(" "), room);
}

/**
 * Wraps a sentence for a terminal, with the lines after the first indented. A
 * command that ends the sentence (`run: …`) stays whole, so that it can be pasted.
 */
export function wrapSentence(text: string, room: number, indent: string): string {
  return text.split("\n").map((line) => {
    const [, before, command] = /^(.*\brun: )(.+)$/.exec(line) ?? [undefined, line, undefined];
    const words = [...(before ?? line).trimEnd().split(" "), ...command === undefined ? [] : [command]];
    return fill(words, room).join(`\n${indent}`);
  }).join("\n");
}

function fill(words: readonly string[], room: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line && visibleLength(line) + 1 + visibleLength(word) > room) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

function visibleLength(text: string): number {
  // deno-lint-ignore no-control-regex -- colors take no room
  return text.replace(/\x1b\[\d+m/g, "").length;
}

import { cut, widthOf } from "./cells.ts";

/** `selected` is the row that the keys act on; the others say how urgent a text is. */
export type Style = "bold" | "dim" | "selected" | "good" | "alert";

export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** A line of the screen. */
export type Line = readonly Span[];

export function span(text: string, style?: Style): Span {
  return { text, style };
}

export function lineWidth(line: Line): number {
  return line.reduce((width, { text }) => width + widthOf(text), 0);
}

/** The line in at most so many columns. */
export function cutLine(line: Line, columns: number): Line {
  if (lineWidth(line) <= columns) return line;
  const spans: Span[] = [];
  let room = columns;
  for (const { text, style } of line) {
    const width = widthOf(text);
    spans.push({ text: width > room ? cut(text, room) : text, style });
    room -= width;
    if (room <= 0) break;
  }
  return spans;
}

/** The line as the selected row: one style over the whole width. */
export function selectedLine(line: Line, columns: number): Line {
  const text = line.map((each) => each.text).join("");
  return [span(text + " ".repeat(Math.max(0, columns - widthOf(text))), "selected")];
}

const CODES: Record<Style, string> = { bold: "1", dim: "2", selected: "7", good: "32", alert: "33" };

/** The line for a terminal; without color, its text alone. */
export function ansi(line: Line, color: boolean): string {
  return line.map(({ text, style }) =>
    color && style !== undefined && text !== "" ? `\x1b[${CODES[style]}m${text}\x1b[0m` : text
  ).join("");
}

export function textOf(line: Line): string {
  return line.map(({ text }) => text).join("").trimEnd();
}

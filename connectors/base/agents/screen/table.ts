import { cell, widthOf } from "./cells.ts";
import { type Line, span, type Style } from "./line.ts";

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

export interface Column<Row> {
  readonly title: string;
  cell(row: Row): Cell;
  /** The fewest columns in which it is of use. */
  readonly min: number;
  /** The most that it takes. */
  readonly max: number;
  readonly align?: "left" | "right";
  /** Shortens a text that is too long; by default its end goes. */
  cut?(text: string, width: number): string;
}

const GAP = 2;

/**
 * The rows as a table under headings. Columns come in the order of their weight:
 * those at the end are left out where there is no room, and the first ones grow first.
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): { heading: Line; rows: Line[] } {
  const cells = rows.map((row) => columns.map((column) => column.cell(row)));
  const wanted = columns.map((column, i) =>
    Math.min(column.max, Math.max(widthOf(column.title), ...cells.map((row) => widthOf(row[i]?.text ?? ""))))
  );
  const widths = fit(columns, wanted, width);
  const shown = columns.flatMap((column, i) => {
    const room = widths[i];
    return room === undefined ? [] : [{ column, i, room }];
  });
  const heading = shown.map(({ column: { title, align }, room }) => cell(title, room, align)).join("  ");
  return {
    heading: [span(heading, "dim")],
    rows: cells.map((row) =>
      shown.flatMap(({ column, i, room }, at) => {
        const { text = "", style } = row[i] ?? {};
        const short = column.cut?.(text, room) ?? text;
        return [...at > 0 ? [span(" ".repeat(GAP))] : [], span(cell(short, room, column.align), style)];
      })
    ),
  };
}

/** The width of each column; undefined for those that are left out. */
function fit<Row>(
  columns: readonly Column<Row>[],
  wanted: readonly number[],
  width: number,
): (number | undefined)[] {
  let room = width + GAP;
  let isFull = false;
  const widths = columns.map(({ min }, i) => {
    const least = Math.min(min, wanted[i] ?? 0);
    // Nothing of less weight takes the place of a column that is left out.
    isFull ||= least + GAP > room;
    if (isFull) return undefined;
    room -= least + GAP;
    return least;
  });
  return widths.map((given, i) => {
    if (given === undefined) return undefined;
    const more = Math.min(room, (wanted[i] ?? 0) - given);
    room -= more;
    return given + more;
  });
}

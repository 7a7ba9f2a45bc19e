import type { Board } from "../board/board.ts";
import { wrapCells } from "./cells.ts";
import { cutLine, type Line, selectedLine, span } from "./line.ts";
import { listOf, MARGIN, TABLE_COLUMNS } from "./lists.ts";
import { initialState, type Panel, rowsOf, type ScreenState, selectedIndex } from "./state.ts";
import type { View } from "./words.ts";

/** The lines of a list in so much room, with the selected row in sight. */
export function panelLines(
  panel: Panel,
  board: Board,
  state: ScreenState,
  view: View,
  height: number,
): Line[] {
  const list = listOf(panel, board, view);
  const hasFocus = state.focus === panel;
  const selected = selectedIndex(state, board, panel);
  const rowHeight = list.rows[0]?.length ?? 1;
  const room = Math.max(0, Math.floor((height - 1 - (list.heading === undefined ? 0 : 1)) / rowHeight));
  const total = list.rows.length;
  // The lists that the keys do not act on show their beginning.
  const middle = hasFocus ? selected - Math.floor(room / 2) : 0;
  const start = Math.max(0, Math.min(middle, total - room));
  const shown = list.rows.slice(start, start + room);
  const range = shown.length < total ? `${start + 1}-${start + shown.length} of ${total}` : `${total}`;
  const lines: Line[] = [title(total === 0 ? list.title : `${list.title} ${range}`, hasFocus, view)];
  if (total === 0) {
    const text = wrapCells(list.empty, view.columns - MARGIN);
    return [...lines, ...text.map((each) => [span(`  ${each}`)])].slice(0, height);
  }
  if (list.heading !== undefined) lines.push([span(" ".repeat(MARGIN)), ...list.heading]);
  for (const [i, row] of shown.entries()) {
    const isSelected = hasFocus && start + i === selected;
    for (const [at, each] of row.entries()) {
      const whole = cutLine([span(isSelected && at === 0 ? "> " : "  "), ...each], view.columns);
      lines.push(isSelected ? selectedLine(whole, view.columns) : whole);
    }
  }
  return lines.slice(0, height);
}

function title(text: string, hasFocus: boolean, { columns }: View): Line {
  const rule = "─".repeat(Math.max(0, columns - text.length - 1));
  return cutLine([span(text, hasFocus ? "bold" : "dim"), span(` ${rule}`, "dim")], columns);
}

/** How many lines a list would take. */
export function wantedHeight(panel: Panel, board: Board, view: View): number {
  const total = rowsOf(board)[panel].length;
  // The text in an empty list may need more than one line.
  if (total === 0) return panelLines(panel, board, initialState("watch"), view, Infinity).length;
  return view.columns < TABLE_COLUMNS ? 1 + 2 * total : 2 + total;
}

import { stripControls } from "../../../hooks/context_text/strip_controls.ts";
import type { Ui } from "./ui.ts";

/** Rows under headings; a narrow terminal gets one block per row instead. */
export function table(
  headings: readonly string[],
  given: readonly (readonly string[])[],
  ui: Pick<Ui, "width" | "bold" | "dim">,
): string {
  // A name that a daemon tells must not drive the terminal, nor break the table.
  const rows = given.map((row) => row.map((cell) => stripControls(cell).replaceAll("\n", " ")));
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

import type { Ui } from "./ui.ts";

/** Rows under headings; a narrow terminal gets one block per row instead. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  ui: Pick<Ui, "width" | "bold" | "dim">,
): string {
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0))
  );
  const total = widths.reduce((sum, width) => sum + width + 2, 0);
  if (total > ui.width + 2) {
    return rows.map((row) =>
      headings.map((heading, i) => `${ui.dim(heading.toLowerCase().padEnd(10))} ${row[i] ?? ""}\n`).join("")
    ).join("\n");
  }
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ").trimEnd() + "\n";
  return ui.bold(line(headings).trimEnd()) + "\n" + rows.map(line).join("");
}

import type { Format } from "../edit.ts";

/** The key that takes the place of the sections that are left out. */
export const STAND_IN = "signet left this out ";

/** One line that takes the place of sections. */
export function standIn(format: Format, count: number, isHeader: boolean): string {
  const key = `"${STAND_IN}${count}"`;
  if (format === "toml") return isHeader ? `[${key}]` : `${key} = 0`;
  return format === "yaml" ? `${key}: 0\n` : `${key}: 0`;
}

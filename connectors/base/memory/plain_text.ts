import { stripControls } from "../../../hooks/context_text/strip_controls.ts";

/**
 * Text from the daemon, made safe for a terminal and a model's context: without
 * escape sequences and without marks that change the text direction.
 */
export function plainText(value: unknown): string {
  return typeof value === "string" ? stripControls(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, "") : "";
}

/** Truncates to `most` characters without splitting a surrogate pair, and appends `mark`. */
export function clip(text: string, most: number, mark = "…"): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.slice(0, end).trimEnd() + mark;
}

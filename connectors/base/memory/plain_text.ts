import { stripControls } from "../../../hooks/context_text/strip_controls.ts";

/**
 * Text from the daemon, made safe for a terminal and a model's context: no
 * escape sequences, and no marks that would show the words in another order
 * than the one they are read in.
 */
export function plainText(value: unknown): string {
  return typeof value === "string" ? stripControls(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, "") : "";
}

/** At most `most` characters, never half of a surrogate pair, with a mark where something is missing. */
export function clip(text: string, most: number, mark = "…"): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.slice(0, end).trimEnd() + mark;
}

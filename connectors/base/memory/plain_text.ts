/**
 * Text from the daemon, made safe for a terminal and a model's context: no
 * control characters but tab and newline, no escape sequences, no direction
 * overrides that would show something other than what is there.
 */
export function plainText(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    // deno-lint-ignore no-control-regex
    .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g, "")
    .replace(/\r\n?/g, "\n")
    // deno-lint-ignore no-control-regex
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** At most `most` characters, never half of a surrogate pair, with a mark where something is missing. */
export function clip(text: string, most: number, mark = "…"): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.slice(0, end).trimEnd() + mark;
}

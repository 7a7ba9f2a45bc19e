/** The mark after a text that goes into a model's context; the daemon uses the same. */
export const TRUNCATED = "\n[truncated]";

/** At most `max` characters and then `mark`, if anything was cut. Never leaves half a surrogate pair. */
export function truncate(text: string, max: number, mark = "…"): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return text.slice(0, Math.max(0, end)).trimEnd() + mark;
}

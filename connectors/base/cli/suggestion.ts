import { closestString, levenshteinDistance } from "@std/text";

/** The nearest of the known names, if the slip is small enough to be one. */
export function suggestion(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const near = closestString(given, known);
  // Two slips, as a swapped pair of letters is; in a word of three that would be any word.
  const slips = near.length <= 3 ? 1 : Math.max(2, Math.floor(near.length / 3));
  return levenshteinDistance(given, near) <= slips ? near : undefined;
}

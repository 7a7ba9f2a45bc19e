import { closestString, levenshteinDistance } from "@std/text";

/** The known name that is closest to what was typed, if the difference looks like a typo. */
export function suggestion(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  // Swapped letters count as two edits, as many as a different word may need: --ulr is --url, not --all.
  const swapped = known.filter((name) => letters(name) === letters(given));
  const near = closestString(given, swapped.length > 0 ? swapped : known);
  // Two edits allow for swapped letters; in a word of three letters they would match any word.
  const edits = near.length <= 3 ? 1 : Math.max(2, Math.floor(near.length / 3));
  return levenshteinDistance(given, near) <= edits ? near : undefined;
}

function letters(name: string): string {
  return [...name].sort().join("");
}

/** Trims and truncates to the budget as the daemon does; `more` means that the file continues after `text`. */
export function withinBudget(text: string, budget: number, more = false): string {
  const trimmed = text.trim();
  if (trimmed.length <= budget && !more) return trimmed;
  // The cut must not leave half of a surrogate pair, which no encoder can write.
  const cut = /[\uD800-\uDBFF]$/.test(trimmed.slice(0, budget)) ? budget - 1 : budget;
  return `${trimmed.slice(0, cut)}\n[truncated]`;
}

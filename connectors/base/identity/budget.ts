import { truncate, TRUNCATED } from "../../../hooks/context_text/truncate.ts";

/** Trims and truncates to the budget as the daemon does; `more` means that the file continues after `text`. */
export function withinBudget(text: string, budget: number, more = false): string {
  const trimmed = text.trim();
  return more && trimmed.length <= budget ? trimmed + TRUNCATED : truncate(trimmed, budget, TRUNCATED);
}

import { truncate, TRUNCATED } from "../../../hooks/context_text/truncate.ts";

/** Trimmed, and cut at the budget as the daemon does; `more` says that the file went on after `text`. */
export function withinBudget(text: string, budget: number, more = false): string {
  const trimmed = text.trim();
  return more && trimmed.length <= budget ? trimmed + TRUNCATED : truncate(trimmed, budget, TRUNCATED);
}

/**
 * The files that make up an identity, in the order, under the headings and with
 * the budgets (in characters) that the daemon uses at session-start.
 */
export const SECTIONS = [
  { file: "AGENTS.md", heading: "Agent Instructions", budget: 12_000 },
  { file: "SOUL.md", heading: "Soul", budget: 4_000 },
  { file: "IDENTITY.md", heading: "Identity", budget: 2_000 },
  { file: "USER.md", heading: "About Your User", budget: 6_000 },
  { file: "MEMORY.md", heading: "Working Memory", budget: 10_000 },
] as const;

/** Trimmed, and cut at the budget as the daemon does; `more` says that the file went on after `text`. */
export function withinBudget(text: string, budget: number, more = false): string {
  const trimmed = text.trim();
  if (trimmed.length <= budget && !more) return trimmed;
  // The cut must not leave half of a surrogate pair, which no encoder can write.
  const cut = /[\uD800-\uDBFF]$/.test(trimmed.slice(0, budget)) ? budget - 1 : budget;
  return `${trimmed.slice(0, cut)}\n[truncated]`;
}

export interface Stats {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
}

export function stats(values: readonly number[]): Stats {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { min: at(0), median: at(0.5), p95: at(0.95) };
}

/** One promise of the bench: a ratio of two results, and the most (or least) it may be. */
export interface Target {
  readonly name: string;
  readonly ratio: number;
  readonly limit: number;
  readonly atLeast?: boolean;
}

export function isMet({ ratio, limit, atLeast }: Target): boolean {
  return atLeast ? ratio >= limit : ratio <= limit;
}

export function formatTarget(target: Target): string {
  const sign = target.atLeast ? "≥" : "≤";
  const mark = isMet(target) ? "✓" : "✗";
  return `${mark} ${target.name}: ${target.ratio.toFixed(2)} (${sign} ${target.limit})`;
}

/** A fresh order each round, so that no benchCase always follows the same one. */
export function shuffled<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [result[i], result[j]];
    if (a !== undefined && b !== undefined) [result[i], result[j]] = [b, a];
  }
  return result;
}

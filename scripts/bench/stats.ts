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

/** A ratio of two results, and its limit. */
export interface Target {
  readonly name: string;
  readonly ratio: number;
  readonly limit: number;
}

export function isMet({ ratio, limit }: Target): boolean {
  return ratio <= limit;
}

export function formatTarget(target: Target): string {
  const { name, ratio, limit } = target;
  if (Number.isNaN(ratio)) return `✗ not measured  ${name}`;
  const met = isMet(target);
  return `${met ? "✓" : "✗"} ${ratio.toFixed(2)} ${met ? "≤" : ">"} ${limit.toFixed(2)}  ${name}`;
}

/** A new order for each round, so that no case always follows the same one. */
export function shuffled<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [result[i], result[j]];
    if (a !== undefined && b !== undefined) [result[i], result[j]] = [b, a];
  }
  return result;
}

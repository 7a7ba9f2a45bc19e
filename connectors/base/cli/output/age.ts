const SPANS: [number, string][] = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"], [1_000, "s"]];

/** A duration in its largest unit: `3 h`. */
export function age(ms: number): string {
  for (const [span, unit] of SPANS) if (ms >= span) return `${Math.floor(ms / span)} ${unit}`;
  return "a moment";
}

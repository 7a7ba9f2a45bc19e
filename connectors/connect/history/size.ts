import { EXIT, UserError } from "../../base/cli/command.ts";

const UNITS: Record<string, number> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

/** `500k`, `20MB` or `1g` in bytes. */
export function parseSize(flag: string, given: string): number {
  const [, digits, unit = ""] = /^(\d{1,9})\s*([kmg]?)b?$/i.exec(given) ?? [];
  if (digits !== undefined) return Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
  throw new UserError(
    `--${flag} must be a size such as 500k or 20MB, not ${given}.`,
    EXIT.usage,
    `--${flag} 20MB`,
  );
}

/** `20 kB`, `1.5 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1e3) return `${bytes} bytes`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

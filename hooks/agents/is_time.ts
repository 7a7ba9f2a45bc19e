/** The latest time that a Date can have. */
const LATEST = 8.64e15;

/** A time in ms since 1970 that a Date can have. */
export function isTime(value: unknown): value is number {
  return Number.isInteger(value) && typeof value === "number" && value >= 0 && value <= LATEST;
}

import type { Json } from "./edit.ts";

export type JsonMap = { [key: string]: Json };

export function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Deep equality for what config parsers return: dates, big integers, NaN and bytes included. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === 0 && b === 0;
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && String(a.valueOf()) === String(b.valueOf()) &&
      String(a) === String(b);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length &&
      a.every((item, i) => same(item, b[i]));
  }
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return left.length === right.size &&
    left.every(([key, value]) => right.has(key) && same(value, right.get(key)));
}

/** True if `have` contains all of `want`; the user may have added keys. */
export function covers(have: Json, want: Json): boolean {
  if (!isMap(want) || !isMap(have)) return same(have, want);
  return Object.entries(want).every(([key, value]) => {
    const found = Object.hasOwn(have, key) ? have[key] : undefined;
    return found !== undefined && covers(found, value);
  });
}

/** The result of any parser as plain JSON: dates and big integers become strings. */
export function asJson(value: unknown): Json {
  if (
    value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
  ) return value;
  if (Array.isArray(value)) return value.map(asJson);
  if (isMap(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item)]));
  }
  return value === undefined ? null : String(value);
}

/** The keys of a group beside its handlers, such as `matcher`. */
export function groupKeys(value: Json, inner: string): JsonMap {
  if (!isMap(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== inner));
}

/** The handler in a group (`inner` is its key), or the item itself. */
export function handlerOf(value: Json, inner: string | undefined): Json {
  const handlers = inner !== undefined && isMap(value) ? value[inner] : undefined;
  return Array.isArray(handlers) ? handlers[0] ?? null : value;
}

import { assert, assertEquals } from "@std/assert";
import { isObject } from "../json.ts";

export const ABSENT = Symbol("absent");

/** JSON, or the text itself. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Throws unless a value is as wanted; a RegExp or a function tests a value, `ABSENT` its absence. */
export function holds(actual: unknown, wanted: unknown, where: string): void {
  const message = () => `${where}: ${JSON.stringify(actual)}`;
  if (wanted === ABSENT) return assertEquals(actual, undefined, message());
  if (wanted instanceof RegExp) return assert(typeof actual === "string" && wanted.test(actual), message());
  if (typeof wanted === "function") return assert(wanted(actual), message());
  if (Array.isArray(wanted)) {
    assert(Array.isArray(actual), message());
    assertEquals(actual.length, wanted.length, message());
    return wanted.forEach((item, index) => holds(actual[index], item, `${where}[${index}]`));
  }
  if (!isObject(wanted)) return assertEquals(actual, wanted, message());
  assert(isObject(actual), message());
  for (const [name, value] of Object.entries(wanted)) holds(actual[name], value, `${where}.${name}`);
}

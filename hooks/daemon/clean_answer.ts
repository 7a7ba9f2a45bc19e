import { isObject } from "../json.ts";
import { plainText } from "../context_text/plain_text.ts";
import type { KeyRedactor } from "./redact_key.ts";

/** Characters that cleanAnswer removes, written as they are or as an escape. */
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\\[bfru]/;

/**
 * A daemon's JSON answer as a value, cleaned; undefined if it is not JSON. One look at
 * the whole text saves the walk through its values, which most answers do not need.
 */
export function parseAnswer(text: string, key: KeyRedactor | undefined): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isClean(text, key) ? value : cleanAnswer(value, key);
}

function isClean(text: string, key: KeyRedactor | undefined): boolean {
  if (SUSPECT.test(text) || !text.isWellFormed()) return false;
  // Fewer brackets than levels allowed: it cannot be nested too deeply.
  if ((text.match(/[[{]/g)?.length ?? 0) > MAX_DEPTH) return false;
  // The letter of an escape such as \n is not a part of the string.
  return key === undefined || !key.mayContain(text.replace(/\\./g, " "));
}

/** No answer of a daemon is nested as deeply; a hostile one must not overflow the stack. */
const MAX_DEPTH = 100;

/**
 * A daemon's answer without what could do harm where it ends up, in a terminal, a
 * log, a JSON document or a model's context: control characters, escape sequences,
 * bidirectional overrides, and the key that was sent to it.
 */
export function cleanAnswer(value: unknown, key: KeyRedactor | undefined, depth = 0): unknown {
  if (typeof value === "string") {
    const text = plainText(value);
    return key === undefined ? text : key.redact(text);
  }
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => cleanAnswer(item, key, depth + 1));
  if (!isObject(value)) return value;
  const clean: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    Object.defineProperty(clean, String(cleanAnswer(name, key)), {
      value: cleanAnswer(item, key, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return clean;
}

import { isObject } from "../json.ts";
import { plainText } from "../context_text/plain_text.ts";
import type { KeyRedactor } from "./redact_key.ts";

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

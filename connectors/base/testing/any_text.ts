import fc from "fast-check";

/**
 * Any text, also with control characters and half of a surrogate pair. `fc.string()` and
 * `fc.webPath()` prepare a table of all characters for that, which takes seconds.
 */
export const anyText: fc.Arbitrary<string> = fc.array(fc.nat(0xffff), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

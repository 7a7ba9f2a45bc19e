import { assertEquals } from "@std/assert";
import { cleanAnswer, parseAnswer } from "./clean_answer.ts";
import { KeyRedactor } from "./redact_key.ts";

const KEY = "sig_sk_0123456789ab_Zq8vT3nW5xYbC7dEfGhJkLmNpQrStUvW";
const KEY_LETTERS = KEY.slice(8);

/** Nested once more than cleanAnswer keeps. */
const deep = (levels: number): unknown => levels === 0 ? "x" : [deep(levels - 1)];

const ANSWERS: Record<string, unknown> = {
  "plain text": { inject: '# Memories\n- likes "tea" \\\\ and \t tabs / 🙂 é' },
  "a control character": { inject: "a\u0007b" },
  "an escape sequence": { inject: "a\u001b[31mb" },
  "a carriage return": { inject: "a\r\nb" },
  "a bidirectional override": { inject: "a\u202eb" },
  "a C1 control character": { inject: "a\u009b31mb" },
  "a lone surrogate": { inject: "a\ud800b" },
  "the key": { inject: `it is ${KEY}` },
  "the key with line breaks in it": { inject: KEY_LETTERS.split("").join("\n") },
  "the key with quotes and tabs in it": { inject: KEY_LETTERS.split("").join('"\t') },
  "the key as a name": { [KEY]: 1 },
  "the key in upper case, deep inside": { a: [{ b: [KEY.toUpperCase()] }] },
  "too many levels": deep(120),
  "a name that objects inherit": JSON.parse('{"__proto__": {"x": "\\u0007"}}'),
  "a list": ["a", 1, null, true],
};

for (const [title, value] of Object.entries(ANSWERS)) {
  Deno.test(`parseAnswer() cleans an answer as cleanAnswer() does: ${title}`, () => {
    const key = new KeyRedactor(KEY);
    assertEquals(parseAnswer(JSON.stringify(value), key), cleanAnswer(value, key));
    assertEquals(parseAnswer(JSON.stringify(value, null, 2), key), cleanAnswer(value, key));
    assertEquals(parseAnswer(JSON.stringify(value), undefined), cleanAnswer(value, undefined));
  });
}

Deno.test("parseAnswer() decodes escapes before it looks for the key and for control characters", () => {
  const escaped = KEY.replace(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
  const key = new KeyRedactor(KEY);
  assertEquals(parseAnswer(`{"inject":"${escaped} \\b\\u0007"}`, key), { inject: "… " });
  assertEquals(parseAnswer("no JSON", key), undefined);
});

import { assertEquals } from "@std/assert";
import { stripTags } from "./strip_tags.ts";

Deno.test("stripTags() removes whole blocks and nothing else", () => {
  const cases: [string, string][] = [
    ["<m>x</m>\n\nhello", "hello"],
    ["hello\n\n<m>x\ny</m>", "hello"],
    ["a <m>x</m> b <m k='v'>y</m> c", "a b c"],
    ["<m>never closed", "<m>never closed"],
    ["<mm>other tag</mm>", "<mm>other tag</mm>"],
    ["if a < b", "if a < b"],
    ["<m></m>", ""],
  ];
  for (const [text, expected] of cases) assertEquals(stripTags(text, ["m"]), expected, text);
});

// That this takes no longer than reading the text is a target of `deno task bench`.
Deno.test("stripTags() leaves a hostile prompt as it is", () => {
  const text = "<m>".repeat(100_000);
  assertEquals(stripTags(text, ["m"]), text);
});

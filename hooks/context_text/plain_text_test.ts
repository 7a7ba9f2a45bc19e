import { assertEquals } from "@std/assert";
import { plainText } from "./plain_text.ts";

Deno.test("plainText() keeps text and removes terminal control sequences", () => {
  const cases: [unknown, string][] = [
    ["tab\tand\nnewline", "tab\tand\nnewline"],
    ["\x1b[2J\x1b[1;31mred\x1b[0m", "red"],
    ["\x1b]8;;http://x\x07link\x1b]8;;\x1b\\", "link"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["bell\x07 null\x00 c1\x9b31m", "bell null c1"],
    ["over\u202eride\u2066", "override"],
    [42, ""],
  ];
  for (const [given, wanted] of cases) assertEquals(plainText(given), wanted);
});

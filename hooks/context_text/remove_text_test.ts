import { assertEquals } from "@std/assert";
import { removeText } from "./remove_text.ts";

Deno.test("removeText() is replaceAll() with nothing", () => {
  const cases = [
    ["abcabc", "b"],
    ["aaaa", "aa"],
    ["aaaaa", "aa"],
    ["aabaabaaab", "aab"],
    ["ababababc", "ababc"],
    ["x", "xx"],
    ["", "a"],
    ["abc", ""],
    ["ä😀ä😀", "😀"],
  ] as const;
  for (const [text, part] of cases) {
    assertEquals(removeText(text, part), part === "" ? text : text.replaceAll(part, ""), `${text} ${part}`);
  }
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { fit, injectable } from "./inject.ts";
import { stripControls } from "./strip_controls.ts";

Deno.test("stripControls() leaves text, newlines and tabs", () => {
  const cases: [string, string][] = [
    ["plain ä 日本 🎉\n\ttext", "plain ä 日本 🎉\n\ttext"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007after", "after"],
    ["\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u001b]52;c;cGFzdGU=\u0007clip", "clip"],
    ["\u009b2Jx", "x"],
    ["\u001bPq#0\u001b\\sixel", "sixel"],
    ["\u001b]never ended\nnext", "\nnext"],
    ["a\u0000b\u0008c\u007fd\u0085e", "abcde"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["\u001bcreset", "reset"],
    ["half \ud83d", "half \ufffd"],
  ];
  for (const [text, expected] of cases) assertEquals(stripControls(text), expected, JSON.stringify(text));
});

Deno.test("fit() leaves a text that fits alone", () => {
  assertEquals(fit("abc", 3), "abc");
});

Deno.test("fit() cuts the longest section, so that memories survive a long identity", () => {
  const text = `intro\n## Agent Instructions\n${"a".repeat(12_000)}\n## Soul\nkind\n## Memories\n- likes tea`;
  const fitted = fit(text, 1000);
  assertEquals(fitted.length <= 1000, true);
  assertStringIncludes(fitted, "[truncated]\n## Soul\nkind\n## Memories\n- likes tea");
});

Deno.test("fit() never exceeds the limit", () => {
  for (const max of [20, 57, 100, 999]) {
    for (
      const text of [
        "x".repeat(5000),
        "# h\n".repeat(2000),
        "🎉".repeat(900),
        `## a\n${"b\n## c\n".repeat(500)}`,
      ]
    ) {
      const fitted = fit(text, max);
      assertEquals(fitted.length <= max, true, `${fitted.length} > ${max}`);
      assertEquals(fitted.isWellFormed(), true);
    }
  }
});

Deno.test("injectable() makes 5 MB of anything small and safe", () => {
  const text = injectable("\u001b[2J" + "memory ".repeat(800_000), 9000);
  assertEquals([text.length <= 9000, text.includes("\u001b"), text.startsWith("memory")], [
    true,
    false,
    true,
  ]);
});

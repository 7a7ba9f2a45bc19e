import { assertEquals, assertThrows } from "@std/assert";
import { putBlock, removeBlock } from "./marked_block.ts";
import { ConfigError } from "../edit/tree.ts";

const BLOCK = "<!-- SIGNET:START -->\nours\n<!-- SIGNET:END -->";

Deno.test("putBlock() and removeBlock() are inverse", () => {
  const cases: [string, string][] = [
    ["", `${BLOCK}\n`],
    ["# Mine\n", `# Mine\n\n${BLOCK}\n`],
    ["# Mine", `# Mine\n\n${BLOCK}`],
    ["# Mine\r\ntext\r\n", `# Mine\r\ntext\r\n\r\n${BLOCK.replaceAll("\n", "\r\n")}\r\n`],
    ["\uFEFF# Mine\n\n", `\uFEFF# Mine\n\n\n${BLOCK}\n`],
  ];
  for (const [before, after] of cases) {
    assertEquals(putBlock(before, "ours\n"), after);
    assertEquals(putBlock(after, "ours"), after);
    assertEquals(removeBlock(after), before);
  }
  assertEquals(putBlock(undefined, "ours"), `${BLOCK}\n`);
});

Deno.test("putBlock() replaces an older block in place, and merges two blocks", () => {
  const old = BLOCK.replace("ours", "older\ntext");
  assertEquals(putBlock(`a\n${old}\nb\n`, "ours"), `a\n${BLOCK}\nb\n`);
  assertEquals(putBlock(`a\n${old}\nb\n${old}\nc\n`, "ours"), `a\n${BLOCK}\nb\nc\n`);
});

Deno.test("putBlock() refuses an unpaired mark and reports its line", () => {
  for (
    const text of [
      "a\n<!-- SIGNET:START -->\n",
      "a\n<!-- SIGNET:END -->\n<!-- SIGNET:START -->\n",
      "a\n<!-- SIGNET:START -->\n<!-- SIGNET:START -->\n<!-- SIGNET:END -->",
    ]
  ) {
    assertEquals(assertThrows(() => putBlock(text, "ours"), ConfigError).line, 2);
    assertThrows(() => removeBlock(text), ConfigError);
  }
});

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { BLOCK_END as E, BLOCK_START as S, signetBlock, stripSignetBlocks, withBlock } from "./block.ts";

Deno.test("signetBlock() says in about a dozen lines whose memory it is and how to use it", () => {
  const block = signetBlock({ binary: "signet-pi", workspace: "/home/u/.agents", agentId: "nicholai/pi" });
  for (
    const word of [
      "nicholai/pi",
      "/home/u/.agents",
      "memory_search",
      "memory_store",
      "signet-pi recall",
      "signet-pi remember",
    ]
  ) {
    assertEquals(block.includes(word), true, word);
  }
  assertEquals(block.startsWith(`${S}\n`) && block.endsWith(`\n${E}`), true);
  assertEquals(block.split("\n").length <= 13, true);
});

Deno.test("stripSignetBlocks() takes out every complete block and nothing else", () => {
  const cases: [string, string][] = [
    ["", ""],
    ["text\n", "text\n"],
    [`a\n${S}\nx\n${E}\nb\n`, "a\nb\n"],
    [`a\r\n${S}\r\nx\r\n${E}\r\nb`, "a\r\nb"],
    [`${S}x${E}a${S}y${E}`, "a"],
    [`a ${S} no end`, `a ${S} no end`],
    [`no start ${E} b`, `no start ${E} b`],
    [`${S} a lone start\nuser text\n${S}x${E}\nb`, `${S} a lone start\nuser text\nb`],
  ];
  for (const [text, expected] of cases) assertEquals(stripSignetBlocks(text), expected, text);
});

Deno.test("withBlock() replaces our block in place, or adds it at the end in the file's own line ends", () => {
  const block = `${S}\nnew\n${E}`;
  const cases: [string, string][] = [
    ["", `${block}\n`],
    ["user", `user\n\n${block}\n`],
    ["user\n", `user\n\n${block}\n`],
    ["user\n\n", `user\n\n${block}\n`],
    ["user\r\n", `user\r\n\r\n${block.replaceAll("\n", "\r\n")}\r\n`],
    [`a\n${S}\nold\n${E}\nb\n`, `a\n${block}\nb\n`],
    [`a\n${S}1${E}\nb\n${S}2${E}\nc`, `a\n${block}\nb\nc`],
    [`a ${S} lone`, `a ${S} lone\n\n${block}\n`],
  ];
  for (const [text, expected] of cases) {
    assertEquals(withBlock(text, block), expected, text);
    assertEquals(withBlock(expected, block), expected, "twice");
  }
});

Deno.test("withBlock() keeps every text around the marks, and does nothing the second time", () => {
  const block = `${S}\nnew\n${E}`;
  const text = fc.array(fc.constantFrom(S, E, "\n", "\r\n", "a", " ", "\uFEFF", "<!--")).map((parts) =>
    parts.join("")
  );
  fc.assert(
    fc.property(text, (before) => {
      const after = withBlock(before, block);
      assertEquals(withBlock(after, block), after);
      assertEquals(stripSignetBlocks(after).trimEnd(), stripSignetBlocks(before).trimEnd());
    }),
    { numRuns: 2_000 },
  );
});

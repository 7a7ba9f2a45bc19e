import { assertEquals } from "@std/assert";
import {
  BLOCK_END as E,
  BLOCK_START as S,
  stripSignetBlocks,
} from "../../../hooks/context_text/signet_block.ts";
import { signetBlock } from "./signet_block.ts";

Deno.test("signetBlock() explains in about a dozen lines whose memory it is and how to use it", () => {
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

Deno.test("stripSignetBlocks() removes every complete block and nothing else", () => {
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

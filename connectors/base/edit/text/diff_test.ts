import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { SEED, SEEDED } from "../../testing/seed.ts";
import { diffLines, splitLines } from "./diff.ts";

const texts = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 30 });

Deno.test(`diffLines() leads from any text to any other ${SEEDED}`, () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      let out: string[] = [];
      let at = 0;
      for (const hunk of diffLines(a, b)) {
        out = [...out, ...a.slice(at, hunk.aStart), ...b.slice(hunk.bStart, hunk.bEnd)];
        at = hunk.aEnd;
      }
      assertEquals([...out, ...a.slice(at)], b);
    }),
    { seed: SEED },
  );
});

Deno.test("diffLines() finds the shortest edit script", () => {
  assertEquals(
    diffLines([..."abcabba"], [..."cbabac"]).reduce(
      (sum, h) => sum + h.aEnd - h.aStart + h.bEnd - h.bStart,
      0,
    ),
    5,
  );
});

Deno.test("splitLines() keeps every character", () => {
  assertEquals(splitLines("a\r\n\nb"), ["a\r\n", "\n", "b"]);
  assertEquals(splitLines(""), []);
});

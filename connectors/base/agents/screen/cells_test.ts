import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { HOSTILE_TEXTS } from "../../testing/hostile_texts.ts";
import { cell, cut, cutStart, line, widthOf, wrapCells } from "./cells.ts";

/** Every code point; fast-check's unit "binary" takes seconds to set up. */
const ANY_TEXT = fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 30 })
  .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(""));

// deno-lint-ignore no-control-regex -- this is what must not be there
const ACTS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

Deno.test("line() leaves nothing that acts on a terminal", () => {
  const texts = [...HOSTILE_TEXTS, "a\u001b[2Jb", "a\u001b]0;title\u0007b", "\u009b31mx", "a\r\nb\tc"];
  for (const text of texts) assert(!ACTS.test(line(text)), JSON.stringify(line(text)));
  assertEquals(line("a\u001b[2Jb\n c"), "ab c");
  fc.assert(fc.property(ANY_TEXT, (text) => !ACTS.test(line(text))));
});

Deno.test("line() drops joiners and piles of marks, whose width depends on the terminal", () => {
  assertEquals(line("👩\u200d💻 ok"), "👩💻 ok");
  assertEquals(line("❤\ufe0f 👍🏽 🇩🇪"), "❤ 👍");
  assertEquals(line(`z${"\u0301".repeat(30)}`), "z\u0301\u0301");
});

Deno.test("cell() takes exactly the columns of its place, also with wide characters", () => {
  assertEquals(cell("天地玄黃", 5), "天地…");
  assertEquals(cell("天地玄黃", 4), "天… ");
  assertEquals(cell("天", 4), "天  ");
  assertEquals(cell("7", 3, "right"), "  7");
  assertEquals(cell("abc", 0), "");
  fc.assert(fc.property(ANY_TEXT, fc.nat(60), (text, width) => {
    assertEquals(widthOf(cell(line(text), width)), width);
    assert(widthOf(cut(line(text), width)) <= width);
    assert(widthOf(cutStart(line(text), width)) <= width);
  }));
});

Deno.test("cutStart() keeps the end of a path", () => {
  assertEquals(cutStart("/home/u/app/src/a.ts", 12), "…pp/src/a.ts");
  assertEquals(cutStart("a.ts", 12), "a.ts");
});

Deno.test("wrapCells() breaks between words, and long words anywhere", () => {
  assertEquals(wrapCells("one two three", 7), ["one two", "three"]);
  assertEquals(wrapCells("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
  assertEquals(wrapCells("天地玄", 4), ["天地", "玄"]);
  assertEquals(wrapCells("", 4), [""]);
  fc.assert(fc.property(ANY_TEXT, fc.integer({ min: 2, max: 60 }), (text, width) => {
    for (const row of wrapCells(line(text), width)) assert(widthOf(row) <= width);
  }));
});

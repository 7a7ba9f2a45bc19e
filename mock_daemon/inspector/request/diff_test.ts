import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { diff, lineDiff } from "./diff.js";

Deno.test("diff() names what changed, what is new and what is gone, by path", () => {
  const { changes, equal } = diff(
    { a: 1, b: { c: [1, 2], "d.e": null }, gone: true },
    { a: 1, b: { c: [1, 3], "d.e": null }, fresh: {} },
  );
  assertEquals(equal, 3);
  assertEquals(
    changes.map(({ path, left, right, inLeft, inRight }) => [path, left, right, inLeft, inRight]),
    [
      ["b.c[1]", 2, 3, true, true],
      ["gone", true, undefined, true, false],
      ["fresh", undefined, {}, false, true],
    ],
  );
});

Deno.test("diff() of a value with itself is empty, whatever it is", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assertEquals(diff(value, value).changes, [])));
});

Deno.test("diff() of nothing and something is the something", () => {
  assertEquals(diff(undefined, { a: 1 }).changes.length, 1);
  assertEquals(diff(undefined, undefined), { changes: [], equal: 0 });
});

Deno.test("lineDiff() has both texts in it, and keeps what is common", () => {
  assertEquals(lineDiff("a\nb\nc", "a\nx\nc"), [[" ", "a"], ["-", "b"], ["+", "x"], [" ", "c"]]);
  const texts = fc.array(fc.constantFrom("a", "b", "c", "")).map((lines) => lines.join("\n"));
  fc.assert(fc.property(texts, texts, (left, right) => {
    const lines = lineDiff(left, right);
    const without = (sign: string) =>
      lines.filter(([each]) => each !== sign).map(([, line]) => line).join("\n");
    assertEquals([without("+"), without("-")], [left, right]);
  }));
});

Deno.test("lineDiff() of very long texts is whole, without a search", () => {
  const left = "x\n".repeat(5000);
  assertEquals(lineDiff(left, left).length, 10_002);
});

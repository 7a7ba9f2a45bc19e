import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { splicesBetween, undoSplices } from "./rebase.ts";
import { SEED, SEEDED } from "../../testing/seed.ts";
import { splice } from "./splice.ts";

Deno.test(`splicesBetween() leads from one text to the other ${SEEDED}`, () => {
  const text = fc.array(fc.constantFrom("a", "b\n", "\n", "cc\n"), { maxLength: 20 }).map((parts) =>
    parts.join("")
  );
  fc.assert(fc.property(text, text, (a, b) => assertEquals(splice(a, splicesBetween(a, b)), b)), {
    seed: SEED,
  });
});

Deno.test("undoSplices() undoes the splices and keeps the user's edits around them", () => {
  const before = "a\nb\nc\n";
  const written = "a\nOURS\nb\nc\nOURS\n";
  const ours = splicesBetween(before, written);
  const cases: [string, string | undefined][] = [
    [written, before],
    ["new\n" + written, "new\n" + before],
    [written + "new\n", before + "new\n"],
    ["a\nOURS\nb2\nc\nOURS\n", "a\nb2\nc\n"],
    ["OURS\nb\nc\nOURS\n", "b\nc\n"],
    ["a\nOURS, changed\nb\nc\nOURS\n", undefined],
    ["a\nb\nc\nOURS\n", undefined],
  ];
  for (const [now, left] of cases) assertEquals(undoSplices(before, ours, now), left, JSON.stringify(now));
});

import { assertEquals } from "@std/assert";
import type { Edit } from "../edit/edit.ts";
import { same } from "../edit/json_value.ts";
import { hasMoved } from "./move_entries.ts";

const MOVES = [{ from: ["state", "0"], to: ["state", "1"], value: { hash: "mine" } }];
const BACK: Edit[] = [{
  kind: "entry",
  path: ["state", "0"],
  value: { hash: "original" },
  owns: (value) => same(value, { hash: "original" }),
}];

const CASES: [string, string, boolean][] = [
  ["has the entry in its new place", '[state.1]\nhash = "mine"\n', true],
  ["also has what comes back", '[state.0]\nhash = "original"\n[state.1]\nhash = "mine"\n', true],
  ["lacks the entry", "", false],
  ["has another value in the new place", '[state.1]\nhash = "other"\n', false],
  ["has another value in the old place", '[state.0]\nhash = "other"\n[state.1]\nhash = "mine"\n', false],
  ["does not parse", "[state", false],
];

for (const [title, text, expected] of CASES) {
  Deno.test(`hasMoved() is ${expected} for a text that ${title}`, () => {
    assertEquals(hasMoved("toml", text, MOVES, BACK), expected);
  });
}

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DEEP } from "../testing/deep.ts";
import { randomDoc, write } from "../testing/random_docs.ts";
import { SEED, SEEDED } from "../testing/seed.ts";
import { findEdits, readConfig } from "./config.ts";
import type { Edit, Json } from "./edit.ts";
import { SYNTAX } from "./formats/formats.ts";
import { isMap } from "./json_value.ts";
import { LARGE } from "./sections/sections.ts";
import { toJson } from "./tree.ts";

const owns = (value: Json) =>
  value === "OUR-hook" || (isMap(value) && String(value.command).startsWith("OUR"));
const hook: Edit = {
  kind: "item",
  path: ["hooks", "start"],
  value: { command: "OUR-hook", timeout: 5 },
  text: "OUR-hook",
  owns,
};
const entry: Edit = { kind: "entry", path: ["mcp", "signet"], value: { command: "OUR-mcp" }, owns };

Deno.test("readConfig() distinguishes absent, empty, parsed and unparsable", () => {
  assertEquals(readConfig("yaml", undefined), { kind: "absent" });
  assertEquals(readConfig("yaml", ""), { kind: "parsed", value: null });
  assertEquals(readConfig("jsonc", '\uFEFF{"a": [1, "x"]} // end'), {
    kind: "parsed",
    value: { a: [1, "x"] },
  });
  assertEquals(readConfig("toml", "a.b = 1\n[[c]]\nd = 'x'\n"), {
    kind: "parsed",
    value: { a: { b: 1 }, c: [{ d: "x" }] },
  });
  const broken = readConfig("json", "{oops}");
  assert(broken.kind === "unparsable");
  assertEquals([broken.line, broken.column], [1, 2]);
});

for (const format of ["yaml", "toml", "jsonc", "json5", "json"] as const) {
  Deno.test(`readConfig() of some keys of ${format} gives the values that the whole file has there ${SEEDED}`, () => {
    const keys = ["hooks", "env", "a", "absent"];
    const LONG = "x ".repeat(LARGE / 2);
    fc.assert(
      fc.property(randomDoc, fc.boolean(), (doc, isLarge) => {
        const text = write(format, isLarge ? { ...doc, value: { ...doc.value, long: LONG } } : doc);
        const whole = toJson(SYNTAX[format].read(text));
        const some = isMap(whole)
          ? Object.fromEntries(Object.entries(whole).filter(([key]) => keys.includes(key)))
          : whole;
        assertEquals(readConfig(format, text, keys), { kind: "parsed", value: some });
      }),
      { seed: SEED, numRuns: DEEP ? 2_000 : 40 },
    );
  });
}

Deno.test("readConfig() of some keys says where a file does not parse, and passes on what is no map", () => {
  const broken = readConfig("json", '{"a": 1,\n oops}', ["a"]);
  assert(broken.kind === "unparsable");
  assertEquals(broken.line, 2);
  assertEquals(readConfig("json", "[1]", ["a"]), { kind: "parsed", value: [1] });
  assertEquals(readConfig("yaml", "", ["a"]), { kind: "parsed", value: null });
  assertEquals(readConfig("json", undefined, ["a"]), { kind: "absent" });
});

Deno.test("findEdits() distinguishes present, different, missing, duplicated and foreign", () => {
  const states = (text: string) =>
    findEdits("yaml", text, [hook, entry]).map(({ state, line }) => [state, line]);
  assertEquals(states(""), [["missing", undefined], ["missing", undefined]]);
  assertEquals(states("hooks:\n  start: OUR-hook\nmcp:\n  signet: {command: OUR-mcp, env: {}}\n"), [[
    "present",
    2,
  ], ["present", 4]]);
  assertEquals(
    states("hooks:\n  start: [{command: OUR-hook, timeout: 9}]\nmcp: {signet: {command: other}}\n"),
    [["different", 2], ["foreign", 3]],
  );
  assertEquals(states("hooks:\n  start:\n    - OUR-hook\n    - OUR-hook\n"), [["duplicated", 4], [
    "missing",
    undefined,
  ]]);
});

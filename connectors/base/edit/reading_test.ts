import { assert, assertEquals } from "@std/assert";
import { findEdits, readConfig } from "./config.ts";
import type { Edit, Json } from "./edit.ts";
import { isMap } from "./json_value.ts";

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

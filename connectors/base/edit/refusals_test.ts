import { assertEquals, assertThrows } from "@std/assert";
import { applyEdits } from "./config.ts";
import type { Edit, Format } from "./edit.ts";
import { ConfigError } from "./tree.ts";

const hook: Edit = {
  kind: "item",
  path: ["hooks", "start"],
  value: { command: "OURS" },
  owns: (value) => value === "OURS",
};

const REFUSED: { name: string; format: Format; text: string; line: number; column: number; says: string }[] =
  [
    {
      name: "a number where keys go",
      format: "yaml",
      text: "a: 1\nhooks: 3\n",
      line: 2,
      column: 8,
      says: "hooks must be a map, but is 3",
    },
    {
      name: "a number where hooks go",
      format: "yaml",
      text: "hooks:\n  start: 3\n",
      line: 2,
      column: 10,
      says: "hooks.start must be a list, but is 3",
    },
    {
      name: "a list at the top",
      format: "yaml",
      text: "- a\n",
      line: 1,
      column: 1,
      says: "the document must be a map, but is a list",
    },
    {
      name: "several documents",
      format: "yaml",
      text: "a: 1\n---\nb: 2\n",
      line: 2,
      column: 1,
      says: "more than one YAML document",
    },
    {
      name: "a key twice",
      format: "yaml",
      text: "a: 1\nb: 2\na: 3\n",
      line: 3,
      column: 1,
      says: "duplicate key",
    },
    {
      name: "a tab as indent",
      format: "yaml",
      text: "hooks:\n\tstart: x\n",
      line: 2,
      column: 1,
      says: "Tabs are not allowed as indentation",
    },
    { name: "an unclosed quote", format: "yaml", text: 'a: "x\nb: 1\n', line: 3, column: 1, says: "closing" },
    {
      name: "an anchor that another key shares",
      format: "yaml",
      text: "hooks:\n  start: &s\n    - a\nother: *s\n",
      line: 4,
      column: 8,
      says: "this alias shares the value of line 3",
    },
    {
      name: "keys behind an alias",
      format: "yaml",
      text: "h: &h {start: [a]}\nhooks: *h\n",
      line: 2,
      column: 8,
      says: "hooks is an alias",
    },
    {
      name: "a comment in strict JSON",
      format: "json",
      text: '{\n  // no\n  "a": 1\n}',
      line: 2,
      column: 3,
      says: "strict JSON does not allow comments",
    },
    {
      name: "a trailing comma in strict JSON",
      format: "json",
      text: '{"a": 1,}',
      line: 1,
      column: 8,
      says: "does not allow a trailing comma",
    },
    {
      name: "a missing comma",
      format: "jsonc",
      text: '{\n  "a": 1\n  "b": 2\n}',
      line: 3,
      column: 3,
      says: "expected a comma or }",
    },
    {
      name: "the end missing",
      format: "json",
      text: '{"a": [1, 2',
      line: 1,
      column: 12,
      says: "the end of the file",
    },
    {
      name: "the same key twice",
      format: "json",
      text: '{"a": 1, "a": 2}',
      line: 1,
      column: 10,
      says: "duplicate key",
    },
    {
      name: "a string in hooks' place",
      format: "json5",
      text: "{hooks: 'x'}",
      line: 1,
      column: 9,
      says: "hooks must be a map, but is a string",
    },
    {
      name: "nested without end",
      format: "json",
      text: "[".repeat(1000),
      line: 1,
      column: 502,
      says: "levels deep",
    },
    {
      name: "a table that extends an inline one",
      format: "toml",
      text: "hooks = { a = 1 }\n[hooks.b]\n",
      line: 2,
      column: 2,
      says: "redefine",
    },
    { name: "half a line", format: "toml", text: 'a = 1\nb = "x\n', line: 2, column: 7, says: "" },
  ];

for (const { name, format, text, line, column, says } of REFUSED) {
  Deno.test(`applyEdits() in ${format} refuses ${name} and reports its position`, () => {
    const error = assertThrows(() => applyEdits(format, text, [hook]), ConfigError, says);
    assertEquals([error.line, error.column], [line, column]);
  });
}

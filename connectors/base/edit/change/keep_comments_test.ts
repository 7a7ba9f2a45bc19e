import { assert, assertEquals } from "@std/assert";
import { applyEdits, removeEdits } from "../config.ts";
import { commentsIn, keepsComments } from "./comments.ts";
import type { Edit, Format, Json } from "../edit.ts";
import { isMap } from "../json_value.ts";

const EDITS: Edit[] = [
  { kind: "entry", path: ["mcp", "signet"], value: { command: "signet-x", args: ["mcp"] }, owns: () => true },
  {
    kind: "item",
    path: ["hooks", "start"],
    value: { command: "signet-x hook", timeout: 5 },
    owns: (value: Json) => isMap(value) && value.command === "signet-x hook",
  },
];

const CASES: { format: Format; before: string; write(text: string): string; left: string }[] = [
  {
    format: "yaml",
    before: "model: x\n",
    write: (text) => text.replace(/^( +)timeout: 5$/m, "$1# mine: longer?\n$1timeout: 5 # was 3"),
    left: "model: x\n      # mine: longer?\n      # was 3\n",
  },
  {
    format: "toml",
    before: 'model = "x"\n',
    write: (text) =>
      text.replace("[mcp.signet]\n", "[mcp.signet]\n# mine\n").replace('["mcp"]', '["mcp"] # all of them'),
    left: 'model = "x"\n# mine\n# all of them\n',
  },
  {
    format: "jsonc",
    before: '{\n  "model": "x"\n}\n',
    write: (text) =>
      text.replace('"command": "signet-x",', '// mine\n      "command": "signet-x", /* and this */'),
    left: '{\n  "model": "x"\n      // mine\n      /* and this */\n}\n',
  },
  {
    format: "json5",
    before: "{\n  model: 'x',\n}\n",
    write: (text) => text.replace(/^( +)command: .signet-x.,$/m, "$1// mine\n$&"),
    left: "{\n  model: 'x',\n      // mine\n}\n",
  },
];

for (const { format, before, write, left } of CASES) {
  Deno.test(`removeEdits() keeps the comments that a user wrote inside our entries: ${format}`, () => {
    const done = applyEdits(format, before, EDITS);
    const edited = write(done.text);
    assert(edited !== done.text, done.text);
    const text = removeEdits(format, edited, EDITS, done.made);
    assert(keepsComments(format, edited, text), text);
    assertEquals(text, left);
    assertEquals(
      removeEdits(format, done.text, EDITS, done.made),
      before,
      "without comments, all of it goes",
    );
  });
}

Deno.test("removeEdits() keeps a comment at the end of a file without a final line break", () => {
  const done = applyEdits("yaml", 'model: "x"', EDITS);
  const edited = done.text.replace(/^mcp:$/m, "mcp: # mine").replace(/$/, " # and mine");
  const left = removeEdits("yaml", edited, EDITS, done.made);
  assert(keepsComments("yaml", edited, left), left);
  assert(left.startsWith('model: "x"\n'), left);
});

Deno.test("commentsIn() finds comments, and nothing in a string", () => {
  const texts = (format: Format, text: string) => commentsIn(format, text).map((comment) => comment.text);
  assertEquals(texts("yaml", 'a: b#c # d\n# e\nf: "# g" # h\ni: don\'t # j\n'), ["# d", "# e", "# h", "# j"]);
  assertEquals(texts("toml", 'a = \'# b\' # c\nd = """\n# e\n"""#f\n'), ["# c", "#f"]);
  assertEquals(texts("jsonc", '{"a": "// b", // c\r\n/* d\n */ "e": "\\"/*"}'), ["// c", "/* d\n */"]);
  assertEquals(texts("json", '{"a": "# // b"}'), []);
});

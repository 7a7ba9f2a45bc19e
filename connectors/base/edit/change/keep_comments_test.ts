import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/yaml";
import { applyEdits, readConfig, removeEdits } from "../config.ts";
import { commentsIn, keepsComments } from "./comments.ts";
import type { Edit, Format, Json } from "../edit.ts";
import { isMap } from "../json_value.ts";
import { DEEP } from "../../testing/deep.ts";
import { draw, SEEDED, seededRandom } from "../../testing/seed.ts";

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
    left: "model: x\n# mine: longer?\n# was 3\n",
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

/** Places for a `|` value: right before our entries, before one of them, inside a list, at the end. */
const BLOCKS: Record<string, (header: string) => string> = {
  "before both": (header) => `name: ${header}\n    text\n    more\n`,
  "with blank lines": (header) => `name: ${header}\n    text\n\n\n`,
  "without text": (header) => `name: ${header}\n\n`,
  "in a map": (header) => `x:\n  name: ${header}\n        text\n`,
  "beside our server": (header) => `mcp:\n  other:\n    text: ${header}\n        text\n\nz: 1\n`,
  "beside our hook": (header) => `hooks:\n  start:\n  - ${header}\n      text\nz: 1\n`,
  "inside a hook": (header) => `hooks:\n  start:\n    - command: ${header}\n          text\n`,
  "before and after": (header) => `name: ${header}\n    text\nmcp: {}\nafter: ${header}\n    text\n`,
  "before each": (header) => `mcp:\n a: ${header}\n     text\nhooks:\n b: ${header}\n     text\n`,
};

/** Every text with one comment more: at the end of a line that has our entries, above it and below it. */
function* commented(text: string, eol: string, isOurs: (line: string) => boolean): Generator<string> {
  const lines = text.split(eol);
  for (const [i, line] of lines.entries()) {
    if (!isOurs(line)) continue;
    const own = `${/^ */.exec(line)?.[0] ?? ""}# mine`;
    yield lines.with(i, `${line} # mine`).join(eol);
    for (const at of [i, i + 1]) yield lines.toSpliced(at, 0, own).join(eol);
    yield lines.toSpliced(i, 0, "# mine").join(eol);
  }
}

const LAYOUTS = [
  { eol: "\n", end: "\n", after: "" },
  { eol: "\n", end: "", after: "" },
  { eol: "\n", end: "\n", after: "zz: |+\n  notes\n" },
  { eol: "\r\n", end: "\r\n", after: "" },
];

const PLACES = LAYOUTS.flatMap((layout) => Object.values(BLOCKS).map((block) => ({ ...layout, block })));
const random = seededRandom();

for (const header of ["|", "|-", "|+", ">", ">-", ">+", "|1+"]) {
  const places = draw(PLACES, DEEP ? Infinity : 4, random);
  Deno.test(`removeEdits() keeps a comment inside our entries out of a ${header} value ${SEEDED}`, () => {
    for (const { eol, end, after, block } of places) {
      const before = block(header).replace(/\n$/, "").replaceAll("\n", eol) + end;
      const done = applyEdits("yaml", before, EDITS);
      assertEquals(removeEdits("yaml", done.text, EDITS, done.made), before);
      const want = before + after;
      const isOurs = (line: string) => line !== "" && !want.includes(line);
      for (const edited of commented(done.text + after, eol, isOurs)) {
        const left = removeEdits("yaml", edited, EDITS, done.made);
        assertEquals(commentsIn("yaml", left).map(({ text }) => text), ["# mine"], left);
        assertEquals(readConfig("yaml", left), readConfig("yaml", want), left);
        assertEquals(parse(left), parse(want), left);
      }
    }
  });
}

Deno.test("removeEdits() keeps a comment inside our entries below a |+ value", () => {
  const before = "name: |+\n    text\n";
  const done = applyEdits("yaml", before, EDITS);
  const edited = done.text.replace("timeout: 5", "timeout: 5 # mine\n      # below");
  assert(edited !== done.text, done.text);
  assertEquals(
    removeEdits("yaml", `${edited}zz: |\n  notes\n`, EDITS, done.made),
    `${before}# mine\n# below\nzz: |\n  notes\n`,
  );
});

Deno.test("removeEdits() keeps a |+ value as it is if blank lines follow our entries", () => {
  const done = applyEdits("yaml", "name: |+\n    text\n", EDITS);
  const spaced = done.text.replace(/^hooks:/m, "\nhooks:") + "\n \n";
  assertEquals(removeEdits("yaml", spaced, EDITS, done.made), "name: |+\n    text\n");
  assertEquals(removeEdits("yaml", `${spaced}z: 1\n`, EDITS, done.made), "name: |+\n    text\nz: 1\n");
  const kept = removeEdits("yaml", spaced.replace(/^mcp:/m, "mcp: # mine"), EDITS, done.made);
  assertEquals(kept, "name: |+\n    text\n# mine\n");
  const clipped = removeEdits("yaml", `${spaced}z: 1\n`.replace("|+", "|"), EDITS, done.made);
  assertEquals(clipped, "name: |\n    text\n\n\n \nz: 1\n", "other blank lines stay");
});

Deno.test("removeEdits() leaves no bracket behind a comment", () => {
  const model: Edit[] = [{ kind: "entry", path: ["model"], value: "x", owns: () => true }];
  const cases: [Format, string, string][] = [
    ["jsonc", '{ "a": 1,\n  // mine\n  "model": "x" }\n', '{ "a": 1\n  // mine\n   }\n'],
    ["json5", "{ a: 1, // mine\r\n  model: 'x', }", "{ a: 1, // mine\r\n   }"],
    ["jsonc", '{ // mine\n  "model": "x" }\n', "{ // mine\n   }\n"],
    ["jsonc", '{ "a": 1, // mine\n  "model": "x", "b": 2 }', '{ "a": 1, // mine\n   "b": 2 }'],
    ["yaml", "{ a: 1, # mine\n  model: x }\n", "{ a: 1 # mine\n   }\n"],
    ["jsonc", '{ "a": 1, // mine\n  "model": "x"\n}\n', '{ "a": 1 // mine\n}\n'],
    ["jsonc", '{ "a": 1, /* mine */\n  "model": "x" }\n', '{ "a": 1 /* mine */ }\n'],
  ];
  for (const [format, edited, left] of cases) assertEquals(removeEdits(format, edited, model), left);
});

Deno.test("commentsIn() finds comments, and nothing in a string", () => {
  const texts = (format: Format, text: string) => commentsIn(format, text).map((comment) => comment.text);
  assertEquals(texts("yaml", 'a: b#c # d\n# e\nf: "# g" # h\ni: don\'t # j\n'), ["# d", "# e", "# h", "# j"]);
  assertEquals(texts("toml", 'a = \'# b\' # c\nd = """\n# e\n"""#f\n'), ["# c", "#f"]);
  assertEquals(texts("jsonc", '{"a": "// b", // c\r\n/* d\n */ "e": "\\"/*"}'), ["// c", "/* d\n */"]);
  assertEquals(texts("json", '{"a": "# // b"}'), []);
});

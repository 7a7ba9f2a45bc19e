import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { verify, verifyWhole } from "../../install/verify.ts";
import { DEEP } from "../../testing/deep.ts";
import { randomDoc, write } from "../../testing/random_docs.ts";
import { USER_EDITS } from "../../testing/random_user_edit.ts";
import { SEED, SEEDED, seededRandom } from "../../testing/seed.ts";
import { applyEdits } from "../config.ts";
import type { Edit, Format } from "../edit.ts";
import { SYNTAX } from "../formats/formats.ts";
import { outlines } from "./outline.ts";
import { LARGE } from "./sections.ts";
import { ConfigError, entryOf, toJson } from "../tree.ts";

const HOOK: Edit = {
  kind: "item",
  path: ["hooks", "start"],
  value: { command: "OURS" },
  owns: (value) => JSON.stringify(value).includes("OURS"),
};
const isHooks = (key: string) => key === "hooks";
const FORMATS: readonly Format[] = ["yaml", "toml", "jsonc", "json5", "json"];
/** How many large texts of each format are verified twice. */
const VERIFIED = DEEP ? 1_000 : 8;
/** One value makes any document a large one. */
const LONG = "x ".repeat(LARGE / 2);

const SECTIONS: { format: Format; text: string; sections: [string, string][] | undefined }[] = [
  {
    format: "yaml",
    text: '\uFEFF# c\n---\na: 1\n\n# c\nb c:\n- x\n- y\n\n"q:q":\n  |\n  a: 1\n\n\nlast: [\n  1]',
    sections: [["a", "a: 1\n"], ["b c", "b c:\n- x\n- y\n"], ["q:q", '"q:q":\n  |\n  a: 1\n'], [
      "last",
      "last: [\n  1]",
    ]],
  },
  { format: "yaml", text: "a:\n  x: 1\n# c\n  y: 2\n", sections: [["a", "a:\n  x: 1\n# c\n  y: 2\n"]] },
  { format: "yaml", text: "{a: 1}\n", sections: undefined },
  { format: "yaml", text: "- a\n", sections: undefined },
  { format: "yaml", text: "  a: 1\n", sections: undefined },
  { format: "yaml", text: "a: 1\n---\nb: 2\n", sections: undefined },
  { format: "yaml", text: "--- {a: 1}\n", sections: undefined },
  { format: "yaml", text: "? a\n: 1\n", sections: undefined },
  { format: "yaml", text: "<<: *a\n", sections: undefined },
  { format: "yaml", text: "a: [\n1]\n]\n", sections: undefined },
  {
    format: "toml",
    text:
      '\uFEFFa = 1 # c\n"b".c = """\n[no]\n"""\n[t.x] # c\nk = [\n[1], # ]\n]\n\n[[t.y]]\n[ "q" ]\ns = \'\'\'\'x\'\'\'\'\n',
    sections: [
      ["a", "a = 1"],
      ["b", '"b".c = """\n[no]\n"""'],
      ["t", "[t.x] # c\nk = [\n[1], # ]\n]"],
      ["t", "[[t.y]]"],
      ["q", "[ \"q\" ]\ns = ''''x''''"],
    ],
  },
  {
    format: "jsonc",
    text: '/* { */ {"a": "}\\"", // }\n "b\\u0063": [1, {"d": 2},], /* , */}',
    sections: [["a", '"a": "}\\""'], ["bc", '"b\\u0063": [1, {"d": 2},]']],
  },
  { format: "json5", text: "{a: 1, 'b': +.5}", sections: [["a", "a: 1"], ["b", "'b': +.5"]] },
  { format: "json", text: "[1]", sections: undefined },
  { format: "json", text: "{}", sections: [] },
];

Deno.test("Syntax.sections() finds the entries at the top of a config, or nothing", () => {
  for (const { format, text, sections } of SECTIONS) {
    const found = SYNTAX[format].sections(text)?.map(({ key, start, end }) => [key, text.slice(start, end)]);
    assertEquals(found, sections, text);
  }
});

const section = (i: number) =>
  `section_${i}:\n  name: "value ${i}" # note\n  text: |\n    hooks:\n      start: not yaml\n`;
const filler = Array.from({ length: 2000 }, (_, i) => section(i)).join("");

const LARGE_YAML: Record<string, string> = {
  "with hooks in the middle": filler + "hooks:\n  start:\n    - lint\n" +
    filler.replaceAll("section_", "more_"),
  "without hooks": filler,
  "with an anchor in the hooks": "all: &all [a]\n" + filler + "hooks:\n  start: *all\n",
  "with an alias in the last section": "all: &all [a]\n" + filler +
    "last:\n  x: *all\n  y: &y\n    z: *all\n",
  "with custom tags": filler.replaceAll('"value 7', '!env "value 7') + "hooks:\n  start: !list [lint]\n",
  "with quoted keys": filler + '"hooks":\n  start: [lint]\n',
  "with a flow value over several lines": filler + "list: [a,\n  b]\nhooks: {start: [x]}\n",
  "without a final line break": filler + "hooks:\n  start: lint",
  "with a start of the document": "# mine\n---\n" + filler,
  "with CRLF": (filler + "hooks:\n  start: lint\n").replaceAll("\n", "\r\n"),
};

for (const [name, text] of Object.entries(LARGE_YAML)) {
  Deno.test(`applyEdits() in a large YAML file ${name} reads the sections that matter, and writes what it should`, () => {
    assert(SYNTAX.yaml.readSections(text, isHooks), "it was read as a whole");
    const done = applyEdits("yaml", text, [HOOK]);
    assert(outlines("yaml", text, done.text, isHooks), "it was compared as a whole");
    assertEquals(verifyWhole("yaml", text, done.text, [HOOK], { installed: true }), undefined);
    assertEquals(verify("yaml", text, done.text, [HOOK], { installed: true }), undefined);
    assertEquals(applyEdits("yaml", done.text, [HOOK]).changed, false);
  });
}

Deno.test("applyEdits() in a large YAML file indents like the start of the file", () => {
  const text = filler.replaceAll("  ", "    ");
  assertStringIncludes(
    applyEdits("yaml", text, [HOOK]).text,
    "hooks:\n    start:\n        - command: OURS\n",
  );
});

Deno.test("applyEdits() in a large YAML file refuses to change a value that an alias shares, wherever it is", () => {
  const text = "hooks:\n  start: &all [a]\n" + filler + "mine: *all\n" +
    filler.replaceAll("section_", "more_");
  const error = assertThrows(() => applyEdits("yaml", text, [HOOK]), ConfigError);
  assertStringIncludes(error.message, "this alias shares the value of line 2");
});

Deno.test(`Syntax.readSections() reads a section like the whole file does ${SEEDED}`, () => {
  for (const format of FORMATS) {
    fc.assert(
      fc.property(randomDoc, (doc) => {
        const text = write(format, doc);
        const { read, readSections } = SYNTAX[format];
        const part = readSections(text, isHooks);
        if (!part || part.kind !== "map") return;
        const [some, all] = [entryOf(part, "hooks"), entryOf(read(text), "hooks")];
        assertEquals([some?.start, some?.value.start, some?.value.end], [
          all?.start,
          all?.value.start,
          all?.value.end,
        ]);
        if (some && all) assertEquals(toJson(some.value), toJson(all.value));
      }),
      { seed: SEED, numRuns: DEEP ? 2_000 : 60 },
    );
  }
});

for (const format of FORMATS) {
  Deno.test(`verify() of a large ${format} file says what verifyWhole() says ${SEEDED}`, () => {
    const random = seededRandom();
    let outlined = 0;
    fc.assert(
      fc.property(randomDoc, fc.constantFrom(...Object.keys(USER_EDITS)), (doc, name) => {
        const value = { long: LONG, ...doc.value, longer: LONG };
        const text = write(format, { ...doc, value });
        let done: string;
        try {
          done = applyEdits(format, text, [HOOK]).text;
        } catch (error) {
          if (error instanceof ConfigError) return;
          throw error;
        }
        if (outlines(format, text, done, isHooks)) outlined++;
        assertEquals(verify(format, text, done, [HOOK], { installed: true }), undefined);
        const changed = USER_EDITS[name]?.(done, format, random) ?? done;
        const whole = verifyWhole(format, text, changed, [HOOK], { installed: true });
        assertEquals(verify(format, text, changed, [HOOK], { installed: true }), whole, changed);
      }),
      { seed: SEED, numRuns: VERIFIED },
    );
    assert(outlined > VERIFIED / 10, `only ${outlined} texts had outlines`);
  });
}

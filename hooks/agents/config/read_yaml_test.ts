import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { readConfig } from "../../../connectors/base/edit/config.ts";
import { readYaml, YamlProblem } from "./read_yaml.ts";

Deno.test("readYaml() reads keys, lists, texts and one level of keys", () => {
  const { fields, lines } = readYaml(`# my agents
---
rules:   # in plain words
  - Ask codex for reviews.
  - 'It''s fine: # no comment'
  - |
    two
      lines

flow: roundtrip
allow: [laptop, "ser\\u0076er", 'a, b']  # mine
deny: []
perTenMinutes: 20
start:
  codex:
  - --sandbox
  - read-only
rulesFor:
  claude-code: |-
    Only reviews.
locks:
`);
  assertEquals(fields, {
    rules: ["Ask codex for reviews.", "It's fine: # no comment", "two\n  lines\n"],
    flow: "roundtrip",
    allow: ["laptop", "server", "a, b"],
    deny: [],
    perTenMinutes: 20,
    start: { codex: ["--sandbox", "read-only"] },
    rulesFor: { "claude-code": "Only reviews." },
    locks: null,
  });
  assertEquals([lines.get("flow"), lines.get("start.codex"), lines.get("locks")], [10, 15, 21]);
});

Deno.test("readYaml() does not mind CRLF and a byte order mark", () => {
  assertEquals(readYaml("\ufeffrules: |\r\n  a\r\n  b\r\nlocks: on\r\n").fields, {
    rules: "a\nb\n",
    locks: "on",
  });
  assertEquals(readYaml("").fields, {});
});

const PROBLEMS: readonly [text: string, line: number, message: RegExp][] = [
  ["a: 1\n\tb: 2", 2, /tab/],
  ["a:\tb", 1, /tab/],
  ["a: 1\nb: 2\na: 3", 3, /twice.*line 1/],
  ["a:\n  b: 1\n  b: 2", 3, /twice/],
  ["a: &x 1", 1, /anchors/],
  ["a: [b]\nc: *a", 2, /anchors/],
  ["a: *", 1, /anchors/],
  ["a: !!str b", 1, /quotes/],
  ["<<: *a", 1, /key/],
  ["a: {b: c}", 1, /quotes/],
  ["a: >\n  b", 1, /use \|/],
  ["a: |2\n  b", 1, /quotes/],
  ["a: |+\n  b", 1, /quotes/],
  ["a: b: c", 1, /colon/],
  ["a:\n  - b: c", 2, /colon/],
  ["a:\n  - - b", 2, /quotes/],
  ["a:\n  - [b]", 2, /another list/],
  ["a:\n  b:\n    c: d", 3, /two levels/],
  ["a: b\n  c", 2, /indented/],
  ["  a: b", 1, /indented/],
  ["a:\n  b: 1\n    c: 2", 3, /indented/],
  ["a:\n  - b\n c: 2", 3, /indented/],
  ["a: [b,\n  c]", 1, /one line/],
  ["a: [b, ]", 1, /comma/],
  ["a: [b] c", 1, /after the value/],
  ["a: 'b' c", 1, /after the value/],
  ["a: 'b", 1, /quote/],
  ['a: "b\\q"', 1, /escape/],
  ['a: "\\ud800"', 1, /half/],
  ["a: 1e3", 1, /quotes/],
  ["a: 0x1f", 1, /quotes/],
  ["a: 007", 1, /quotes/],
  ["a: .inf", 1, /quotes/],
  ["a: -.1", 1, /quotes/],
  ["a: 2026-11-17", 1, /quotes/],
  ["a: b\u0000", 1, /character/],
  ["a: b\rc: d", 1, /character/],
  ["a: b\n---\nc: d", 2, /key/],
  ["%YAML 1.2\n---\na: b", 1, /key/],
  ["- a", 1, /key/],
  ["just words", 1, /key/],
  ['"a": b', 1, /key/],
  ["a: \ud800", 1, /UTF-8/],
];

Deno.test("readYaml() names the line of what it does not read", () => {
  for (const [text, line, message] of PROBLEMS) {
    const problem = assertThrows(() => readYaml(text), YamlProblem);
    assertEquals([problem.line, message.test(problem.message)], [line, true], `${text}: ${problem.message}`);
  }
});

Deno.test("readYaml() refuses an alias bomb before it expands", () => {
  const levels = Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} [*l${i}, *l${i}]`);
  assertThrows(() => readYaml(["l0: &l0 [a]", ...levels].join("\n")), YamlProblem, "anchors");
});

/** Lines that are likely to be YAML, and likely not to be quite it. */
const line = fc.oneof(
  fc.constantFrom(
    "a: b",
    "a:",
    "bc: 'x y'",
    "  - a",
    "- b",
    "  c: d",
    "    deep",
    "d: |",
    "e: |-",
    "  text # here",
    "",
    "   ",
    "# note",
    "  # note",
    "f: [a, 'b, c', \"d\"] # e",
    "g: x#y",
    "h: x #y",
    "i: -x",
    "j: -1",
    "k: ?x",
    "l: :x",
    "m: a:b",
    "n: 12",
    "o: true",
    "p: ~",
    "q: 'it''s'",
    'r: "\\n\\u00e9"',
    "s : t",
    "t: []",
    "---",
    "u: [ ]",
    "v: [a b , c]",
    "  - |",
    "      more",
    "w: a'b",
    "x: [a'b, c\"d]",
    "y: a, b",
    "z: [-x]",
  ),
  fc.tuple(
    fc.constantFrom("A: ", "  B: ", "  - ", "C: [", "  "),
    fc.string({ unit: fc.constantFrom(..."ab: #-'\"[],{}|>&*?!%@`~\\.1 "), maxLength: 8 }),
  ).map(([start, rest]) => start + rest),
);

Deno.test("readYaml() reads what it accepts as a YAML parser does", () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      (lines, end) => {
        const text = lines.join(end);
        let fields;
        try {
          fields = readYaml(text).fields;
        } catch (error) {
          if (error instanceof YamlProblem) return;
          throw error;
        }
        if (Object.keys(fields).length > 0) accepted++;
        const reading = readConfig("yaml", text);
        const value = reading.kind === "parsed" ? reading.value ?? {} : reading;
        assertEquals(fields, value as unknown, JSON.stringify(text));
      },
    ),
    { seed: 17, numRuns: 3_000 },
  );
  if (accepted < 30) throw new Error(`Only ${accepted} documents were accepted: the property says little.`);
});

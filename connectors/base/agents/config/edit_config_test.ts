import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../../testing/any_text.ts";
import { readYaml, YamlProblem } from "../../../../hooks/agents/config/read_yaml.ts";
import { configTemplate } from "./config_template.ts";
import { setInText, unsetInText } from "./edit_config.ts";

const FILE = `# top
rules:   # my rules
  - one   # first
  # about two
  - two
# locks
locks: on  # mode
allow: [a, b]  # who
start:
  # for codex
  codex: [--sandbox, read-only]
rulesFor:
  gemini: |
    Only tests.
# end
`;

function commentsIn(text: string): string[] {
  return [...text.matchAll(/# [a-z ]+$/gm)].map(([comment]) => comment).sort();
}

Deno.test("setInText() changes one value and keeps every other byte", () => {
  assertEquals(setInText(FILE, ["locks"], "strict"), FILE.replace("locks: on", "locks: strict"));
  assertEquals(setInText(FILE, ["allow"], ["b", "c d"]), FILE.replace("[a, b]", "[b, 'c d']"));
  assertEquals(setInText(FILE, ["rules"], ["one", "three"]), FILE.replace("- two", "- three"));
  assertEquals(setInText(FILE, ["perTenMinutes"], 5), `${FILE}perTenMinutes: 5\n`);
  assertEquals(
    setInText(FILE, ["start", "gemini"], ["-x"]),
    FILE.replace("read-only]\n", "read-only]\n  gemini: ['-x']\n"),
  );
  const crlf = `\ufeff${FILE.replaceAll("\n", "\r\n")}`;
  assertEquals(setInText(crlf, ["locks"], "strict"), crlf.replace("locks: on", "locks: strict"));
});

Deno.test("setInText() and unsetInText() keep all comments", () => {
  for (const [path, value] of [[["rules"], ["x"]], [["allow"], []], [["locks"], "off"]] as const) {
    assertEquals(commentsIn(setInText(FILE, path, value)), commentsIn(FILE), path.join("."));
  }
  for (const path of [["rules"], ["locks"], ["allow"], ["start", "codex"], ["rulesFor"]]) {
    const text = unsetInText(FILE, path);
    assertEquals(commentsIn(text), commentsIn(FILE), path.join("."));
    assertEquals(readYaml(text).lines.has(path.join(".")), false);
  }
  assertEquals(unsetInText(FILE, ["deny"]), FILE);
});

Deno.test("setInText() starts a file, and one that has only comments", () => {
  assertEquals(setInText(undefined, ["locks"], "off"), "locks: 'off'\n");
  assertEquals(setInText("# mine", ["allow"], ["x"]), "# mine\nallow: [x]\n");
  for (const scope of ["user", "project", "local"] as const) {
    const template = configTemplate(scope);
    assertEquals(readYaml(template).fields, {});
    assertStringIncludes(setInText(template, ["rules"], ["a", "b"]), template);
  }
});

Deno.test("setInText() does not touch a file that hooks cannot read", () => {
  for (const text of ["a: &x 1\n", "a: {b: c}\n", "a: 1\na: 2\n", "\ta: 1\n"]) {
    assertThrows(() => setInText(text, ["locks"], "off"), YamlProblem);
    assertThrows(() => unsetInText(text, ["a"]), YamlProblem);
  }
});

Deno.test("setInText() writes any text so that hooks read the same", () => {
  const text = anyText.map((each) => each.toWellFormed());
  fc.assert(
    fc.property(
      fc.uniqueArray(text, { maxLength: 4 }),
      fc.uniqueArray(text, { maxLength: 4 }),
      (first, then) => {
        const once = setInText(FILE, ["rules"], first);
        assertEquals(readYaml(once).fields.rules, first);
        const twice = setInText(once, ["rules"], then);
        assertEquals(new Set(values(readYaml(twice).fields.rules)), new Set(then));
      },
    ),
    { seed: 5, numRuns: 50 },
  );
});

function values(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

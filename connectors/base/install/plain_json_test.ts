import { parse as parseJsonc } from "@std/jsonc";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import json5 from "json5";
import { DEEP } from "../testing/deep.ts";
import { randomDoc, write } from "../testing/random_docs.ts";
import { SEED, SEEDED } from "../testing/seed.ts";
import { plainJson } from "./plain_json.ts";

const PARSERS = {
  jsonc: (text: string): unknown => parseJsonc(text),
  json5: (text: string): unknown => json5.parse(text),
};

type Outcome = { readonly value: unknown } | undefined;

function outcome(parse: () => unknown): Outcome {
  try {
    return { value: parse() };
  } catch {
    return undefined;
  }
}

/** The value that the runtime finds in the strict JSON, if it accepts it. */
function quickly(format: keyof typeof PARSERS, text: string): Outcome {
  const plain = plainJson(format, text);
  return plain === undefined ? undefined : outcome(() => JSON.parse(plain));
}

const SOUP = [
  ..."{}[]:,'\"\\/",
  " ",
  "\n",
  "\t",
  "//",
  "/*",
  "*/",
  "// c\n",
  "/* , */",
  '"a"',
  '"b\\"c"',
  '"//"',
  '"/* "',
  "'x'",
  "'it\"s'",
  "'\\''",
  "\\\n",
  "name",
  "$n:",
  "true",
  "null",
  "NaN",
  "1",
  ".5",
  "0x1F",
  "-",
  "é",
  "\u2028",
];

for (const format of ["jsonc", "json5"] as const) {
  Deno.test(`plainJson() of ${format} never means what the library does not read ${SEEDED}`, () => {
    const soup = fc.array(fc.constantFrom(...SOUP), { maxLength: 14 }).map((parts) => parts.join(""));
    const wrapped = fc.tuple(fc.constantFrom("[]", "{}", "  "), soup).map(([[open, close], text]) =>
      `${open}${text}${close}`
    );
    fc.assert(
      fc.property(wrapped, (text) => {
        const quick = quickly(format, text);
        if (quick) assertEquals(outcome(() => PARSERS[format](text)), quick, text);
      }),
      { seed: SEED, numRuns: DEEP ? 20_000 : 5_000 },
    );
  });

  Deno.test(`plainJson() of ${format} gives the value of a config ${SEEDED}`, () => {
    let count = 0;
    fc.assert(
      fc.property(randomDoc, (doc) => {
        const text = write(format, doc);
        const quick = quickly(format, text);
        if (!quick) return;
        count++;
        assertEquals(quick, { value: PARSERS[format](text) }, text);
      }),
      { seed: SEED, numRuns: 500 },
    );
    assert(count > 0, "no config was read as strict JSON");
  });
}

Deno.test("plainJson() writes comments, names, quotes and last commas as strict JSON has them", () => {
  const text = `{ // a "comment"\n a: 'x', "b": [1, 2 , ], /* c, } */ $c: {"d": "// no, }",},\n}`;
  const plain = plainJson("json5", text);
  assertEquals(plain && JSON.parse(plain), { a: "x", b: [1, 2], $c: { d: "// no, }" } });
});

Deno.test("plainJson() leaves the rest to the library", () => {
  for (
    const text of ["[,]", "{,}", "[ // x\n,]", '["a\\\n"]', "[.5]", "[1,,]", "{a 1}", '["a /* \\\n */"]']
  ) {
    assertEquals(quickly("json5", text), undefined, text);
  }
  for (const text of ["{a: 1}", "['x']", "{$:1}"]) assertEquals(quickly("jsonc", text), undefined, text);
});

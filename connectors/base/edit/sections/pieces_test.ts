import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readIndependently } from "../../install/verify.ts";
import { DEEP } from "../../testing/deep.ts";
import { randomDoc, write } from "../../testing/random_docs.ts";
import { SEED, SEEDED } from "../../testing/seed.ts";
import type { Format, Json } from "../edit.ts";
import { isMap, same } from "../json_value.ts";
import { sectionsOf } from "./outline.ts";
import { confirms, valuesAt } from "./pieces.ts";
import type { Section } from "./sections.ts";

const FORMATS: readonly Format[] = ["yaml", "toml", "jsonc", "json5", "json"];
/** A value that fills a piece. */
const LONG = "x ".repeat(17_000);

/** A document with a long value after each of its entries. */
function stretched(value: { [key: string]: Json }): { [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item], i) => [[key, item], [`long${i}`, LONG]]),
  );
}

const RUNS = DEEP ? 1_000 : 10;
const reader = (format: Format) => (text: string) => readIndependently(format, text);

for (const format of FORMATS) {
  Deno.test(`confirms() agrees with a parser that reads the whole ${format} text ${SEEDED}`, () => {
    let confirmed = 0;
    fc.assert(
      fc.property(randomDoc, (doc) => {
        const text = write(format, { ...doc, value: stretched(doc.value) });
        const sections = sectionsOf(format, text);
        if (!sections || !confirms(format, text, sections, reader(format))) return;
        confirmed++;
        const whole = readIndependently(format, text);
        assert(isMap(whole), text);
        const keys = new Set(sections.map(({ key }) => key));
        assertEquals(new Set(Object.keys(whole)), keys);
        const values = valuesAt(format, text, sections, keys, reader(format));
        for (const key of keys) assert(same(values.get(key), whole[key]), `${key} in ${text}`);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    assert(confirmed > RUNS / 10, `only ${confirmed} texts were confirmed`);
  });
}

const entry = (format: Format, key: string, value: string) =>
  ({ yaml: `${key}: "${value}"\n`, toml: `[${key}]\nv = "${value}"\n` })[format as string] ??
    `"${key}": "${value}",\n`;

/** A text of entries, one of them long, so that it has two pieces. */
function textOf(format: Format, entries: readonly (readonly [string, string])[]): string {
  const body = entries.map(([key, value]) => entry(format, key, value)).join("");
  return format.startsWith("json") ? `{${body}"end": 1}\n` : body;
}

for (const format of FORMATS) {
  Deno.test(`confirms() refuses sections that are not those of the ${format} text`, () => {
    const text = textOf(format, [["a", LONG], ["b", "1"], ["c", LONG], ["d", "2"]]);
    const sections = sectionsOf(format, text);
    assert(sections);
    const isConfirmed = (list: readonly Section[]) => confirms(format, text, list, reader(format));
    assertEquals(isConfirmed(sections), true);
    assertEquals(isConfirmed([]), false);
    for (const [i, section] of sections.entries()) {
      assertEquals(isConfirmed(sections.toSpliced(i, 1)), false, `without ${section.key}`);
      assertEquals(isConfirmed(sections.with(i, { ...section, key: "other" })), false, section.key);
    }
    // A cut inside of a value.
    const inside = { key: "x", start: 20_000, valueStart: 20_000, end: 20_100 };
    assertEquals(
      isConfirmed(sections.toSpliced(1, 0, { ...inside, start: text.indexOf(LONG) + 33_000 })),
      false,
    );
  });

  Deno.test(`confirms() refuses a key of ${format} that two pieces have`, () => {
    const text = textOf(format, [["a", "1"], ["b", LONG], ["c", LONG], ["a", "2"]]);
    // Our reader of JSON refuses such a text itself.
    const sections = sectionsOf(format, text);
    if (sections) assertEquals(confirms(format, text, sections, reader(format)), false);
  });
}

Deno.test("confirms() reads all TOML tables of a key together", () => {
  const twice = (second: string) =>
    `[a.x]\nv = 1\n[b]\nlong = "${LONG}"\n[c]\nlong = "${LONG}"\n[${second}]\nv = 2\n`;
  const isConfirmed = (text: string) =>
    confirms("toml", text, sectionsOf("toml", text) ?? [], reader("toml"));
  assertEquals(isConfirmed(twice("a.y")), true);
  assertEquals(isConfirmed(twice("a.x")), false);
  assertEquals(isConfirmed(twice("[a.x]")), false);
  assertEquals(isConfirmed(twice("a.x.v")), false);
});

Deno.test("confirms() refuses a YAML alias whose anchor is in another piece: only the whole file has its value", () => {
  const text = `a: &x [1]\nlong: "${LONG}"\nmore: "${LONG}"\nb: *x\n`;
  assertEquals(confirms("yaml", text, sectionsOf("yaml", text) ?? [], reader("yaml")), false);
});

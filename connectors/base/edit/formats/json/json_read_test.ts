import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DEEP } from "../../../testing/deep.ts";
import { randomDoc, write } from "../../../testing/random_docs.ts";
import { SEED, SEEDED } from "../../../testing/seed.ts";
import type { Section } from "../../sections/sections.ts";
import { ConfigError } from "../../tree.ts";
import { jsonSections } from "./json_read.ts";

const DIALECTS = {
  json: { comments: false, trailingCommas: false, json5: false },
  jsonc: { comments: true, trailingCommas: true, json5: false },
  json5: { comments: true, trailingCommas: true, json5: true },
};

const INSERTED = [
  "",
  " ",
  "\n",
  ",",
  '"new": 1,\n',
  '\n"new": {"a": [1]},\n',
  '"hooks": 2,',
  '"a": 1,\n"a": 2,\n',
  "}",
  "{",
  '"',
  "'",
  "// c\n",
  "/*",
  "*/",
  "x",
  "\\",
];

for (const [format, allows] of Object.entries(DIALECTS)) {
  Deno.test(`jsonSections() of ${format} that was changed gives what it gives without the text before ${SEEDED}`, () => {
    let reused = 0;
    const outcome = (make: () => readonly Section[] | undefined) => {
      try {
        return make();
      } catch (error) {
        if (error instanceof ConfigError) return [error.line, error.column, error.message];
        throw error;
      }
    };
    fc.assert(
      fc.property(
        randomDoc,
        fc.nat(),
        fc.nat(30),
        fc.constantFrom(...INSERTED),
        (doc, at, removed, inserted) => {
          const before = write(format === "json5" ? "json5" : format === "json" ? "json" : "jsonc", doc);
          const value = jsonSections(before, allows);
          const start = at % (before.length + 1);
          const after = before.slice(0, start) + inserted + before.slice(start + removed);
          const fresh = outcome(() => jsonSections(after, allows));
          const changed = outcome(() => jsonSections(after, allows, { text: before, value }));
          assertEquals(changed, fresh, JSON.stringify([before, after]));
          if (value && value.length > 1) reused++;
        },
      ),
      { seed: SEED, numRuns: DEEP ? 20_000 : 300 },
    );
    assert(reused > 0, "no text had sections to use again");
  });
}

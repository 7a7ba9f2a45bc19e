import { assert } from "@std/assert";
import { verify } from "../install/verify.ts";
import { DEEP } from "../testing/deep.ts";
import { assertLinear, growingText } from "../testing/growth.ts";
import { FORMATS, largeConfig } from "../testing/large_configs.ts";
import { draw, SEEDED, seededRandom } from "../testing/seed.ts";
import { applyEdits } from "./config.ts";
import type { Edit, Format } from "./edit.ts";
import { splicesBetween } from "./text/rebase.ts";

const HOOK: Edit = {
  kind: "item",
  path: ["hooks", "start"],
  value: { command: "OURS" },
  owns: (value) => JSON.stringify(value).includes("OURS"),
};
const lines = (line: (i: number) => string) => (size: number) => {
  let text = "";
  for (let i = 0; text.length < size; i++) text += line(i);
  return text;
};
const inBraces = (line: (i: number) => string) => (size: number) => `{\n${lines(line)(size)}"end": 1}\n`;

/** Texts that make a careless reader look at the rest of the file again and again. */
const TEXTS: Record<string, { format: Format; text: (size: number) => string }> = {
  ...Object.fromEntries(
    FORMATS.map((format) => [`sections of ${format}`, { format, text: (size) => largeConfig(format, size) }]),
  ),
  "yaml with lines of spaces": { format: "yaml", text: (size) => `a: 1\n${lines(() => " \n")(size)}b: 2\n` },
  "yaml with comments": { format: "yaml", text: (size) => `a: 1\n${lines(() => "# it's\n")(size)}b: 2\n` },
  "yaml with tags": { format: "yaml", text: lines((i) => `k${i}: !env "v"\n`) },
  "yaml with an anchor": {
    format: "yaml",
    text: (size) => `a: &a 1\n${lines((i) => `k${i}: "*a"\n`)(size)}`,
  },
  "toml with strings": { format: "toml", text: lines((i) => `k${i} = "v # '"\n`) },
  "toml with lists": { format: "toml", text: lines((i) => `k${i} = [\n["v"], # ]\n]\n`) },
  "jsonc with globs": { format: "jsonc", text: inBraces((i) => `"k${i}": "src/**/*", // "\n`) },
  "json5 with keys": { format: "json5", text: inBraces((i) => `k${i}: '//',\n`) },
  "json with a long string": { format: "json", text: (size) => `{"a": "${"\\n".repeat(size / 2)}"}` },
};

let calls = 0;

/** Other ones in each run, or all in a deep run. */
const TRIED = draw(Object.entries(TEXTS), DEEP ? Infinity : 2, seededRandom());

for (const [name, { format, text }] of TRIED) {
  Deno.test(`applyEdits(), verify() and splicesBetween() take time in proportion to ${name} ${SEEDED}`, () => {
    assertLinear(name, growingText(text), (text) => {
      // Results for long texts are remembered, so each is a new one.
      const before = text + " ".repeat(calls++ % 100) + "\n";
      const after = applyEdits(format, before, [HOOK]).text;
      assert(verify(format, before, after, [HOOK], { installed: true }) === undefined);
      splicesBetween(before, after);
    });
  });
}

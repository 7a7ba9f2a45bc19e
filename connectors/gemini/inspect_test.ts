import { assertEquals } from "@std/assert";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { gemini } from "./harness.ts";
import { inspect } from "./inspect.ts";

const CASES: [string, unknown, boolean][] = [
  ["no setting is present", {}, true],
  ["another hook is off", { hooksConfig: { enabled: true, disabled: ["mine"] } }, true],
  ["all hooks are off", { hooksConfig: { enabled: false } }, false],
  ["our hook is off", { hooksConfig: { disabled: ["signet"] } }, false],
];
for (const [title, settings, ok] of CASES) {
  Deno.test(`inspect() of Gemini CLI ${ok ? "passes" : "fails"} where ${title}`, async () => {
    const files = { "/home/u/.gemini/settings.json": JSON.stringify(settings) };
    assertEquals((await inspect(placeholderSite(gemini, { files })))[0]?.ok, ok);
  });
}

import { assertEquals } from "@std/assert";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { qwen } from "./harness.ts";
import { inspect } from "./inspect.ts";

const CASES: [string, unknown, boolean][] = [
  ["no setting is present", {}, true],
  ["the setting is false", { disableAllHooks: false }, true],
  ["all hooks are off", { disableAllHooks: true }, false],
];
for (const [title, settings, ok] of CASES) {
  Deno.test(`inspect() of Qwen Code ${ok ? "passes" : "fails"} where ${title}`, async () => {
    const files = { "/home/u/.qwen/settings.json": JSON.stringify(settings) };
    assertEquals((await inspect(placeholderSite(qwen, { files })))[0]?.ok, ok);
  });
}

import { assertEquals } from "@std/assert";
import { paperSite } from "../base/site/placeholder_site.ts";
import { inspect } from "./inspect.ts";

const CASES: [string, unknown, boolean][] = [
  ["nothing is said", {}, true],
  ["another hook is off", { hooksConfig: { enabled: true, disabled: ["mine"] } }, true],
  ["all hooks are off", { hooksConfig: { enabled: false } }, false],
  ["ours is off", { hooksConfig: { disabled: ["signet"] } }, false],
];
for (const [title, settings, ok] of CASES) {
  Deno.test(`inspect() of Gemini CLI is ${ok ? "content" : "not content"} where ${title}`, async () => {
    const files = { "/home/u/.gemini/settings.json": JSON.stringify(settings) };
    assertEquals((await inspect(paperSite({ files })))[0]?.ok, ok);
  });
}

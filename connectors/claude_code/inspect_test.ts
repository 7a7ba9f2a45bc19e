import { assertEquals } from "@std/assert";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { claudeCode } from "./harness.ts";
import { inspect } from "./inspect.ts";

const SETTINGS = "/home/u/.claude/settings.json";

for (
  const [text, ok] of [["{}", true], ['{"disableAllHooks": false}', true], [
    '{"disableAllHooks": true}',
    false,
  ]] as const
) {
  Deno.test(`inspect() ${ok ? "passes" : "fails"} with ${text}`, async () => {
    const findings = await inspect(placeholderSite(claudeCode, { files: { [SETTINGS]: text } }));
    assertEquals(findings.map((finding) => [finding.ok, finding.fix === undefined]), [[ok, ok]]);
  });
}

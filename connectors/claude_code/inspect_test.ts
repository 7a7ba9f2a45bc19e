import { assertEquals } from "@std/assert";
import { paperSite } from "../base/site/placeholder_site.ts";
import { inspect } from "./inspect.ts";

const SETTINGS = "/home/u/.claude/settings.json";

for (
  const [text, ok] of [["{}", true], ['{"disableAllHooks": false}', true], [
    '{"disableAllHooks": true}',
    false,
  ]] as const
) {
  Deno.test(`inspect() ${ok ? "is content with" : "objects to"} ${text}`, async () => {
    const found = await inspect(paperSite({ files: { [SETTINGS]: text } }));
    assertEquals(found.map((finding) => [finding.ok, finding.fix === undefined]), [[ok, ok]]);
  });
}

import { assertEquals, assertStringIncludes } from "@std/assert";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { openclaw } from "./harness.ts";
import { inspect } from "./inspect.ts";

const DIR = "/home/u/.openclaw";
const OURS = { enabled: true, hooks: { allowConversationAccess: true } };

const CASES: [string, unknown, string | undefined][] = [
  ["all is in place", { entries: { "signet-connector": OURS } }, undefined],
  ["no plugin runs", { enabled: false, entries: { "signet-connector": OURS } }, "plugins.enabled"],
  [
    "the plugin is denied",
    { deny: ["signet-connector"], entries: { "signet-connector": OURS } },
    "plugins.deny",
  ],
  ["others are allowed", { allow: ["browser"], entries: { "signet-connector": OURS } }, "plugins.allow"],
  [
    "it may not see conversations",
    { entries: { "signet-connector": { enabled: true } } },
    "may not see conversations",
  ],
];
for (const [title, plugins, problem] of CASES) {
  Deno.test(`inspect() of OpenClaw ${problem ? "names the setting" : "passes"} where ${title}`, async () => {
    const files = { [`${DIR}/openclaw.json`]: JSON.stringify({ plugins }) };
    const [finding, ...others] = await inspect(placeholderSite(openclaw, { files }));
    assertEquals([finding?.ok, others.length], [problem === undefined, 0]);
    assertStringIncludes(finding?.message ?? "", problem ?? "");
  });
}

Deno.test("inspect() reports an internal hook as degraded", async () => {
  const [finding] = await inspect(
    placeholderSite(openclaw, { files: { [`${DIR}/hooks/signet-connector/handler.js`]: "" } }),
  );
  assertEquals([finding?.ok, finding?.fix], [false, "signet-openclaw install"]);
  assertStringIncludes(finding?.message ?? "", "degraded");
});

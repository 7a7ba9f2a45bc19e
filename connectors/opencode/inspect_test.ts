import { assertStringIncludes } from "@std/assert";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { opencode } from "./harness.ts";
import { inspect } from "./inspect.ts";

const DIR = "/home/u/.config/opencode";

Deno.test("inspect() of OpenCode mentions the wait for npm until the package is present", async () => {
  assertStringIncludes((await inspect(placeholderSite(opencode)))[0]?.message ?? "", "waits about a minute");
  const lock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "1.18.33" } } } };
  const files = { [`${DIR}/node_modules`]: "", [`${DIR}/package-lock.json`]: JSON.stringify(lock) };
  assertStringIncludes(
    (await inspect(placeholderSite(opencode, { files })))[0]?.message ?? "",
    "has fetched",
  );
});

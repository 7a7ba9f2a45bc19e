import { assertStringIncludes } from "@std/assert";
import { paperSite } from "../base/site/placeholder_site.ts";
import { inspect } from "./inspect.ts";

const DIR = "/home/u/.config/opencode";

Deno.test("inspect() of OpenCode tells of the wait for npm until the package is there", async () => {
  assertStringIncludes((await inspect(paperSite()))[0]?.message ?? "", "waits about a minute");
  const lock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "1.18.33" } } } };
  const files = { [`${DIR}/node_modules`]: "", [`${DIR}/package-lock.json`]: JSON.stringify(lock) };
  assertStringIncludes((await inspect(paperSite({ files })))[0]?.message ?? "", "has its own");
});

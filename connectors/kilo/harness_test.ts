import { assertEquals, assertStringIncludes } from "@std/assert";
import { addsMcpServer } from "../base/plugin/render.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { kilo } from "./harness.ts";
import { inspect } from "./inspect.ts";

const DIR = "/home/u/.config/kilo";

Deno.test("kilo.targets() writes one plugin and no config, with the MCP server unless --no-mcp is set", () => {
  // With a config of any content, Kilo would allow every shell command at its first start.
  for (const mcp of [true, false]) {
    const [target, ...others] = kilo.targets(placeholderSite(kilo, { flags: { mcp } }));
    assertEquals(others, []);
    if (target?.kind !== "file") throw new Error("no plugin file");
    assertEquals(target.path, `${DIR}/plugins/signet.js`);
    assertEquals(addsMcpServer(target.text), mcp);
    assertEquals(target.text.includes('"mcp":["/home/u/.local/bin/signet-test","mcp"]'), mcp);
  }
});

Deno.test("kilo puts the identity into a rule, beside every instruction file of the user", () => {
  const files = { [`${DIR}/AGENTS.md`]: "# Mine\n", "/home/u/.claude/CLAUDE.md": "# Mine\n" };
  for (const site of [placeholderSite(kilo), placeholderSite(kilo, { files })]) {
    assertEquals(kilo.identity(site), { path: "/home/u/.kilo/rules/signet.md", rule: "own" });
  }
});

Deno.test("kilo follows XDG_CONFIG_HOME, except for its rules", () => {
  const site = placeholderSite(kilo, { env: { XDG_CONFIG_HOME: "/home/u/cfg" } });
  assertEquals(kilo.configPath(site), "/home/u/cfg/kilo/plugins/signet.js");
  assertEquals(kilo.identity(site)?.path, "/home/u/.kilo/rules/signet.md");
});

Deno.test("inspect() of Kilo mentions the wait for npm until the package is present", async () => {
  const [waits] = await inspect(placeholderSite(kilo));
  assertStringIncludes(waits?.message ?? "", "without a network it waits");
  const lock = { packages: { "": { dependencies: { "@kilocode/plugin": "7.7.9" } } } };
  const files = { [`${DIR}/node_modules`]: "", [`${DIR}/package-lock.json`]: JSON.stringify(lock) };
  const [fetched] = await inspect(placeholderSite(kilo, { files }));
  assertStringIncludes(fetched?.message ?? "", "has fetched");
});

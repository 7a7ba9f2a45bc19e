import { assertEquals } from "@std/assert";
import { generatedHeader } from "../base/identity/header.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { omp } from "./harness.ts";

const DIR = "/home/u/.omp/agent";

Deno.test("omp.targets() writes the extension and the MCP server", () => {
  const [plugin, config, ...others] = omp.targets(placeholderSite(omp));
  assertEquals(others, []);
  assertEquals([plugin?.kind, plugin?.path], ["file", `${DIR}/extensions/signet-omp.ts`]);
  if (config?.kind !== "edit") throw new Error("no MCP config");
  assertEquals(config.path, `${DIR}/mcp.json`);
  assertEquals(config.edits.map(({ path, value }) => [path.join("."), value]), [
    ["mcpServers.signet", { command: "/home/u/.local/bin/signet-test", args: ["mcp"] }],
  ]);
});

Deno.test("omp.targets() writes only the extension with --no-mcp", () => {
  const targets = omp.targets(placeholderSite(omp, { flags: { mcp: false } }));
  assertEquals(targets.flatMap((target) => target.kind === "edit" ? target.edits : []), []);
});

const DIRECTORIES: [Record<string, string>, string][] = [
  [{}, DIR],
  [{ PI_CONFIG_DIR: ".mine" }, "/home/u/.mine/agent"],
  [{ PI_CODING_AGENT_DIR: "~/agent", PI_CONFIG_DIR: ".mine" }, "/home/u/agent"],
];
for (const [env, dir] of DIRECTORIES) {
  Deno.test(`omp is in ${dir} with ${JSON.stringify(env)}`, () => {
    assertEquals(omp.configPath(placeholderSite(omp, { env })), `${dir}/mcp.json`);
  });
}

const GENERATED = generatedHeader("/home/u/.agents/AGENTS.md", "/home/u/.agents", new Date(0));
const IDENTITY: [string, Record<string, string>, string][] = [
  ["there is no file", {}, "AGENTS.md"],
  ["AGENTS.md is the user's", { [`${DIR}/AGENTS.md`]: "# Mine\n" }, "AGENTS.md"],
  ["it would hide CLAUDE.md", { "/home/u/.claude/CLAUDE.md": "# Mine\n" }, "RULES.md"],
  ["it would hide Codex's AGENTS.md", { "/home/u/.codex/AGENTS.md": "# Mine\n" }, "RULES.md"],
  ["CLAUDE.md is generated", { "/home/u/.claude/CLAUDE.md": GENERATED }, "AGENTS.md"],
  ["both are the user's", {
    [`${DIR}/AGENTS.md`]: "# Mine\n",
    "/home/u/.claude/CLAUDE.md": "# Mine\n",
  }, "AGENTS.md"],
];
for (const [title, files, name] of IDENTITY) {
  Deno.test(`omp puts the identity as a block into ${name} where ${title}`, () => {
    const site = placeholderSite(omp, { files });
    assertEquals(omp.identity(site), { path: `${DIR}/${name}`, rule: "block" });
  });
}

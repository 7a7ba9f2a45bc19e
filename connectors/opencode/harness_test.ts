import { assertEquals } from "@std/assert";
import type { Site, Target } from "../base/harness.ts";
import { generatedHeader } from "../base/identity/header.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { opencode } from "./harness.ts";

const DIR = "/home/u/.config/opencode";

function edits(site: Site) {
  const edit = opencode.targets(site).find((target) => target.kind === "edit");
  return edit?.kind === "edit" ? edit.edits : [];
}

const keys = (site: Site) => edits(site).map((edit) => edit.path.join("."));

const CONFIGS: [string[], string][] = [
  [[], "opencode.json"],
  [["opencode.jsonc"], "opencode.jsonc"],
  [["config.json"], "config.json"],
  [["config.json", "opencode.jsonc", "opencode.json"], "opencode.json"],
];
for (const [names, used] of CONFIGS) {
  Deno.test(`opencode.configPath() is ${used} where there is ${names.join(", ") || "nothing"}`, () => {
    const site = placeholderSite(opencode, {
      files: Object.fromEntries(names.map((name) => [`${DIR}/${name}`, "{}"])),
    });
    assertEquals(opencode.configPath(site), `${DIR}/${used}`);
  });
}

Deno.test("opencode.configPath() follows XDG_CONFIG_HOME", () => {
  const site = placeholderSite(opencode, { env: { XDG_CONFIG_HOME: "/home/u/cfg" } });
  assertEquals(opencode.configPath(site), "/home/u/cfg/opencode/opencode.json");
});

const GENERATED = generatedHeader("/home/u/.agents/AGENTS.md", "/home/u/.agents", new Date(0));
const IDENTITY: [string, Record<string, string>, string][] = [
  ["there is no file", {}, "AGENTS.md"],
  ["AGENTS.md is generated", { [`${DIR}/AGENTS.md`]: GENERATED }, "AGENTS.md"],
  ["AGENTS.md is the user's", { [`${DIR}/AGENTS.md`]: "# Mine\n" }, "signet.md"],
  ["CLAUDE.md is generated too", { "/home/u/.claude/CLAUDE.md": GENERATED }, "AGENTS.md"],
  ["it would hide CLAUDE.md", { "/home/u/.claude/CLAUDE.md": "# Mine\n" }, "signet.md"],
];
for (const [title, files, name] of IDENTITY) {
  Deno.test(`opencode puts the identity into ${name} where ${title}`, () => {
    const site = placeholderSite(opencode, { files });
    assertEquals(opencode.identity(site), { path: `${DIR}/${name}`, rule: "own" });
    assertEquals(keys(site).includes("instructions"), name === "signet.md");
  });
}

Deno.test("opencode.targets() writes the plugin and the MCP server", () => {
  const site = placeholderSite(opencode);
  assertEquals(edits(site).map((edit) => [edit.path.join("."), edit.value]), [
    ["plugin", "./plugins/signet.mjs"],
    ["mcp.signet", { type: "local", command: ["/home/u/.local/bin/signet-test", "mcp"], enabled: true }],
  ]);
  const files = opencode.targets(site).filter((target: Target) => target.kind === "file");
  assertEquals(files.map((target) => target.path), [`${DIR}/plugins/signet.mjs`]);
  assertEquals(keys(placeholderSite(opencode, { flags: { mcp: false } })), ["plugin"]);
});

const OLD: [string, string, boolean][] = [
  ["the original Signet's", 'const NAME = "signet"; fetch(url + "/api/hooks/session-start")', true],
  ["somebody else's", "export const Memory = async () => ({})", false],
];
for (const [whose, text, ours] of OLD) {
  Deno.test(`opencode ${ours ? "removes" : "keeps"} ${whose} memory.mjs in the plugin list`, () => {
    const edit = edits(placeholderSite(opencode, { files: { [`${DIR}/memory.mjs`]: text } }))[0];
    assertEquals(edit?.kind === "item" && edit.owns("./memory.mjs"), ours);
    assertEquals(edit?.kind === "item" && edit.owns("./other.mjs"), false);
  });
}

Deno.test("opencode owns its MCP entry by the program it starts", () => {
  const edit = edits(placeholderSite(opencode)).find((each) => each.path.join(".") === "mcp.signet");
  if (edit?.kind !== "entry") throw new Error("no MCP entry");
  assertEquals(edit.owns({ type: "local", command: ["/opt/signet-opencode", "mcp"] }), true);
  assertEquals(edit.owns({ type: "local", command: ["signet-mcp"] }), false);
  assertEquals(edit.owns({ type: "remote", url: "https://signet.example/mcp" }), false);
});

Deno.test("opencode recognises the original Signet's plugin, and no other", () => {
  const file = opencode.targets(placeholderSite(opencode)).find((each) => each.kind === "file");
  const isOriginal = (text: string) => file?.kind === "file" && file.isOriginal?.(text);
  assertEquals(isOriginal('const SIGNET = 1; post("/api/hooks/session-start")'), true);
  assertEquals(isOriginal(file?.kind === "file" ? file.text : ""), false);
  assertEquals(isOriginal("export const Mine = async () => ({})"), false);
});

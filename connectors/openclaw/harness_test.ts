import { assertEquals } from "@std/assert";
import type { Site } from "../base/harness.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { openclaw } from "./harness.ts";

const DIR = "/home/u/.openclaw";
const CONFIG = `${DIR}/openclaw.json`;

function edits(site: Site) {
  const edit = openclaw.targets(site).find((target) => target.kind === "edit");
  return edit?.kind === "edit" ? edit.edits : [];
}

const values = (site: Site) =>
  Object.fromEntries(edits(site).map((edit) => [edit.path.join("."), edit.value]));
const files = (site: Site) =>
  openclaw.targets(site).filter((target) => target.kind === "file").map((target) => target.path);

const PATHS: [string, Record<string, string>, Record<string, string>, string][] = [
  ["there is no config", {}, {}, CONFIG],
  ["only an old name exists", { [`${DIR}/moltbot.json`]: "{}" }, {}, `${DIR}/moltbot.json`],
  ["an old name and the present one exist", { [`${DIR}/clawdbot.json`]: "{}", [CONFIG]: "{}" }, {}, CONFIG],
  ["OPENCLAW_CONFIG_PATH names one", {}, { OPENCLAW_CONFIG_PATH: "~/oc.json" }, "/home/u/oc.json"],
  ["OPENCLAW_STATE_DIR is set", {}, { OPENCLAW_STATE_DIR: "/srv/claw" }, "/srv/claw/openclaw.json"],
  ["a profile is set", {}, { OPENCLAW_PROFILE: "work" }, "/home/u/.openclaw-work/openclaw.json"],
];
for (const [title, files, env, path] of PATHS) {
  Deno.test(`openclaw.configPath() is ${path} where ${title}`, () => {
    assertEquals(openclaw.configPath(placeholderSite(openclaw, { files, env })), path);
  });
}

Deno.test("openclaw.targets() writes a plugin that may see conversations, and the tools", () => {
  const site = placeholderSite(openclaw);
  assertEquals(
    files(site),
    ["index.js", "package.json", "openclaw.plugin.json"].map((name) => {
      return `${DIR}/extensions/signet-connector/${name}`;
    }),
  );
  assertEquals(values(site), {
    "plugins.entries.signet-connector": { enabled: true, hooks: { allowConversationAccess: true } },
    "mcp.servers.signet": { command: "/home/u/.local/bin/signet-test", args: ["mcp"] },
  });
});

Deno.test("openclaw.targets() extends a list of allowed plugins, and creates none", () => {
  const allowing = placeholderSite(openclaw, { files: { [CONFIG]: '{"plugins":{"allow":["browser"]}}' } });
  assertEquals(values(allowing)["plugins.allow"], "signet-connector");
  assertEquals(
    "plugins.allow" in
      values(placeholderSite(openclaw, { files: { [CONFIG]: '{"tools":{"allow":["x"]}}' } })),
    false,
  );
});

const WORKSPACE = "agents.defaults.workspace";
const WORKSPACES: [string, Site, string | undefined][] = [
  ["Signet has none", placeholderSite(openclaw), undefined],
  ["the user has none", placeholderSite(openclaw, { workspace: "/home/u/.agents" }), "default"],
  [
    "the default one is in use",
    placeholderSite(openclaw, { files: { [`${DIR}/workspace`]: "" }, workspace: "/home/u/.agents" }),
    undefined,
  ],
  [
    "the flag is set",
    placeholderSite(openclaw, {
      files: { [`${DIR}/workspace`]: "" },
      workspace: "/home/u/.agents",
      flags: { setWorkspace: true },
    }),
    "entry",
  ],
];
for (const [title, site, kind] of WORKSPACES) {
  Deno.test(`openclaw.targets() sets the workspace as ${kind ?? "nothing"} where ${title}`, () => {
    assertEquals(edits(site).find((edit) => edit.path.join(".") === WORKSPACE)?.kind, kind);
  });
}

Deno.test("openclaw.targets() names what the original Signet switched on, and nothing that is off", () => {
  const originals = (config: object) => {
    const site = placeholderSite(openclaw, { files: { [CONFIG]: JSON.stringify(config) } });
    const target = openclaw.targets(site).find(({ kind }) => kind === "edit");
    return target?.kind === "edit" ? target.originals?.map((path) => path.join(".")) : undefined;
  };
  assertEquals(
    originals({
      plugins: {
        allow: ["mine", "signet-memory-openclaw"],
        slots: { memory: "signet-memory-openclaw" },
        entries: { "signet-memory-openclaw": { enabled: true }, mine: {} },
      },
      hooks: { internal: { entries: { "signet-memory": { enabled: false }, mine: {} } } },
    }),
    [
      "plugins.entries.signet-memory-openclaw",
      "hooks.internal.entries.signet-memory",
      "plugins.slots.memory",
      "plugins.allow.1",
    ],
  );
  assertEquals(originals({ plugins: { entries: { "signet-memory": { enabled: false } } } }), []);
});

const HOOKS: [string, string, string[]][] = [
  ["there are no hooks", "{}", ["hooks.internal.enabled", "hooks.internal.entries.signet-connector"]],
  ["hooks are open to all", '{"hooks":{"internal":{"enabled":true}}}', ["hooks.internal.enabled"]],
  ["hooks are listed", '{"hooks":{"internal":{"enabled":true,"entries":{"mine":{}}}}}', [
    "hooks.internal.enabled",
    "hooks.internal.entries.signet-connector",
  ]],
];
for (const [title, config, expected] of HOOKS) {
  Deno.test(`openclaw with --legacy-hooks excludes no other hook where ${title}`, () => {
    const site = placeholderSite(openclaw, {
      files: { [CONFIG]: config },
      flags: { legacyHooks: true, mcp: false },
    });
    assertEquals(Object.keys(values(site)), expected);
    assertEquals(files(site), [
      `${DIR}/hooks/signet-connector/handler.js`,
      `${DIR}/hooks/signet-connector/HOOK.md`,
    ]);
  });
}

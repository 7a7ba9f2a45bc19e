import { join } from "../../hooks/state/paths.ts";
import { isOurMcp } from "../base/hooks_config/hook_command.ts";
import type { Edit, Json } from "../base/edit/edit.ts";
import type { Harness, Site } from "../base/harness.ts";
import { isObject } from "../base/hooks_config/hook_groups.ts";
import { isGenerated } from "../base/identity/header.ts";
import { isPlugin, pluginSettings, renderPlugin } from "../base/plugin/render.ts";
import plugin from "./plugin.mjs" with { type: "text" };

// OpenCode finds `*.js` and `*.ts` in this directory by itself. A `.mjs` is loaded
// only where it is listed, so it cannot be loaded twice.
const PLUGIN = "./plugins/signet.mjs";
const OLD_PLUGIN = "memory.mjs";

type Place = Pick<Site, "host" | "home">;

function configDir(site: Place): string {
  const xdg = site.host.env("XDG_CONFIG_HOME") || join(site.host, site.home, ".config");
  return join(site.host, xdg, "opencode");
}

function configPath(site: Place & Pick<Site, "exists">): string {
  const [first = "", ...others] = ["opencode.json", "opencode.jsonc", "config.json"]
    .map((name) => join(site.host, configDir(site), name));
  return [first, ...others].find((path) => site.exists(path)) ?? first;
}

/** OpenCode reads the first of AGENTS.md and ~/.claude/CLAUDE.md, so a new AGENTS.md would hide the other. */
function identityPath(site: Site): { path: string; listed: boolean } {
  const agents = join(site.host, configDir(site), "AGENTS.md");
  const claude = join(site.host, site.home, ".claude", "CLAUDE.md");
  // A generated one says the same as ours: hiding it hides nothing, and keeps the text from standing there twice.
  const users = (path: string) => site.exists(path) && !isGenerated(site.readText(path) ?? "");
  if (!users(agents) && !users(claude)) return { path: agents, listed: false };
  return { path: join(site.host, configDir(site), "signet.md"), listed: true };
}

function ownsServer(value: Json): boolean {
  if (!isObject(value) || !Array.isArray(value.command)) return false;
  return isOurMcp(opencode, value.command.filter((word) => typeof word === "string"));
}

/** A plugin of the original Signet, which speaks to the daemon itself. */
function isSignetCliPlugin(text: string): boolean {
  return /signet/i.test(text) && text.includes("/api/hooks/");
}

/** The plugin that Signet shipped before; one of another's under this name stays. */
function ownsOldPlugin(site: Site, item: Json): boolean {
  if (item !== `./${OLD_PLUGIN}` && item !== OLD_PLUGIN) return false;
  return isSignetCliPlugin(site.readText(join(site.host, configDir(site), OLD_PLUGIN)) ?? "");
}

/** OpenCode 1.18: a plugin in its own process (Bun), JSONC config, instructions by AGENTS.md or by list. */
export const opencode: Harness = {
  id: "opencode",
  displayName: "OpenCode",
  binary: "signet-opencode",
  programs: ["opencode"],
  runtimePath: "plugin",
  // OpenCode waits for its plugins without end, so these are the plugin's own limits.
  events: {
    "session-start": { native: "chat.message", timeoutMs: 8_000 },
    "user-prompt-submit": { native: "chat.message", timeoutMs: 5_000 },
    "pre-compaction": { native: "experimental.session.compacting", timeoutMs: 4_000 },
    "compaction-complete": { native: "session.compacted", timeoutMs: 4_000 },
    "session-end": { native: "dispose", timeoutMs: 3_000 },
    checkpoint: { native: "session.idle", timeoutMs: 4_000 },
  },
  maxInject: 24_000,
  transcript: "text",
  keepsContext: false,
  fidelity: {
    "session-start": "yes",
    "prompt-submit": "yes",
    "pre-compaction": "yes",
    "post-compaction": "yes",
    "session-end": {
      partly: "a stopped `opencode serve` tells its plugins nothing: every tenth turn is checkpointed",
    },
    tools: "yes",
    identity: "yes",
  },

  configDir,
  configPath,
  render: (_event, text) => text,

  targets(site) {
    const edits: Edit[] = [{
      kind: "item",
      path: ["plugin"],
      value: PLUGIN,
      owns: (item) => item === PLUGIN || ownsOldPlugin(site, item),
    }];
    if (site.flags.mcp) {
      edits.push({
        kind: "entry",
        path: ["mcp", "signet"],
        value: { type: "local", command: site.argv("mcp"), enabled: true },
        owns: ownsServer,
      });
    }
    const { path, listed } = identityPath(site);
    if (site.flags.identity && listed) {
      edits.push({ kind: "item", path: ["instructions"], value: path, owns: (item) => item === path });
    }
    return [
      {
        kind: "file",
        path: join(site.host, configDir(site), "plugins", "signet.mjs"),
        text: renderPlugin(plugin, pluginSettings(opencode, site)),
        // The original Signet has its plugin under the same name.
        owns: (text) =>
          isPlugin(plugin, text) || (site.flags.replaceSignetCli === true && isSignetCliPlugin(text)),
      },
      { kind: "edit", path: configPath(site), format: "jsonc", edits },
    ];
  },

  identity: (site) => ({ path: identityPath(site).path, rule: "own" }),
  skillsDir: (site) => join(site.host, configDir(site), "skills"),
  readsAgentSkills: true,

  inspector: () => import("./inspect.ts"),

  notes: (site) => [
    "OpenCode reads its plugins when it starts: restart it where it runs now.",
    "With its first plugin OpenCode fetches a package of its own from npm, once; without a network it waits about a minute for that, at every start.",
    ...(ownsOldPlugin(site, OLD_PLUGIN)
      ? [
        `${
          join(site.host, configDir(site), OLD_PLUGIN)
        }, an older Signet's plugin, is no longer loaded; you can delete it.`,
      ]
      : []),
  ],
};

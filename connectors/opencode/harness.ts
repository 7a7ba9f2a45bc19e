import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { PLUGIN, pluginFile } from "../base/plugin/render.ts";
import { agents } from "./agents.ts";
import { configEdits, readsAgentsMd } from "./config_edits.ts";
import { isOriginalPlugin, OLD_PLUGIN, ownsOldPlugin } from "./original_signet.ts";
import source from "./plugin.mjs" with { type: "text" };

// OpenCode loads every `*.js` and `*.ts` in this directory. A `.mjs` is loaded
// only if it is listed, so it cannot be loaded twice.
const FILE = "plugins/signet.mjs";

/** OpenCode 1.18: a plugin in OpenCode's process (Bun), JSONC config, instructions in AGENTS.md or listed. */
export const opencode: Harness = defineHarness({
  ...PLUGIN,
  id: "opencode",
  displayName: "OpenCode",
  headless: { args: ["run"], prompt: "stdin" },
  // OpenCode waits for its plugins without a limit, so the plugin enforces these.
  events: {
    "session-start": { native: "chat.message", timeout: 8_000 },
    "user-prompt-submit": { native: "chat.message", timeout: 5_000 },
    "pre-compaction": { native: "experimental.session.compacting", timeout: 4_000 },
    "compaction-complete": { native: "session.compacted", timeout: 4_000 },
    "session-end": { native: "dispose", timeout: 3_000 },
    checkpoint: { native: "session.idle", timeout: 4_000 },
  },
  agents,
  versions: { tried: ["1.14.41", "1.15.4", "1.15.13", "1.17.0", "1.18.33"], date: "2026-11-17" },
  limits: {
    "session-end": {
      partly: "a stopped `opencode serve` does not notify its plugins: its sessions end at the next start",
    },
  },

  configDir: ({ host, home }) =>
    join(host, host.env("XDG_CONFIG_HOME") || join(host, home, ".config"), "opencode"),
  configFiles: ["opencode.json", "opencode.jsonc", "config.json"],
  targets(site) {
    const plugin = pluginFile(opencode, site, FILE, source);
    // The original Signet's plugin has the same file name, and the same item in the list.
    const isOriginal = (text: string) => !plugin.owns(text) && isOriginalPlugin(text);
    return [{ ...plugin, isOriginal }, {
      kind: "edit",
      path: opencode.configPath(site),
      format: "jsonc",
      edits: configEdits(opencode, site, FILE),
      ofOriginal: isOriginal(site.readText(plugin.path) ?? ""),
    }];
  },

  identity: (site) => ({ path: site.path(readsAgentsMd(site) ? "AGENTS.md" : "signet.md"), rule: "own" }),
  readsAgentSkills: true,
  inspector: () => import("./inspect.ts"),
  notes: (site) => [
    "OpenCode reads its plugins when it starts: restart any running session.",
    "With its first plugin OpenCode fetches a package from npm, once; without a network it waits about a minute for it at every start.",
    ...(ownsOldPlugin(site, OLD_PLUGIN)
      ? [`${site.path(OLD_PLUGIN)}, an older Signet plugin, is no longer loaded; you can delete it.`]
      : []),
  ],
});

import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { PLUGIN, pluginFile } from "../base/plugin/render.ts";
import { agents } from "./agents.ts";
import source from "./plugin.js" with { type: "text" };

// Kilo loads every `*.js` in this directory.
const FILE = "plugins/signet.js";

/**
 * Kilo 7.7, which is built on OpenCode: a plugin in Kilo's process. Nothing goes into
 * its config. Kilo rewrites that file when it first runs, without its comments, and
 * takes the user of any config for one who allows every shell command. So the plugin
 * adds the MCP server, and the identity is a rule file.
 */
export const kilo: Harness = defineHarness({
  ...PLUGIN,
  id: "kilo",
  displayName: "Kilo",
  programs: ["kilo", "kilocode"],
  // Kilo waits for its plugins without a limit, so the plugin enforces these.
  events: {
    "session-start": { native: "chat.message", timeout: 8_000 },
    "user-prompt-submit": { native: "chat.message", timeout: 5_000 },
    "pre-compaction": { native: "experimental.session.compacting", timeout: 4_000 },
    "compaction-complete": { native: "session.compacted", timeout: 4_000 },
    "session-end": { native: "dispose", timeout: 3_000 },
    checkpoint: { native: "session.idle", timeout: 4_000 },
  },
  agents,
  versions: { tried: ["7.7.2", "7.7.9"], date: "2026-11-17" },
  limits: {
    "session-end": {
      partly: "a stopped `kilo serve` does not notify its plugins: its sessions end at the next start",
    },
  },
  assumed: "`kilo serve` ends like `opencode serve`, from which it is built; it was not run.",

  configDir: ({ host, home }) =>
    join(host, host.env("XDG_CONFIG_HOME") || join(host, home, ".config"), "kilo"),
  configFiles: [FILE],
  targets: (site) => [
    pluginFile(kilo, site, FILE, source, site.flags.mcp ? { mcp: site.argv("mcp") } : {}),
  ],

  // Kilo reads only one of AGENTS.md and ~/.claude/CLAUDE.md, and every file of this directory.
  identity: ({ host, home }) => ({ path: join(host, home, ".kilo", "rules", "signet.md"), rule: "own" }),
  readsAgentSkills: true,
  inspector: () => import("./inspect.ts"),
  notes: () => [
    "Kilo reads its plugins when it starts: restart any running session.",
    "Kilo's config stays as it is: the plugin adds the MCP server.",
    "With its first plugin Kilo fetches a package from npm, once; without a network it waits over a minute for it at every start.",
  ],
});

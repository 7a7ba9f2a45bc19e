import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { mcpEntry } from "../base/hooks_config/mcp_entry.ts";
import { PLUGIN } from "../base/plugin/render.ts";
import { agents } from "./agents.ts";
import { CONFIG_FILES, configPath, stateDir } from "./config_path.ts";
import { originalEntries } from "./original_signet.ts";
import { legacyHookFiles, pluginFiles } from "./plugin_files.ts";
import { workspaceEntry } from "./workspace_entry.ts";

/** OpenClaw 2026.9: a plugin in OpenClaw's process; an unknown key makes the JSON5 config invalid. */
export const openclaw: Harness = defineHarness({
  ...PLUGIN,
  id: "openclaw",
  displayName: "OpenClaw",
  headless: { args: ["agent", "--agent", "main", "--local", "--message"], prompt: "argument" },
  // OpenClaw gives before_prompt_build 15 s, and all session_end handlers together 2 s when it stops.
  events: {
    "session-start": { native: "before_prompt_build", timeout: 6_000 },
    "user-prompt-submit": { native: "before_prompt_build", timeout: 4_000 },
    "pre-compaction": { native: "before_compaction", timeout: 3_000 },
    "compaction-complete": { native: "before_prompt_build", timeout: 3_000 },
    "session-end": { native: "session_end", timeout: 1_800 },
    checkpoint: { native: "agent_end", timeout: 5_000 },
  },
  agents,
  versions: { tried: ["2026.9.6"], date: "2026-11-17" },
  limits: {
    "session-start": {
      partly: "`openclaw chat` (`tui --local`) runs no plugins; the gateway and `openclaw agent --local` do",
    },
    "prompt-submit": { partly: "the same" },
    "pre-compaction": {
      partly: "the daemon is notified; its guidelines cannot be added to OpenClaw's summary prompt",
    },
    "post-compaction": { partly: "sent with the next prompt, because no event contains the summary" },
    "session-end": {
      partly: "`openclaw agent --local` has no such event: each turn is checkpointed instead",
    },
    identity: { partly: "as session text; as files only if OpenClaw uses the Signet workspace" },
  },

  configDir: stateDir,
  configFiles: CONFIG_FILES,
  configPath,
  targets(site) {
    const path = configPath(site);
    const config = site.peek(path, "json5", ["plugins", "hooks"]);
    const { files, edits } = (site.flags.legacyHooks ? legacyHookFiles : pluginFiles)(openclaw, site, config);
    const all = [...edits, ...mcpEntry(openclaw, site, ["mcp", "servers"]), ...workspaceEntry(site)];
    return [...files, {
      kind: "edit",
      path,
      format: "json5",
      edits: all,
      originals: originalEntries(config),
    }];
  },

  identity: undefined,
  readsAgentSkills: true,
  inspector: () => import("./inspect.ts"),
  notes: (site) => [
    "Restart the gateway to load the changes: openclaw gateway restart",
    site.flags.legacyHooks
      ? "Internal hooks run in the gateway only and add no memory to single prompts; the plugin does both."
      : "OpenClaw warns that it cannot verify the plugin's origin: it was not installed from npm.",
  ],
});

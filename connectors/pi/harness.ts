import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { PLUGIN, pluginFile } from "../base/plugin/render.ts";
import { expandHome } from "../base/site/path_in.ts";
import extension from "./signet.ts" with { type: "text" };

const EXTENSION = "extensions/signet.ts";

/** pi 0.87 and 0.73: an extension in pi's process, which pi finds by itself; no MCP. */
export const pi: Harness = defineHarness({
  ...PLUGIN,
  id: "pi",
  displayName: "pi",
  // pi waits for its extensions without a limit, so the extension enforces these.
  events: {
    "session-start": { native: "before_agent_start", timeout: 8_000 },
    "user-prompt-submit": { native: "before_agent_start", timeout: 5_000 },
    "pre-compaction": { native: "session_before_compact", timeout: 4_000 },
    "compaction-complete": { native: "session_compact", timeout: 4_000 },
    "session-end": { native: "session_shutdown", timeout: 3_000 },
    checkpoint: { native: "agent_end", timeout: 4_000 },
  },
  versions: { tried: ["0.73.1", "0.74.0", "0.87.1"], date: "2026-11-17" },
  limits: {
    "pre-compaction": {
      partly: "the daemon is notified; its guidelines cannot be added to pi's summary prompt",
    },
    tools: { partly: "memory_search and memory_store, as tools of the extension: pi 0.x has no MCP" },
  },
  assumed: "pi 1.x reads the same extensions directory; it was not run.",

  configDir: ({ host, home }) =>
    expandHome(host.env("PI_CODING_AGENT_DIR") ?? "", home) || join(host, home, ".pi", "agent"),
  configFiles: [EXTENSION],
  targets: (site) => {
    const tools = site.flags.mcp ? { recall: site.argv("recall"), remember: site.argv("remember") } : {};
    return [pluginFile(pi, site, EXTENSION, extension, tools)];
  },

  // pi reads the first of these that exists: a new AGENTS.md would hide a CLAUDE.md.
  identity: {
    file: "AGENTS.md",
    existing: ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"],
    rule: "block",
  },
  readsAgentSkills: true,
  notes: () => ["pi loads its extensions when it starts: restart any running session, or type /reload."],
});

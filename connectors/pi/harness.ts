import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { PLUGIN, pluginFile } from "../base/plugin/render.ts";
import { expandHome } from "../base/site/path_in.ts";
import { agents } from "./agents.ts";
import extension from "./signet.ts" with { type: "text" };

const EXTENSION = "extensions/signet.ts";

/** pi: an extension in its process, which it finds by itself; MCP from 0.99. */
export const pi: Harness = defineHarness({
  ...PLUGIN,
  id: "pi",
  displayName: "pi",
  headless: { args: ["-p"], prompt: "stdin" },
  // pi waits for its extensions without a limit, so the extension enforces these.
  events: {
    "session-start": { native: "before_agent_start", timeout: 8_000 },
    "user-prompt-submit": { native: "before_agent_start", timeout: 5_000 },
    "pre-compaction": { native: "session_before_compact", timeout: 4_000 },
    "compaction-complete": { native: "session_compact", timeout: 4_000 },
    "session-end": { native: "session_shutdown", timeout: 3_000 },
    checkpoint: { native: "agent_end", timeout: 4_000 },
  },
  agents,
  versions: { tried: ["0.73.1", "0.74.0", "0.87.1"], date: "2026-11-17" },
  limits: {
    "pre-compaction": {
      partly: "the daemon is notified; its guidelines cannot be added to pi's summary prompt",
    },
    tools: {
      partly:
        "memory_search and memory_store, as tools of the extension: pi has MCP, and all tools, from 0.99",
    },
  },
  assumed:
    "pi 1.x has the events and the MCP servers that its types declare; npm has no complete pi 1.x to run.",

  configDir: ({ host, home }) =>
    expandHome(host.env("PI_CODING_AGENT_DIR") ?? "", home) || join(host, home, ".pi", "agent"),
  configFiles: [EXTENSION],
  targets: (site) => {
    const tools = { recall: site.argv("recall"), remember: site.argv("remember"), mcp: site.argv("mcp") };
    return [pluginFile(pi, site, EXTENSION, extension, site.flags.mcp ? tools : {})];
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

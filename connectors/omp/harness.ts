import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness, Site } from "../base/harness.ts";
import { mcpEntry } from "../base/hooks_config/mcp_entry.ts";
import { isUsersFile } from "../base/identity/header.ts";
import { PLUGIN, pluginFile } from "../base/plugin/render.ts";
import { expandHome } from "../base/site/path_in.ts";
import { agents } from "./agents.ts";
import extension from "./signet.ts" with { type: "text" };

/** oh-my-pi 18.2, which is built on pi: an extension in its process, and MCP. */
export const omp: Harness = defineHarness({
  ...PLUGIN,
  id: "omp",
  displayName: "oh-my-pi",
  // oh-my-pi gives an extension 30 s for each event, and 2 s for the last one.
  events: {
    "session-start": { native: "before_agent_start", timeout: 8_000 },
    "user-prompt-submit": { native: "before_agent_start", timeout: 5_000 },
    "pre-compaction": { native: "session.compacting", timeout: 4_000 },
    "compaction-complete": { native: "session_compact", timeout: 4_000 },
    "session-end": { native: "session_shutdown", timeout: 1_800 },
    checkpoint: { native: "agent_end", timeout: 4_000 },
  },
  agents,
  versions: { tried: ["17.3.5", "18.1.21", "18.2.3"], date: "2026-11-17" },
  limits: {
    "pre-compaction": {
      partly: "the daemon is notified; its guidelines reach soft compaction and /compact, no other method",
    },
    tools: { partly: "oh-my-pi offers MCP tools as `xd://mcp__signet_…`, which the model looks up first" },
  },

  configDir: ({ host, home }) =>
    expandHome(host.env("PI_CODING_AGENT_DIR") ?? "", home) ||
    join(host, home, host.env("PI_CONFIG_DIR") || ".omp", "agent"),
  configFiles: ["mcp.json"],
  targets: (site) => [
    // Not signet.ts: with PI_CODING_AGENT_DIR, pi's extension is in the same directory.
    pluginFile(omp, site, "extensions/signet-omp.ts", extension),
    { kind: "edit", path: site.path("mcp.json"), format: "json", edits: mcpEntry(omp, site, ["mcpServers"]) },
  ],

  identity: (site) => ({ path: site.path(hidesOthers(site) ? "RULES.md" : "AGENTS.md"), rule: "block" }),
  readsAgentSkills: true,
  notes: () => ["oh-my-pi loads its extensions when it starts: restart any running session."],
});

/**
 * oh-my-pi reads one instruction file of the user: its own AGENTS.md, or else the
 * first of these. A new AGENTS.md must hide no file that the user wrote; one that
 * was generated has the same text, so hiding it avoids a duplicate.
 */
function hidesOthers(site: Site): boolean {
  if (site.exists(site.path("AGENTS.md"))) return false;
  const others = [[".claude", "CLAUDE.md"], [".codex", "AGENTS.md"]].map((names) =>
    join(site.host, site.home, ...names)
  );
  return others.some((path) => isUsersFile(site, path));
}

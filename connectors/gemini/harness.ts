import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { guardedCommand } from "../base/hooks_config/hook_command.ts";
import { hookGroups } from "../base/hooks_config/hook_groups.ts";
import { mcpEntry } from "../base/hooks_config/mcp_entry.ts";
import { agents } from "./agents.ts";

/** Gemini CLI 0.61: hooks run in a shell and answer with `hookSpecificOutput` on stdout. */
export const gemini: Harness = defineHarness({
  id: "gemini",
  displayName: "Gemini CLI",
  sessionVariable: "GEMINI_SESSION_ID",
  headless: { args: [], prompt: "stdin" },
  timeoutUnit: "ms",
  // PreCompress is left out: it fires before every model request, even when nothing is compacted.
  events: {
    "session-start": { native: "SessionStart", timeout: 8_000 },
    "user-prompt-submit": { native: "BeforeAgent", timeout: 8_000 },
    "session-end": { native: "SessionEnd", timeout: 5_000 },
  },
  agents,
  // In headless mode SessionStart output becomes part of the prompt, and /clear drops it.
  injectAt: "first-prompt",
  output: { "user-prompt-submit": "context" },
  injectedTags: ["hook_context", "session_context"],
  transcript: "gemini",
  versions: { tried: ["0.36.0", "0.47.0", "0.61.0"], date: "2026-11-17" },
  limits: {
    "session-end": {
      partly:
        "a closed window may send none: the session then ends at the next start (Linux) or after 24 hours",
    },
    "pre-compaction": { no: "PreCompress fires before every model request, not only before a compaction" },
    "post-compaction": { no: "Gemini CLI has no such event" },
    tools: {
      partly:
        "in headless mode Gemini CLI hides the tools of a server that is not trusted: use --trust-tools",
    },
  },

  configDir: ({ host, home }) => join(host, host.env("GEMINI_CLI_HOME") || home, ".gemini"),
  configFiles: ["settings.json"],
  targets: (site) => [{
    kind: "edit",
    path: gemini.configPath(site),
    format: "jsonc",
    edits: [
      ...hookGroups(gemini, site, (event, { timeout }) => {
        return { name: "signet", command: guardedCommand(site.host, site.argv("hook", event)), timeout };
      }),
      ...mcpEntry(gemini, site, ["mcpServers"], ({ command, args }) => {
        return { command, args, ...(site.flags.trustTools && { trust: true }) };
      }),
    ],
  }],

  // Gemini CLI's model keeps notes in this file, so we write only a block in it.
  identity: { file: "GEMINI.md", rule: "block" },
  readsAgentSkills: true,
  inspector: () => import("./inspect.ts"),
  notes: (site) => [
    "Gemini CLI reads its hooks when it starts: restart any running session.",
    ...(site.flags.mcp && !site.flags.trustTools
      ? [
        "`gemini -p` offers the memory tools only if they are trusted: install with --trust-tools, or run it with --approval-mode yolo.",
      ]
      : []),
  ],
});

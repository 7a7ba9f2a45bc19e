import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { hookGroups } from "../base/hooks_config/hook_groups.ts";
import { mcpEntry } from "../base/hooks_config/mcp_entry.ts";
import { expandHome } from "../base/site/path_in.ts";
import { agents } from "./agents.ts";
import { hookCall } from "./hook_call.ts";

/** Qwen Code 0.24: Gemini CLI's settings with Claude Code's hooks. */
export const qwen: Harness = defineHarness({
  id: "qwen",
  displayName: "Qwen Code",
  sessionVariable: "QWEN_CODE_SESSION_ID",
  timeoutUnit: "s",
  events: {
    "session-start": { native: "SessionStart", timeout: 8 },
    // Fires again after each tool result, with an empty prompt.
    "user-prompt-submit": { native: "UserPromptSubmit", timeout: 5 },
    "pre-compaction": { native: "PreCompact", timeout: 5 },
    "compaction-complete": { native: "PostCompact", timeout: 5 },
    "session-end": { native: "SessionEnd", timeout: 5 },
    // `qwen -p` sends no session end, so any turn may be the last.
    checkpoint: { native: "Stop", timeout: 5 },
  },
  agents,
  output: { "session-start": "context", "user-prompt-submit": "context", "pre-compaction": "context" },
  // The start text is a part of the system prompt, which a resumed session makes anew.
  keepsContext: false,
  injectedTags: ["qwen:session-start-context", "qwen:user-prompt-submit-context"],
  transcript: "qwen",
  versions: { tried: ["0.24.4"], date: "2026-11-17" },
  limits: {
    "session-end": {
      partly:
        "`qwen -p` sends none: every turn is saved, and the session ends at the next start (Linux) or after 24 hours",
    },
    tools: {
      partly:
        "Qwen Code declares no MCP tool to the model: it finds them with tool_search and uses tool_call",
    },
  },

  configDir: ({ host, home }) => expandHome(host.env("QWEN_HOME") ?? "", home) || join(host, home, ".qwen"),
  configFiles: ["settings.json"],
  targets: (site) => [{
    kind: "edit",
    path: qwen.configPath(site),
    format: "jsonc",
    edits: [
      ...hookGroups(qwen, site, (event, { timeout }) => ({ ...hookCall(site, event), timeout })),
      ...mcpEntry(qwen, site, ["mcpServers"], ({ command, args }) => {
        return { command, args, ...(site.flags.trustTools && { trust: true }) };
      }),
    ],
  }],

  // `/memory` writes into this file, so we write only a block in it.
  identity: { file: "QWEN.md", rule: "block" },
  readsAgentSkills: true,
  inspector: () => import("./inspect.ts"),
  notes: (site) => [
    "Qwen Code reads its hooks when it starts: restart any running session.",
    ...(site.flags.mcp && !site.flags.trustTools
      ? ["`qwen -p` refuses the memory tools unless they are trusted: install with --trust-tools."]
      : []),
  ],
});

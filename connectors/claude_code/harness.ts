import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { hookGroups } from "../base/hooks_config/hook_groups.ts";
import { mcpFile } from "../base/hooks_config/mcp_entry.ts";
import { isUsersFile } from "../base/identity/header.ts";
import { agents, isRewaking } from "./agents.ts";
import { hookCall, statePath } from "./hook_call.ts";
import { isForeign } from "./is_foreign.ts";

/** Claude Code 2.1: JSON on stdin, `hookSpecificOutput` on stdout. */
export const claudeCode: Harness = defineHarness({
  id: "claude-code",
  displayName: "Claude Code",
  programs: ["claude"],
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  headless: { args: ["-p"], prompt: "stdin" },
  timeoutUnit: "s",
  events: {
    "session-start": { native: "SessionStart", timeout: 8 },
    "user-prompt-submit": { native: "UserPromptSubmit", timeout: 5 },
    "pre-compaction": { native: "PreCompact", timeout: 5 },
    // An older version ignores all of settings.json, with the user's permissions, for this key.
    "compaction-complete": { native: "PostCompact", timeout: 5, since: "2.1.76" },
    // Without a timeout Claude Code cancels it after 1.5 s and shows the user an error.
    "session-end": { native: "SessionEnd", timeout: 10 },
  },
  agents,
  // PreCompact output is added to the compaction prompt verbatim.
  output: { "session-start": "context", "user-prompt-submit": "context", "pre-compaction": "prose" },
  // Above 10,000 characters the model gets a 2 KB preview and a file name.
  maxInject: 9_000,
  isForeign,
  transcript: "claude-code",
  versions: {
    tried: ["2.0.42", "2.1.53", "2.1.100", "2.1.148", "2.1.325"],
    date: "2026-11-17",
    assumed: "2.0.42",
    older: [{
      below: "2.1.76",
      limits: { "post-compaction": { partly: "the memory is injected again; there is no summary to store" } },
    }],
  },
  limits: {
    tools: {
      partly:
        "`claude -p` refuses tools that neither --allowedTools 'mcp__signet__*' nor permissions.allow names",
    },
  },

  configDir: ({ host, home }) => host.env("CLAUDE_CONFIG_DIR") || join(host, home, ".claude"),
  configFiles: ["settings.json"],
  targets(site) {
    const hooks = hookGroups(claudeCode, site, (event, { timeout }) => {
      return { ...hookCall(site, event), timeout, ...(isRewaking(event) ? { asyncRewake: true } : {}) };
    });
    return [
      { kind: "edit", path: claudeCode.configPath(site), format: "json", edits: hooks },
      ...mcpFile(claudeCode, site, statePath(site), "json", (call) => ({ type: "stdio", ...call, env: {} })),
    ];
  },

  identity: (site) => ({
    path: site.path(isUsersFile(site, site.path("CLAUDE.md")) ? "rules/signet.md" : "CLAUDE.md"),
    rule: "own",
  }),
  inspector: () => import("./inspect.ts"),
  notes: () => ["Claude Code reads its hooks when it starts: restart any running session."],
});

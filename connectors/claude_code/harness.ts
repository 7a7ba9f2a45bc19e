import { join } from "../../hooks/state/paths.ts";
import type { Harness, Site } from "../base/harness.ts";
import { isGenerated } from "../base/identity/header.ts";
import { additionalContext, hookGroups, ownsServer } from "../base/hooks_config/hook_groups.ts";

type Place = Pick<Site, "host" | "home">;

const dir = (site: Place) => site.host.env("CLAUDE_CONFIG_DIR") || join(site.host, site.home, ".claude");

// MCP servers stand in Claude Code's own state file: in settings.json they are ignored without a word.
const statePath = (site: Place) =>
  join(site.host, site.host.env("CLAUDE_CONFIG_DIR") || site.home, ".claude.json");

/** Claude Code 2.1: hooks in seconds, JSON on stdin, `hookSpecificOutput` on stdout. */
export const claudeCode: Harness = {
  id: "claude-code",
  displayName: "Claude Code",
  binary: "signet-claude-code",
  programs: ["claude"],
  runtimePath: "legacy",
  events: {
    "session-start": { native: "SessionStart", timeoutMs: 8_000 },
    "user-prompt-submit": { native: "UserPromptSubmit", timeoutMs: 5_000 },
    "pre-compaction": { native: "PreCompact", timeoutMs: 5_000 },
    "compaction-complete": { native: "PostCompact", timeoutMs: 5_000 },
    // Without a timeout of its own it is cancelled after 1.5 s, with an error on the user's screen.
    "session-end": { native: "SessionEnd", timeoutMs: 10_000 },
  },
  // Above 10,000 characters the model gets a 2 KB preview and a file name.
  maxInject: 9_000,
  transcript: "claude-code",
  fidelity: {
    "session-start": "yes",
    "prompt-submit": "yes",
    "pre-compaction": "yes",
    "post-compaction": "yes",
    "session-end": "yes",
    tools: {
      partly:
        "`claude -p` refuses tools that neither --allowedTools 'mcp__signet__*' nor permissions.allow names",
    },
    identity: "yes",
  },

  configDir: dir,
  configPath: (site) => join(site.host, dir(site), "settings.json"),

  render(event, text) {
    if (text === "") return "";
    if (event.event === "session-start" || event.event === "user-prompt-submit") {
      return additionalContext(claudeCode, event, text);
    }
    // What PreCompact prints is added to the compaction prompt, word for word.
    return event.event === "pre-compaction" ? text : "";
  },

  targets(site) {
    // With `args` the program is started without a shell: no quoting, nothing expanded.
    const hooks = hookGroups(claudeCode, site, ([command = "", ...args], _native, timeoutMs) => {
      return { command, args, timeout: timeoutMs / 1000 };
    });
    const settings = {
      kind: "edit",
      path: claudeCode.configPath(site),
      format: "json",
      edits: hooks,
    } as const;
    if (!site.flags.mcp) return [settings];
    const [command = "", ...args] = site.argv("mcp");
    return [settings, {
      kind: "edit",
      path: statePath(site),
      format: "json",
      edits: [{
        kind: "entry",
        path: ["mcpServers", "signet"],
        value: { type: "stdio", command, args, env: {} },
        owns: (value) => ownsServer(claudeCode, value),
      }],
    }];
  },

  identity(site) {
    const claudeMd = join(site.host, dir(site), "CLAUDE.md");
    const text = site.readText(claudeMd);
    const usersOwn = text === undefined ? site.exists(claudeMd) : !isGenerated(text);
    return { path: usersOwn ? join(site.host, dir(site), "rules", "signet.md") : claudeMd, rule: "own" };
  },

  skillsDir: (site) => join(site.host, dir(site), "skills"),
  inspector: () => import("./inspect.ts"),
  notes: () => ["Claude Code reads its hooks when it starts: sessions that are open now go on without."],
};

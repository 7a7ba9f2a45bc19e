import { join } from "../../hooks/state/paths.ts";
import { shellCommand } from "../base/hooks_config/hook_command.ts";
import type { Edit } from "../base/edit/edit.ts";
import type { Harness, Site } from "../base/harness.ts";
import { additionalContext, hookGroups, ownsServer } from "../base/hooks_config/hook_groups.ts";

function configDir(site: Pick<Site, "host" | "home">): string {
  return join(site.host, site.host.env("GEMINI_CLI_HOME") || site.home, ".gemini");
}

/** Gemini CLI 0.61: hooks through a shell, timeouts in milliseconds, `hookSpecificOutput` on stdout. */
export const gemini: Harness = {
  id: "gemini",
  displayName: "Gemini CLI",
  binary: "signet-gemini",
  programs: ["gemini"],
  runtimePath: "legacy",
  // PreCompress is not among them: it fires before every model request, whether or not one compacts.
  events: {
    "session-start": { native: "SessionStart", timeoutMs: 8_000 },
    "user-prompt-submit": { native: "BeforeAgent", timeoutMs: 8_000 },
    "session-end": { native: "SessionEnd", timeoutMs: 5_000 },
  },
  maxInject: 24_000,
  transcript: "gemini",
  // What SessionStart prints is put into the prompt itself without a screen, and lost after /clear.
  injectAt: "first-prompt",
  injectedTags: ["hook_context", "session_context"],
  fidelity: {
    "session-start": "yes",
    "prompt-submit": "yes",
    "pre-compaction": { no: "PreCompress fires before every model request, so it says nothing" },
    "post-compaction": { no: "Gemini CLI has no such event" },
    "session-end": "yes",
    tools: {
      partly:
        "without a screen Gemini CLI hides tools of a server that it was not told to trust: --trust-tools",
    },
    identity: "yes",
  },

  configDir,
  configPath: (site) => join(site.host, configDir(site), "settings.json"),

  render(event, text) {
    return text === "" || event.event !== "user-prompt-submit" ? "" : additionalContext(gemini, event, text);
  },

  targets(site) {
    const edits: Edit[] = hookGroups(gemini, site, (argv, _native, timeoutMs) => {
      return { name: "signet", command: shellCommand(site.host, argv), timeout: timeoutMs };
    });
    if (site.flags.mcp) {
      const [command = "", ...args] = site.argv("mcp");
      edits.push({
        kind: "entry",
        path: ["mcpServers", "signet"],
        value: { command, args, ...(site.flags.trustTools && { trust: true }) },
        owns: (value) => ownsServer(gemini, value),
      });
    }
    return [{ kind: "edit", path: gemini.configPath(site), format: "jsonc", edits }];
  },

  // Gemini CLI tells its model to keep notes in this file, so no part of it but a block is ours.
  identity: (site) => ({ path: join(site.host, configDir(site), "GEMINI.md"), rule: "block" }),
  skillsDir: (site) => join(site.host, configDir(site), "skills"),
  readsAgentSkills: true,

  inspector: () => import("./inspect.ts"),

  notes: (site) => [
    "Gemini CLI reads its hooks when it starts: restart it where it runs now.",
    ...(site.flags.mcp && !site.flags.trustTools
      ? [
        "`gemini -p` offers the memory tools only where they are trusted: install with --trust-tools, or run it with --approval-mode yolo.",
      ]
      : []),
  ],
};

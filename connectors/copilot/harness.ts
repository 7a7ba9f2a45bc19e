import { isFileName, join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { hookItems } from "../base/hooks_config/hook_groups.ts";
import { mcpFile } from "../base/hooks_config/mcp_entry.ts";
import { agents } from "./agents.ts";
import { hookCall } from "./hook_call.ts";

/** Copilot CLI 1.0: reads every file in its hooks directory, and `additionalContext` at the top of an answer. */
export const copilot: Harness = defineHarness({
  id: "copilot",
  displayName: "Copilot CLI",
  timeoutUnit: "s",
  events: {
    "session-start": { native: "sessionStart", timeout: 8 },
    "user-prompt-submit": { native: "userPromptSubmitted", timeout: 5 },
    "pre-compaction": { native: "preCompact", timeout: 5 },
    "session-end": { native: "sessionEnd", timeout: 5 },
  },
  agents,
  output: { "session-start": "top-level context", "user-prompt-submit": "top-level context" },
  // The start text is in no history: a resumed session, and one after a compaction, has lost it.
  keepsContext: false,
  restoresAt: "next-prompt",
  startsWithPrompt: true,
  injectedTags: ["system_reminder"],
  transcript: "copilot",
  // Only agentStop and preCompact name the file.
  findTranscript: (session, place) =>
    isFileName(session)
      ? join(place.host, copilot.configDir(place), "session-state", session, "events.jsonl")
      : undefined,
  versions: { tried: ["1.0.65", "1.0.102"], date: "2026-11-17" },
  limits: {
    "pre-compaction": { partly: "Signet is notified; Copilot CLI accepts no text for its compaction prompt" },
    "post-compaction": {
      partly: "the memory is injected again with the next prompt; there is no summary to store",
    },
    tools: {
      partly: "`copilot -p` refuses tools that write without --allow-tool=signet or --allow-all-tools",
    },
  },

  configDir: ({ host, home }) => host.env("COPILOT_HOME") || join(host, home, ".copilot"),
  configFiles: ["hooks/signet.json"],
  targets(site) {
    const hooks = hookItems(copilot, site, (event, { timeout }) => ({ ...hookCall(site, event), timeout }));
    return [
      {
        kind: "edit",
        path: copilot.configPath(site),
        format: "json",
        edits: [{ kind: "entry", path: ["version"], value: 1, owns: (version) => version === 1 }, ...hooks],
      },
      ...mcpFile(copilot, site, site.path("mcp-config.json"), "jsonc", (call) => {
        return { type: "local", ...call, tools: ["*"] };
      }),
    ];
  },

  identity: { file: "copilot-instructions.md", rule: "block" },
  // With COPILOT_HOME it reads the skills there alone (1.0.66).
  readsAgentSkills: ({ host }) => !host.env("COPILOT_HOME"),
  notes: () => ["Copilot CLI reads its hooks when it starts: restart any running session."],
});

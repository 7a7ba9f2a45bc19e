import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { agents } from "./agents.ts";
import { targets } from "./targets.ts";
import { trustNotes } from "./trust_notes.ts";
import { SESSION_END_SINCE, TRUST_SINCE, VERSIONS } from "./versions.ts";

/** Codex 0.166 runs only trusted hooks. Trust is a hash of the definition, so a definition must stay the same. */
export const codex: Harness = defineHarness({
  id: "codex",
  displayName: "Codex",
  headless: { args: ["exec"], prompt: "stdin" },
  timeoutUnit: "s",
  events: {
    "session-start": { native: "SessionStart", timeout: 8 },
    "user-prompt-submit": { native: "UserPromptSubmit", timeout: 5 },
    "pre-compaction": { native: "PreCompact", timeout: 5, since: TRUST_SINCE },
    // Codex allows no more for this event.
    "session-end": { native: "SessionEnd", timeout: 3, since: SESSION_END_SINCE },
    // Any turn may be the last where no session end is sent.
    checkpoint: { native: "Stop", timeout: 5, before: SESSION_END_SINCE },
  },
  agents,
  // Codex drops an answer with an unknown key, and plain text that starts with `[`.
  output: { "session-start": "context", "user-prompt-submit": "context" },
  transcript: "codex",
  // A background server runs the hooks and MCP servers of every window in the window's directory, but with
  // the environment of the first.
  sharesEnvironment: true,
  versions: VERSIONS,
  limits: {
    "session-end": {
      partly:
        "Codex's background server ends a session a minute after its window was closed; without that server a closed window sends no end, and the session ends at the next start",
    },
    "pre-compaction": { partly: "Signet is notified; Codex accepts no text for its compaction prompt" },
    "post-compaction": { partly: "the memory is injected again; Codex provides no summary to store" },
    tools: {
      partly:
        '`codex exec` refuses tools that write unless [mcp_servers.signet] has default_tools_approval_mode = "approve"',
    },
  },

  configDir: ({ host, home }) => host.env("CODEX_HOME") || join(host, home, ".codex"),
  configFiles: ["hooks.json"],
  targets: (site) => targets(codex, site),

  // AGENTS.override.md replaces AGENTS.md where it exists.
  identity: { file: "AGENTS.md", existing: ["AGENTS.override.md"], rule: "block" },
  readsAgentSkills: true,
  inspector: () => import("./trust.ts"),
  notes: trustNotes,
});

import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Harness } from "../base/harness.ts";
import { mcpFile } from "../base/hooks_config/mcp_entry.ts";
import { agents } from "./agents.ts";
import { sessionDir } from "./find_transcript.ts";
import { hookList } from "./hook_list.ts";

/** Kimi Code 2.1: hooks are a list in config.toml, and print plain text. */
export const kimi: Harness = defineHarness({
  id: "kimi",
  displayName: "Kimi Code",
  timeoutUnit: "s",
  events: {
    "session-start": { native: "SessionStart", timeout: 8 },
    "user-prompt-submit": { native: "UserPromptSubmit", timeout: 8 },
    "pre-compaction": { native: "PreCompact", timeout: 5 },
    "session-end": { native: "SessionEnd", timeout: 5 },
    // `kimi -p` sends no session end, so any turn may be the last.
    checkpoint: { native: "Stop", timeout: 5 },
  },
  agents,
  // The output of SessionStart reaches no model.
  injectAt: "first-prompt",
  output: { "user-prompt-submit": "text" },
  // A compaction keeps what the user wrote, and drops the hooks' text.
  restoresAt: "next-prompt",
  injectedTags: ["hook_result"],
  transcript: "kimi",
  findTranscript(session, place) {
    const dir = sessionDir(join(place.host, kimi.configDir(place), "session_index.jsonl"), session);
    return dir === undefined ? undefined : join(place.host, dir, "agents", "main", "wire.jsonl");
  },
  versions: { tried: ["2.1.0"], date: "2026-11-17" },
  limits: {
    "session-start": { partly: "the text comes with the first prompt, and Kimi Code shows it on the screen" },
    "prompt-submit": { partly: "Kimi Code shows the text on the screen" },
    "pre-compaction": { partly: "Signet is notified; Kimi Code accepts no text for its compaction prompt" },
    "post-compaction": {
      partly: "the memory is injected again with the next prompt; there is no summary to store",
    },
    "session-end": {
      partly:
        "`kimi -p` sends none: every turn is saved, and the session ends at the next start (Linux) or after 24 hours",
    },
  },

  configDir: ({ host, home }) => host.env("KIMI_CODE_HOME") || join(host, home, ".kimi-code"),
  configFiles: ["config.toml"],
  targets: (site) => [
    { kind: "edit", path: kimi.configPath(site), format: "toml", edits: hookList(kimi, site) },
    ...mcpFile(kimi, site, site.path("mcp.json"), "json"),
  ],

  // Kimi Code reads ~/.agents/AGENTS.md too: with it in this file, the model would have it twice.
  identity: (site) => ({
    path: site.path("AGENTS.md"),
    rule: "block",
    omit: join(site.host, site.home, ".agents", "AGENTS.md"),
  }),
  readsAgentSkills: true,
  notes: () => ["Kimi Code reads its hooks when it starts: restart any running session."],
});

import { join } from "../../hooks/state/paths.ts";
import type { Harness, Site } from "../base/harness.ts";
import { isPlugin, pluginSettings, renderPlugin } from "../base/plugin/render.ts";
import extension from "./signet.ts" with { type: "text" };

function configDir(site: Pick<Site, "host" | "home">): string {
  const set = site.host.env("PI_CODING_AGENT_DIR");
  return set ? set.replace(/^~(?=$|[\\/])/, site.home) : join(site.host, site.home, ".pi", "agent");
}

const configPath = (site: Pick<Site, "host" | "home">) =>
  join(site.host, configDir(site), "extensions", "signet.ts");

/** pi 0.87 and 0.73: an extension in its own process, which pi finds by itself; no MCP. */
export const pi: Harness = {
  id: "pi",
  displayName: "pi",
  binary: "signet-pi",
  programs: ["pi"],
  runtimePath: "plugin",
  // pi waits for its extensions without end, so these are the extension's own limits.
  events: {
    "session-start": { native: "before_agent_start", timeoutMs: 8_000 },
    "user-prompt-submit": { native: "before_agent_start", timeoutMs: 5_000 },
    "pre-compaction": { native: "session_before_compact", timeoutMs: 4_000 },
    "compaction-complete": { native: "session_compact", timeoutMs: 4_000 },
    "session-end": { native: "session_shutdown", timeoutMs: 3_000 },
    checkpoint: { native: "agent_end", timeoutMs: 4_000 },
  },
  maxInject: 24_000,
  transcript: "text",
  keepsContext: false,
  fidelity: {
    "session-start": "yes",
    "prompt-submit": "yes",
    "pre-compaction": { partly: "the daemon is told; its guidelines cannot be added to pi's summary prompt" },
    "post-compaction": "yes",
    "session-end": "yes",
    tools: { partly: "memory_search and memory_store, as tools of the extension: pi 0.x has no MCP" },
    identity: "yes",
  },
  assumed: "pi 1.x reads the same extensions directory; it was not run.",

  configDir,
  configPath,
  render: (_event, text) => text,

  targets(site) {
    const tools = site.flags.mcp ? { recall: site.argv("recall"), remember: site.argv("remember") } : {};
    return [{
      kind: "file",
      path: configPath(site),
      text: renderPlugin(extension, { ...pluginSettings(pi, site), ...tools }),
      owns: (text) => isPlugin(extension, text),
    }];
  },

  // pi reads the first of these that exists: a new AGENTS.md would hide a CLAUDE.md.
  identity: (site) => {
    const [first = "", ...others] = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"]
      .map((name) => join(site.host, configDir(site), name));
    const fallback = others[0] ?? first;
    return { path: [first, ...others].find((path) => site.exists(path)) ?? fallback, rule: "block" };
  },
  skillsDir: (site) => join(site.host, configDir(site), "skills"),
  readsAgentSkills: true,

  notes: () => ["pi loads its extensions when it starts: restart it where it runs now, or say /reload."],
};

import { join } from "../../hooks/state/paths.ts";
import type { Harness } from "../base/harness.ts";
import { ownsServer } from "../base/hooks_config/hook_groups.ts";
import { asLegacyHook, asPlugin } from "./carrier.ts";
import { configPath, stateDir } from "./place.ts";
import { signetsOwn } from "./signets_own.ts";

/** OpenClaw 2026.9: a plugin in its own process, JSON5 config that is validated to the last key. */
export const openclaw: Harness = {
  id: "openclaw",
  displayName: "OpenClaw",
  binary: "signet-openclaw",
  programs: ["openclaw"],
  runtimePath: "plugin",
  // OpenClaw gives before_prompt_build 15 s, and all session_end handlers together 2 s when it stops.
  events: {
    "session-start": { native: "before_prompt_build", timeoutMs: 6_000 },
    "user-prompt-submit": { native: "before_prompt_build", timeoutMs: 4_000 },
    "pre-compaction": { native: "before_compaction", timeoutMs: 3_000 },
    "compaction-complete": { native: "before_prompt_build", timeoutMs: 3_000 },
    "session-end": { native: "session_end", timeoutMs: 1_800 },
    checkpoint: { native: "agent_end", timeoutMs: 5_000 },
  },
  maxInject: 24_000,
  transcript: "text",
  keepsContext: false,
  fidelity: {
    "session-start": "yes",
    "prompt-submit": "yes",
    "pre-compaction": {
      partly: "the daemon is told; its guidelines cannot be added to OpenClaw's summary prompt",
    },
    "post-compaction": { partly: "sent with the next prompt, because the summary is in no event" },
    "session-end": { partly: "`openclaw agent --local` has none: each of its turns is checkpointed instead" },
    tools: "yes",
    identity: { partly: "as session text; as files only where OpenClaw's workspace is Signet's" },
  },

  configDir: stateDir,
  configPath,
  render: (_event, text) => text,

  targets(site) {
    const path = configPath(site);
    const config = site.peek(path, "json5");
    const { files, edits } = (site.flags.legacyHooks ? asLegacyHook : asPlugin)(openclaw, site, config);
    if (site.flags.mcp) {
      const [command = "", ...args] = site.argv("mcp");
      edits.push({
        kind: "entry",
        path: ["mcp", "servers", "signet"],
        value: { command, args },
        owns: (value) => ownsServer(openclaw, value),
      });
    }
    const workspace = ["agents", "defaults", "workspace"];
    if (site.workspace && site.flags.setWorkspace) {
      edits.push({ kind: "entry", path: workspace, value: site.workspace, owns: () => true });
    } else if (site.workspace && !site.exists(join(site.host, stateDir(site), "workspace"))) {
      // Who has the default workspace in use has one, even where the config does not name it.
      edits.push({ kind: "default", path: workspace, value: site.workspace });
    }
    return [...files, { kind: "edit", path, format: "json5", edits }];
  },

  identity: () => undefined,
  skillsDir: (site) => join(site.host, stateDir(site), "skills"),
  readsAgentSkills: true,

  inspector: () => import("./inspect.ts"),

  notes: (site) => [
    "Restart the gateway so that it loads what was installed: openclaw gateway restart",
    ...(site.flags.legacyHooks
      ? [
        "Internal hooks run in the gateway only, and give no memory to single prompts; the plugin does both.",
      ]
      : ["OpenClaw warns that it cannot verify where the plugin comes from: it was not installed from npm."]),
    ...signetsOwn(site.peek(configPath(site), "json5")).map((place) =>
      `The original Signet is connected too, so memory arrives twice: set ${place}.enabled to false.`
    ),
  ],
};

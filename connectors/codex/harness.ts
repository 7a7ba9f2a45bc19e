import { join } from "../../hooks/state/paths.ts";
import type { Edit, Json } from "../base/edit/edit.ts";
import type { Harness, Site } from "../base/harness.ts";
import { additionalContext, hookGroups, ownsServer } from "../base/hooks_config/hook_groups.ts";
import { programName, shellCommand } from "../base/hooks_config/hook_command.ts";
import { trustRecords } from "./trust_record.ts";

type Place = Pick<Site, "host" | "home">;

const dir = (site: Place) => site.host.env("CODEX_HOME") || join(site.host, site.home, ".codex");
export const configToml = (site: Place) => join(site.host, dir(site), "config.toml");

/** Codex hands an MCP server a few variables only: where our files are is written in … */
const WRITTEN = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "SIGNET_PATH", "SIGNET_WORKSPACE", "SSL_CERT_FILE"];
/** … and these are named, so that they come from the user's shell, and no key stands in a config. */
const FORWARDED = [
  "SIGNET_DAEMON_URL",
  "SIGNET_API_KEY",
  "SIGNET_TOKEN",
  "SIGNET_AGENT_ID",
  "SIGNET_CONNECTOR_MODE",
];

function mcpServer(site: Site): Edit {
  const [command = "", ...args] = site.argv("mcp");
  const env: { [name: string]: Json } = {};
  for (const name of WRITTEN) {
    const value = site.host.env(name);
    if (value) env[name] = value;
  }
  return {
    kind: "entry",
    path: ["mcp_servers", "signet"],
    value: { command, args, ...(Object.keys(env).length > 0 ? { env } : {}), env_vars: FORWARDED },
    owns: (value) => ownsServer(codex, value),
  };
}

/** Codex 0.166: hooks in seconds and only if trusted; the trust is a hash, so a definition never changes without need. */
export const codex: Harness = {
  id: "codex",
  displayName: "Codex",
  binary: "signet-codex",
  programs: ["codex"],
  runtimePath: "legacy",
  events: {
    "session-start": { native: "SessionStart", timeoutMs: 8_000 },
    "user-prompt-submit": { native: "UserPromptSubmit", timeoutMs: 5_000 },
    "pre-compaction": { native: "PreCompact", timeoutMs: 5_000 },
    // The most that Codex gives it.
    "session-end": { native: "SessionEnd", timeoutMs: 3_000 },
  },
  maxInject: 24_000,
  transcript: "codex",
  fidelity: {
    "session-start": "yes",
    "prompt-submit": "yes",
    "pre-compaction": { partly: "Signet is told; Codex takes no words for its compaction prompt" },
    "post-compaction": { partly: "the memory comes back; Codex hands out no summary to keep" },
    "session-end": "yes",
    tools: {
      partly:
        '`codex exec` refuses tools that write, unless default_tools_approval_mode = "approve" stands under [mcp_servers.signet]',
    },
    identity: "yes",
  },

  configDir: dir,
  configPath: (site) => join(site.host, dir(site), "hooks.json"),

  // One key too many, or plain text that starts with `[`, and Codex drops the answer: always this one form.
  render(event, text) {
    const heard = event.event === "session-start" || event.event === "user-prompt-submit";
    return heard && text !== "" ? additionalContext(codex, event, text) : "";
  },

  targets(site) {
    const hooks = hookGroups(codex, site, (argv, native, timeoutMs) => {
      const command = shellCommand(site.host, argv);
      return {
        command,
        ...(site.host.os === "windows" ? { commandWindows: command } : {}),
        timeout: timeoutMs / 1000,
        // Codex cuts context at 2,500 tokens of 4 bytes; `maxInject` is our own limit, and a larger one.
        ...(native === "SessionStart" || native === "UserPromptSubmit" ? { additionalContextLimit: 0 } : {}),
      };
    });
    const config = [
      ...(site.flags.mcp ? [mcpServer(site)] : []),
      ...trustRecords(codex, site, hooks, configToml(site)),
    ];
    return [
      { kind: "edit", path: codex.configPath(site), format: "json", edits: hooks },
      ...(config.length > 0
        ? [{ kind: "edit", path: configToml(site), format: "toml", edits: config } as const]
        : []),
    ];
  },

  // AGENTS.override.md takes the place of AGENTS.md, where there is one.
  identity(site) {
    const override = join(site.host, dir(site), "AGENTS.override.md");
    return {
      path: site.exists(override) ? override : join(site.host, dir(site), "AGENTS.md"),
      rule: "block",
    };
  },

  skillsDir: (site) => join(site.host, dir(site), "skills"),
  readsAgentSkills: true,

  notes(site) {
    const restart = "Codex reads its hooks when it starts: sessions that are open now go on without.";
    if (site.flags.trustHooks) return [restart];
    const [program = "", ...which] = site.argv("install");
    const name = programName(program);
    return [
      `Codex runs no hook before you have trusted it: open codex, type /hooks, and trust the four of ${name}` +
      ` (or run: ${[name, ...which, "--trust-hooks"].join(" ")}).`,
      restart,
    ];
  },

  inspector: () => import("./trust.ts"),
};

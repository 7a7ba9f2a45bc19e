import { join } from "../../hooks/state/paths.ts";
import { defineHarness } from "../base/define_harness.ts";
import type { Edit, Json } from "../base/edit/edit.ts";
import type { Harness, Site } from "../base/harness.ts";
import { isOurHook, shellCommand, splitCommand } from "../base/hooks_config/hook_command.ts";
import { isObject } from "../../hooks/json.ts";
import { mcpEntry } from "../base/hooks_config/mcp_entry.ts";

/**
 * PyAgent. No public program with this config was found: everything here is an
 * assumption, and `doctor` prints it as one.
 */
export const pyagent: Harness = defineHarness({
  id: "pyagent",
  displayName: "PyAgent",
  // Python's subprocess takes seconds.
  timeoutUnit: "s",
  events: {
    "session-start": { native: "on_session_start", timeout: 5 },
    "user-prompt-submit": { native: "on_user_message", timeout: 4 },
    "session-end": { native: "on_session_end", timeout: 10 },
  },
  output: "line",
  maxInject: 60_000,
  limits: {
    "pre-compaction": { no: "PyAgent has no compaction event" },
    "post-compaction": { no: "PyAgent has no compaction event" },
  },
  assumed: "config.yaml with hooks.<event>, timeouts in seconds, JSON on stdin, plain text on stdout",

  configDir: ({ host, home }) => host.env("PYAGENT_HOME") || join(host, home, ".pyagent"),
  configFiles: ["config.yaml"],
  targets(site) {
    const path = pyagent.configPath(site);
    const servers = mcpServers(site.peek(path, "yaml", ["tools", "mcp_servers", "mcp"]));
    const mcp = mcpEntry(pyagent, site, servers, (call) => ({ transport: "stdio", ...call }));
    return [{ kind: "edit", path, format: "yaml", edits: [...hooks(site), ...mcp] }];
  },

  identity: { file: "identity/AGENTS.md", rule: "block" },
  notes: () => ["PyAgent reads config.yaml when it starts: restart any running session."],
});

function hooks(site: Site): Edit[] {
  return Object.entries(pyagent.events).map(([event, { native, timeout }]) => {
    const command = shellCommand(site.host, site.argv("hook", event), { project: true });
    return { kind: "item", path: ["hooks", native], value: { command, timeout }, text: command, owns };
  });
}

/** A hook is a command, or a mapping that has one. */
function owns(item: Json): boolean {
  const command = isObject(item) ? item.command : item;
  return typeof command === "string" && isOurHook(pyagent, splitCommand(command));
}

/** The table of MCP servers that the config has, or the usual one. */
function mcpServers(config: Json | undefined): string[] {
  const at = (value: Json | undefined, key: string) => isObject(value) ? value[key] : undefined;
  const known = [["tools", "mcp_servers"], ["mcp_servers"], ["mcp", "servers"]];
  return known.find((path) => path.reduce(at, config) !== undefined) ?? ["tools", "mcp_servers"];
}

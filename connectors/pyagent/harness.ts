import type { EventName } from "../../hooks/event.ts";
import { join } from "../../hooks/state/paths.ts";
import type { Edit, Json } from "../base/edit/edit.ts";
import type { Harness, Site } from "../base/harness.ts";
import { isOurHook, shellCommand, splitCommand } from "../base/hooks_config/hook_command.ts";
import { isObject, ownsServer } from "../base/hooks_config/hook_groups.ts";

// No public runtime with this config could be found: the profile below is an
// assumption, kept in this one file, and `doctor` prints it as one.
// Timeouts are seconds in PyAgent's config, as Python's subprocess takes them.
const EVENTS: { [E in EventName]?: { native: string; timeoutMs: number } } = {
  "session-start": { native: "on_session_start", timeoutMs: 5_000 },
  "user-prompt-submit": { native: "on_user_message", timeoutMs: 4_000 },
  "session-end": { native: "on_session_end", timeoutMs: 10_000 },
};

const dir = (site: Pick<Site, "host" | "home">) =>
  site.host.env("PYAGENT_HOME") || join(site.host, site.home, ".pyagent");

/** A hook entry is a command, or a mapping that has one. */
function ownsHook(item: Json): boolean {
  const command = isObject(item) ? item.command : item;
  return typeof command === "string" && isOurHook(pyagent, splitCommand(command));
}

/** The MCP registry in use: the first of the known places that the config has. */
function mcpRegistry(config: Json | undefined): string[] {
  const at = (value: Json | undefined, key: string) => isObject(value) ? value[key] : undefined;
  const places = [["tools", "mcp_servers"], ["mcp_servers"], ["mcp", "servers"]];
  return places.find((place) => place.reduce(at, config) !== undefined) ?? ["tools", "mcp_servers"];
}

export const pyagent: Harness = {
  id: "pyagent",
  displayName: "PyAgent",
  binary: "signet-pyagent",
  programs: ["pyagent"],
  runtimePath: "legacy",
  events: EVENTS,
  maxInject: 60_000,
  transcript: "text",
  fidelity: {
    "session-start": "yes",
    "prompt-submit": "yes",
    "pre-compaction": { no: "PyAgent has no compaction event" },
    "post-compaction": { no: "PyAgent has no compaction event" },
    "session-end": "yes",
    tools: "yes",
    identity: "yes",
  },
  assumed: "config.yaml with hooks.<event>, timeouts in seconds, JSON on stdin, plain text on stdout",

  configDir: dir,
  configPath: (site) => join(site.host, dir(site), "config.yaml"),

  render: (_event, text) => text && `${text}\n`,

  targets(site) {
    const edits: Edit[] = [];
    for (const [event, { native, timeoutMs }] of Object.entries(EVENTS)) {
      const command = shellCommand(site.host, site.argv("hook", event), { project: true });
      edits.push({
        kind: "item",
        path: ["hooks", native],
        value: { command, timeout: timeoutMs / 1000 },
        text: command,
        owns: ownsHook,
      });
    }
    if (site.flags.mcp) {
      const [command = "", ...args] = site.argv("mcp");
      edits.push({
        kind: "entry",
        path: [...mcpRegistry(site.peek(pyagent.configPath(site), "yaml")), "signet"],
        value: { transport: "stdio", command, args },
        owns: (value) => ownsServer(pyagent, value),
      });
    }
    return [{ kind: "edit", path: pyagent.configPath(site), format: "yaml", edits }];
  },

  // A user's own identity file keeps its text; ours goes between the marks in it.
  identity: (site) => ({ path: join(site.host, dir(site), "identity", "AGENTS.md"), rule: "block" }),
  skillsDir: (site) => join(site.host, dir(site), "skills"),
  notes: () => ["PyAgent reads config.yaml when it starts: restart a running session."],
};

import { agentsDir } from "../../../hooks/agents/dir.ts";
import { jsonConfigPath, userConfigPath } from "../../../hooks/agents/config/has_user_config.ts";
import { DOORBELL } from "../../../hooks/agents/wake/doorbell.ts";
import type { EventName } from "../../../hooks/event.ts";
import type { HookProfile } from "../../../hooks/profile.ts";
import { join, stateDir } from "../../../hooks/state/paths.ts";
import { KEPT_DIR } from "../../../hooks/transcript/kept.ts";
import type { Site, Target } from "../harness.ts";
import agentsBridge from "./agents_bridge.js" with { type: "text" };
import bridge from "./bridge.js" with { type: "text" };
import opencodeHooks from "./opencode_hooks.js" with { type: "text" };
import piExtension from "./pi_extension.ts" with { type: "text" };

const SETTINGS_MARK = "// signet:settings";
/** The files that a plugin may import; each is put in its place. */
const SHARED: Record<string, string> = {
  "agents_bridge.js": agentsBridge,
  "bridge.js": bridge,
  "opencode_hooks.js": opencodeHooks,
  "pi_extension.ts": piExtension,
};
const SHARED_IMPORT = /^import \{[^}]*\} from "\.[^"]*\/([a-z_]+\.[jt]s)";\n/gm;

type Profile = Pick<HookProfile, "events">;

/** What the harnesses with a plugin share: injected text is not stored in the history, so a resumed session needs it again. */
export const PLUGIN = { runtimePath: "plugin", keepsContext: false, timeoutUnit: "ms" } as const;

/** The program that a plugin calls, and how long it waits. */
export interface PluginSettings {
  /** The command line, with `EVENT` in place of the event's name. */
  readonly argv: readonly string[];
  readonly timeouts: { readonly [E in EventName]?: number };
  /** A checkpoint is sent after every so many turns. */
  readonly checkpointEvery: number;
  /** Where the conversations of live sessions are kept, in case the harness is killed. */
  readonly transcripts?: string;
  /** For a harness without MCP: the command lines of its tools. */
  readonly recall?: readonly string[];
  readonly remember?: readonly string[];
  /** For a harness whose plugin adds the MCP server: its command line. */
  readonly mcp?: readonly string[];
  /** Where a plugin keeps what must outlive its process. */
  readonly stateDir?: string;
  /** With `--agents`: where the other agents are, and what the plugin has to ask about. */
  readonly agents?: PluginAgents;
}

/** What a plugin needs to work with other agents. */
export interface PluginAgents {
  readonly harness: string;
  /** The directory of the mesh. */
  readonly dir: string;
  /** The files in which the user may have changed how locks are enforced. */
  readonly configs: readonly string[];
  /** What wakes an idle session. */
  readonly doorbell: string;
  /** The tools that may write files. */
  readonly tools: readonly string[];
  readonly timeouts: Readonly<Record<string, number>>;
}

function pluginAgents(profile: Pick<HookProfile, "id" | "agents">, site: Site): PluginAgents | undefined {
  const dir = agentsDir(site.host);
  const configs = [userConfigPath(site.host), jsonConfigPath(site.host)].filter((path) => path !== undefined);
  const events = Object.entries(site.agentEvents);
  if (events.length === 0 || dir === undefined) return undefined;
  return {
    harness: profile.id,
    dir,
    configs,
    doorbell: DOORBELL,
    tools: Object.keys(profile.agents?.tools ?? {}),
    timeouts: Object.fromEntries(events.map(([event, { timeoutMs }]) => [event, timeoutMs])),
  };
}

/** The settings of a plugin at this site: every event of the profile with its timeout. */
export function pluginSettings(profile: Profile, site: Pick<Site, "argv">): PluginSettings {
  const timeouts = Object.fromEntries(
    Object.entries(profile.events).map(([event, { timeoutMs }]) => [event, timeoutMs]),
  );
  return { argv: site.argv("hook", "EVENT"), timeouts, checkpointEvery: 10 };
}

/**
 * A plugin as it is installed: one file that contains what it imports, with the
 * settings of this machine on the marked line.
 */
export function renderPlugin(source: string, settings: PluginSettings): string {
  const lines = withImports(source).split("\n");
  const at = lines.findIndex((line) => line.endsWith(SETTINGS_MARK));
  const declared = lines[at]?.slice(0, lines[at].indexOf("=") + 1);
  lines[at] = `${declared} ${JSON.stringify(settings)}; ${SETTINGS_MARK}`;
  return lines.join("\n");
}

/** A source with each shared file in place of the first import of it. */
function withImports(source: string, imported = new Set<string>()): string {
  return source.replace(SHARED_IMPORT, (_, name: string) => {
    if (imported.has(name)) return "";
    imported.add(name);
    return withImports(SHARED[name] ?? "", imported).replace(/^export /gm, "");
  });
}

/** Whether a file is this plugin, in any version: by its exact first line and the marked one. */
export function isPlugin(source: string, text: string): boolean {
  const first = source.slice(0, source.indexOf("\n") + 1);
  return text.replaceAll("\r\n", "\n").startsWith(first) && text.includes(SETTINGS_MARK);
}

/** Whether an installed plugin adds the MCP server. */
export function addsMcpServer(text: string): boolean {
  const marked = text.split("\n").find((line) => line.trimEnd().endsWith(SETTINGS_MARK));
  return marked !== undefined && /"mcp":\["/.test(marked);
}

/** A plugin in the harness's directory, with the program's path and the timeouts in it. */
export function pluginFile(
  profile: Pick<HookProfile, "id" | "events" | "agents">,
  site: Site,
  name: string,
  source: string,
  extra: Pick<PluginSettings, "recall" | "remember" | "mcp" | "stateDir"> = {},
): Extract<Target, { kind: "file" }> {
  const state = stateDir(profile.id, site.host);
  const transcripts = state === undefined ? undefined : join(site.host, state, KEPT_DIR);
  return {
    kind: "file",
    path: site.path(name),
    text: renderPlugin(source, {
      ...pluginSettings(profile, site),
      transcripts,
      ...extra,
      agents: pluginAgents(profile, site),
    }),
    owns: (text) => isPlugin(source, text),
  };
}

import type { EventName } from "../../../hooks/event.ts";
import type { HookProfile } from "../../../hooks/profile.ts";
import type { Site } from "../harness.ts";
import bridge from "./bridge.js" with { type: "text" };

const SETTINGS_MARK = "// signet:settings";
const BRIDGE_IMPORT = /^import \{[^}]*\} from "[^"]*\/bridge\.js";\n/m;

/** Which program a plugin calls, and how long it waits. */
export interface PluginSettings {
  /** With `EVENT` in place of the event's name. */
  readonly argv: readonly string[];
  readonly timeouts: { readonly [E in EventName]?: number };
  /** After how many turns a checkpoint is sent. */
  readonly checkpointEvery: number;
  /** For a harness without MCP: the programs behind its tools. */
  readonly recall?: readonly string[];
  readonly remember?: readonly string[];
}

/** The settings of a plugin at this site: every event of the profile with its timeout. */
export function pluginSettings(
  profile: Pick<HookProfile, "events">,
  site: Pick<Site, "argv">,
): PluginSettings {
  const timeouts = Object.fromEntries(
    Object.entries(profile.events).map(([event, { timeoutMs }]) => [event, timeoutMs]),
  );
  return { argv: site.argv("hook", "EVENT"), timeouts, checkpointEvery: 10 };
}

/**
 * A plugin file as it is installed: one file, with the bridge in it and the
 * settings of this machine in the line that is marked for them.
 */
export function renderPlugin(source: string, settings: PluginSettings): string {
  const inlined = bridge.replace(/^export /gm, "");
  const lines = source.replace(BRIDGE_IMPORT, () => inlined).split("\n");
  const at = lines.findIndex((line) => line.endsWith(SETTINGS_MARK));
  const declared = lines[at]?.slice(0, lines[at].indexOf("=") + 1);
  lines[at] = `${declared} ${JSON.stringify(settings)}; ${SETTINGS_MARK}`;
  return lines.join("\n");
}

/** Whether a file is this plugin, of this version or another: by its exact first line and the marked one. */
export function isPlugin(source: string, text: string): boolean {
  const first = source.slice(0, source.indexOf("\n") + 1);
  return text.replaceAll("\r\n", "\n").startsWith(first) && text.includes(SETTINGS_MARK);
}

// Signet memory for Kilo, written by signet-kilo.
// `signet-kilo uninstall` removes it; an install writes it again.
import { quiet } from "../base/plugin/bridge.js";
import { opencodeHooks } from "../base/plugin/opencode_hooks.js";

const SETTINGS = { argv: ["signet-kilo", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

/** Adds our MCP server to the config in memory; a server of that name in the user's config stays. */
function addMcpServer(config) {
  if (!SETTINGS.mcp || config?.mcp?.signet) return;
  config.mcp = { ...config.mcp, signet: { type: "local", command: SETTINGS.mcp, enabled: true } };
}

/** The plugin. Kilo does not load a file that exports anything but functions. */
export const Signet = (input) =>
  Promise.resolve({
    ...opencodeHooks(SETTINGS, input),
    config: quiet(addMcpServer),
  });

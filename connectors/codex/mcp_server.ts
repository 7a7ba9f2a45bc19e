import type { Json } from "../base/edit/edit.ts";
import type { Call, Site } from "../base/harness.ts";

/** Codex passes few variables to an MCP server. These locate our files, so their values are written down. */
const WRITTEN = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "SIGNET_PATH", "SIGNET_WORKSPACE", "SSL_CERT_FILE"];

/** These are forwarded from the user's shell by name, so that no key is in a config. */
const FORWARDED = [
  "SIGNET_DAEMON_URL",
  "SIGNET_API_KEY",
  "SIGNET_TOKEN",
  "SIGNET_AGENT_ID",
  "SIGNET_CONNECTOR_MODE",
];

/** The entry of our MCP server, with the environment that it needs. */
export function mcpServer(site: Site, { command, args }: Call): Json {
  const env: { [name: string]: Json } = {};
  for (const name of WRITTEN) {
    const value = site.host.env(name);
    if (value) env[name] = value;
  }
  return { command, args, ...(Object.keys(env).length > 0 ? { env } : {}), env_vars: FORWARDED };
}

import type { Finding, Site } from "../base/harness.ts";
import { configPath } from "./config_path.ts";
import { ID, LEGACY_DIR, valueAt } from "./plugin_files.ts";

/** Checks for settings that keep an installed plugin from running. */
export function inspect(site: Site): Promise<Finding[]> {
  const path = configPath(site);
  const config = site.peek(path, "json5", ["plugins"]);
  if (site.exists(site.path(`${LEGACY_DIR}/handler.js`))) {
    return Promise.resolve([{
      id: "legacy-hook",
      ok: false,
      message:
        "degraded: installed as an internal hook, so single prompts get no memory, sessions end without a transcript, and `openclaw agent --local` gets nothing",
      fix: "signet-openclaw install",
    }]);
  }
  const ourEntry = ["plugins", "entries", ID];
  const deny = valueAt(config, "plugins", "deny");
  const allow = valueAt(config, "plugins", "allow");
  const problems: [boolean, string, string][] = [
    [
      valueAt(config, "plugins", "enabled") === false,
      "plugins.enabled is false: no plugin runs",
      "set it to true",
    ],
    [Array.isArray(deny) && deny.includes(ID), `plugins.deny names ${ID}`, "remove it"],
    [
      Array.isArray(allow) && !allow.includes(ID),
      `plugins.allow does not name ${ID}`,
      "signet-openclaw install",
    ],
    [
      valueAt(config, ...ourEntry, "enabled") === false,
      `${ourEntry.join(".")} is not enabled`,
      "set it to true",
    ],
    [
      valueAt(config, ...ourEntry, "hooks", "allowConversationAccess") !== true,
      "the plugin may not see conversations, so its prompt hooks never run",
      "signet-openclaw install",
    ],
  ];
  const found: Finding[] = problems.filter(([applies]) => applies)
    .map(([, message, fix]) => ({ id: "plugin-disabled", ok: false, message: `${path}: ${message}`, fix }));
  return Promise.resolve(
    found.length > 0 ? found : [{ id: "plugin-enabled", ok: true, message: "OpenClaw lets the plugin run" }],
  );
}

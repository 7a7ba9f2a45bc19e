import { join } from "../../hooks/state/paths.ts";
import type { Finding, Site } from "../base/harness.ts";
import { at, ID, legacyHookDir } from "./carrier.ts";
import { configPath } from "./place.ts";
import { signetsOwn } from "./signets_own.ts";

/** What keeps an installed plugin from running, though every file is in its place. */
export function inspect(site: Site): Promise<Finding[]> {
  const path = configPath(site);
  const config = site.peek(path, "json5");
  const twice: Finding[] = signetsOwn(config).map((place) => ({
    ok: false,
    message: `${path}: the original Signet is connected too (${place}), so memory arrives twice`,
    fix: `set ${place}.enabled to false`,
  }));
  if (site.exists(join(site.host, legacyHookDir(site), "handler.js"))) {
    return Promise.resolve([...twice, {
      ok: false,
      message:
        "degraded: installed as internal hook, so single prompts get no memory, sessions end without a transcript, and `openclaw agent --local` gets nothing",
      fix: "signet-openclaw install",
    }]);
  }
  const entry = ["plugins", "entries", ID];
  const deny = at(config, "plugins", "deny");
  const allow = at(config, "plugins", "allow");
  const problems: [boolean, string, string][] = [
    [
      at(config, "plugins", "enabled") === false,
      "plugins.enabled is false: no plugin runs",
      "set it to true",
    ],
    [Array.isArray(deny) && deny.includes(ID), `plugins.deny names ${ID}`, "take it out"],
    [
      Array.isArray(allow) && !allow.includes(ID),
      `plugins.allow does not name ${ID}`,
      "signet-openclaw install",
    ],
    [at(config, ...entry, "enabled") === false, `${entry.join(".")} is not enabled`, "set it to true"],
    [
      at(config, ...entry, "hooks", "allowConversationAccess") !== true,
      "the plugin may not see conversations, so its prompt hooks never run",
      "signet-openclaw install",
    ],
  ];
  const found: Finding[] = problems.filter(([is]) => is)
    .map(([, message, fix]) => ({ ok: false, message: `${path}: ${message}`, fix }));
  found.push(...twice);
  return Promise.resolve(found.length > 0 ? found : [{ ok: true, message: "OpenClaw lets the plugin run" }]);
}

import { join } from "../../hooks/state/paths.ts";
import type { Finding, Site } from "../base/harness.ts";
import { opencode } from "./harness.ts";

/** Whether OpenCode has what it fetches for itself once there is a plugin. */
export function inspect(site: Site): Promise<Finding[]> {
  const dir = opencode.configDir(site);
  const lock = site.peek(join(site.host, dir, "package-lock.json"), "json");
  const fetched = site.exists(join(site.host, dir, "node_modules")) &&
    JSON.stringify(lock ?? null).includes('"@opencode-ai/plugin"');
  return Promise.resolve([{
    ok: true,
    message: fetched
      ? "OpenCode has its own plugin package"
      : "OpenCode will fetch @opencode-ai/plugin from npm when it starts next; without a network it waits about a minute for it",
  }]);
}

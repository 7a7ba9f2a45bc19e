import type { Finding, Site } from "../base/harness.ts";

/** Whether OpenCode has fetched the package that it needs for plugins. */
export function inspect(site: Site): Promise<Finding[]> {
  const lock = site.peek(site.path("package-lock.json"), "json");
  const fetched = site.exists(site.path("node_modules")) &&
    JSON.stringify(lock ?? null).includes('"@opencode-ai/plugin"');
  return Promise.resolve([{
    id: "plugin-package",
    ok: true,
    message: fetched
      ? "OpenCode has fetched its plugin package"
      : "OpenCode will fetch @opencode-ai/plugin from npm at its next start; without a network it waits about a minute for it",
  }]);
}

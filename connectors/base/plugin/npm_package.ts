import type { Finding, Site } from "../harness.ts";

/** Whether a program has fetched the npm package that it wants beside its plugins, or will wait for it. */
export function npmPackage(site: Site, displayName: string, name: string, wait: string): Finding {
  const lock = site.peek(site.path("package-lock.json"), "json", ["packages", "dependencies"]);
  const fetched = site.exists(site.path("node_modules")) &&
    JSON.stringify(lock ?? null).includes(JSON.stringify(name));
  return {
    id: "plugin-package",
    ok: true,
    message: fetched
      ? `${displayName} has fetched its plugin package`
      : `${displayName} will fetch ${name} from npm at its next start; without a network it waits ${wait} for it`,
  };
}

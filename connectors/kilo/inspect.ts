import type { Finding, Site } from "../base/harness.ts";
import { npmPackage } from "../base/plugin/npm_package.ts";

/** Whether Kilo has fetched the package that it needs for plugins. */
export function inspect(site: Site): Promise<Finding[]> {
  return Promise.resolve([npmPackage(site, "Kilo", "@kilocode/plugin", "over a minute")]);
}

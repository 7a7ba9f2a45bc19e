import type { Json } from "../base/edit/edit.ts";
import type { Site } from "../base/harness.ts";

/** The plugin that the original Signet shipped before its present one. */
export const OLD_PLUGIN = "memory.mjs";

/** Whether this is a plugin of the original Signet, which calls the daemon directly. */
export function isOriginalPlugin(text: string): boolean {
  return /signet/i.test(text) && text.includes("/api/hooks/");
}

/** Whether an item of the plugin list loads the old plugin; another plugin of that name is the user's. */
export function ownsOldPlugin(site: Site, item: Json): boolean {
  if (item !== `./${OLD_PLUGIN}` && item !== OLD_PLUGIN) return false;
  return isOriginalPlugin(site.readText(site.path(OLD_PLUGIN)) ?? "");
}

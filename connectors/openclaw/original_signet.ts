import type { Json, Path } from "../base/edit/edit.ts";
import { isObject } from "../../hooks/json.ts";
import { valueAt } from "./plugin_files.ts";

const PLUGINS = ["signet-memory-openclaw", "signet-memory"];
const HOOKS = ["signet-memory", "agent-memory"];

/**
 * The entries of the original Signet in the config, if one is switched on. With both
 * connected, every prompt gets its memory twice and every session is reported twice.
 */
export function originalEntries(config: Json | undefined): Path[] {
  const entries = [
    ...PLUGINS.map((id) => ["plugins", "entries", id]),
    ...HOOKS.map((id) => ["hooks", "internal", "entries", id]),
  ].filter((path) => valueAt(config, ...path) !== undefined);
  const isOn = (path: Path) => {
    const entry = valueAt(config, ...path);
    return !isObject(entry) || entry.enabled !== false;
  };
  if (!entries.some(isOn)) return [];
  const isPlugin = (value: Json | undefined) => typeof value === "string" && PLUGINS.includes(value);
  const slot = ["plugins", "slots", "memory"];
  const allow = valueAt(config, "plugins", "allow");
  const allowed = Array.isArray(allow)
    ? allow.flatMap((id, index) => isPlugin(id) ? [["plugins", "allow", String(index)]] : [])
    : [];
  return [...entries, ...isPlugin(valueAt(config, ...slot)) ? [slot] : [], ...allowed];
}

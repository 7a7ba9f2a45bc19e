import type { Json } from "../base/edit/edit.ts";
import { isObject } from "../../hooks/json.ts";
import { valueAt } from "./plugin_files.ts";

const PLUGINS = ["signet-memory-openclaw", "signet-memory"];
const HOOKS = ["signet-memory", "agent-memory"];

/**
 * The entries of the original Signet that are switched on. With both
 * connected, every prompt gets its memory twice and every session is reported twice.
 */
export function originalSignetEntries(config: Json | undefined): string[] {
  const isOn = (path: string[]) => {
    const entry = valueAt(config, ...path);
    return isObject(entry) && entry.enabled !== false;
  };
  return [
    ...PLUGINS.map((id) => ["plugins", "entries", id]),
    ...HOOKS.map((id) => ["hooks", "internal", "entries", id]),
  ].filter(isOn).map((path) => path.join("."));
}

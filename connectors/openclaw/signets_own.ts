import type { Json } from "../base/edit/edit.ts";
import { isObject } from "../base/hooks_config/hook_groups.ts";
import { at } from "./carrier.ts";

const PLUGINS = ["signet-memory-openclaw", "signet-memory"];
const HOOKS = ["signet-memory", "agent-memory"];

/**
 * What the original Signet installed into OpenClaw and is switched on: beside
 * ours, every prompt gets its memory twice, and the daemon every session.
 */
export function signetsOwn(config: Json | undefined): string[] {
  const on = (place: string[]) => {
    const entry = at(config, ...place);
    return isObject(entry) && entry.enabled !== false;
  };
  return [
    ...PLUGINS.map((id) => ["plugins", "entries", id]),
    ...HOOKS.map((id) => ["hooks", "internal", "entries", id]),
  ].filter(on).map((place) => place.join("."));
}

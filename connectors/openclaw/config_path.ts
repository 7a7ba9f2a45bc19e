import { join } from "../../hooks/state/paths.ts";
import { firstExisting } from "../base/define_harness.ts";
import type { Place, Site } from "../base/harness.ts";
import { expandHome } from "../base/site/path_in.ts";

/** The config's name now, and the names it had before. */
export const CONFIG_FILES = ["openclaw.json", "clawdbot.json", "moltbot.json"] as const;

/** OpenClaw's state directory, from its environment variables. */
export function stateDir({ host, home }: Place): string {
  const set = host.env("OPENCLAW_STATE_DIR")?.trim();
  if (set) return expandHome(set, home);
  const profile = host.env("OPENCLAW_PROFILE")?.trim();
  const name = profile && profile !== "default" ? `.openclaw-${profile}` : ".openclaw";
  return join(host, expandHome(host.env("OPENCLAW_HOME")?.trim() || home, home), name);
}

/** The config in use. */
export function configPath(place: Place & Pick<Site, "exists">): string {
  const set = place.host.env("OPENCLAW_CONFIG_PATH")?.trim();
  return set ? expandHome(set, place.home) : firstExisting(place, stateDir(place), CONFIG_FILES);
}

import { join } from "../../hooks/state/paths.ts";
import type { Site } from "../base/harness.ts";

type Place = Pick<Site, "host" | "home">;

const CONFIG_NAMES = ["openclaw.json", "clawdbot.json", "moltbot.json"];

function expand(site: Place, path: string): string {
  return path.replace(/^~(?=$|[\\/])/, site.home);
}

/** OpenClaw's state directory, by its own variables. */
export function stateDir(site: Place): string {
  const set = site.host.env("OPENCLAW_STATE_DIR")?.trim();
  if (set) return expand(site, set);
  const profile = site.host.env("OPENCLAW_PROFILE")?.trim();
  const name = profile && profile !== "default" ? `.openclaw-${profile}` : ".openclaw";
  return join(site.host, expand(site, site.host.env("OPENCLAW_HOME")?.trim() || site.home), name);
}

/** The config in use: under its present name, or one of those it had before. */
export function configPath(site: Place & Pick<Site, "exists">): string {
  const set = site.host.env("OPENCLAW_CONFIG_PATH")?.trim();
  if (set) return expand(site, set);
  const [first = "", ...older] = CONFIG_NAMES.map((name) => join(site.host, stateDir(site), name));
  return [first, ...older].find((path) => site.exists(path)) ?? first;
}

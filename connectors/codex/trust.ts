import type { Json } from "../base/edit/edit.ts";
import type { Finding, Site } from "../base/harness.ts";
import { isOurHook, splitCommand } from "../base/hooks_config/hook_command.ts";
import { type ListedHook, listHooks } from "./app_server.ts";
import { isObject } from "../base/hooks_config/hook_groups.ts";
import { codex, configToml } from "./harness.ts";

const SIGNETS_OWN = "signet@signet-local";
const STEP = "open codex, type /hooks and trust them, or run: signet-codex install --trust-hooks";

/** Whether Codex would run our hooks, asked of Codex itself: it skips what it does not trust without a word. */
export async function inspect(site: Site): Promise<Finding[]> {
  const config = site.peek(configToml(site), "toml");
  if (isObject(config) && isObject(config.features) && config.features.hooks === false) {
    const fix = `remove features.hooks = false from ${configToml(site)}`;
    return [{ ok: false, message: "Codex runs no hooks: its feature 'hooks' is switched off", fix }];
  }
  const twice = signetsOwn(config, configToml(site));
  const listed = await listHooks(site.home);
  if (typeof listed === "string") return [...twice, fromRecords(site, listed)];
  return [...twice, ...findings(listed)];
}

/** Where Codex itself cannot be asked: what its config says of our hooks as they stand. */
export function fromRecords(site: Site, why: string): Finding {
  const plain = { ...site, flags: { ...site.flags, trustHooks: false } };
  const edits = codex.targets(plain).flatMap((target) => target.kind === "edit" ? target.edits : []);
  const records = edits.filter(({ path }) => path[0] === "hooks" && path[1] === "state").length;
  const wanted = Object.keys(codex.events).length;
  const asked = `Codex could not be asked about trust (${why})`;
  if (records >= wanted) {
    return { ok: true, message: `${asked}; its config has the records of our ${wanted} hooks` };
  }
  const message =
    `${asked}, and its config has a record for ${records} of our ${wanted} hooks: it skips the others silently`;
  return { ok: false, message, fix: STEP };
}

/** The original Signet's native plugin: its hooks are in no file that we read, and double ours. */
export function signetsOwn(config: Json | undefined, path: string): Finding[] {
  const plugins = isObject(config) && isObject(config.plugins) ? config.plugins : {};
  const plugin = plugins[SIGNETS_OWN];
  if (!isObject(plugin) || plugin.enabled === false) return [];
  return [{
    ok: false,
    message: `${path}: the original Signet is connected too (plugin ${SIGNETS_OWN}), so memory arrives twice`,
    fix: `remove the table [plugins."${SIGNETS_OWN}"] from ${path}`,
  }];
}

/** What a list from Codex says of our hooks. */
export function findings(listed: readonly ListedHook[]): Finding[] {
  const ours = listed.filter((hook) => isOurHook(codex, splitCommand(hook.command)));
  const wanted = Object.keys(codex.events).length;
  if (ours.length === 0) {
    return [{ ok: false, message: "Codex does not see our hooks", fix: "run: signet-codex install" }];
  }
  const found: Finding[] = [];
  for (const status of ["untrusted", "modified"]) {
    const events = ours.filter((hook) => hook.trustStatus === status).map((hook) => hook.eventName);
    if (events.length === 0) continue;
    const consequence = "Codex skips them silently";
    found.push({ ok: false, message: `${status} hooks (${events.join(", ")}): ${consequence}`, fix: STEP });
  }
  const off = ours.filter((hook) => !hook.enabled).map((hook) => hook.eventName);
  if (off.length > 0) {
    found.push({
      ok: false,
      message: `hooks switched off in Codex (${off.join(", ")})`,
      fix: "open codex, type /hooks and switch them on",
    });
  }
  if (ours.length > wanted) {
    const message =
      `Codex has ${ours.length} of our hooks where ${wanted} are wanted, so memory arrives twice`;
    found.push({ ok: false, message, fix: "run: signet-codex install" });
  }
  return found.length > 0 ? found : [{ ok: true, message: `Codex trusts our ${ours.length} hooks` }];
}

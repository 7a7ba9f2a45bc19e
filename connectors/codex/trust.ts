import type { Json } from "../base/edit/edit.ts";
import type { Finding, Site } from "../base/harness.ts";
import { isOurHook, splitCommand } from "../base/hooks_config/hook_command.ts";
import { type ListedHook, listHooks } from "./app_server.ts";
import { isObject } from "../../hooks/json.ts";
import { codex } from "./harness.ts";
import { hookCount } from "./trust_record.ts";

const ORIGINAL_PLUGIN = "signet@signet-local";
const TRUST = "open codex, type /hooks and trust them, or run: signet-codex install --trust-hooks";

/** Asks Codex whether it would run our hooks: it skips untrusted hooks silently. */
export async function inspect(site: Site): Promise<Finding[]> {
  const configToml = site.path("config.toml");
  const config = site.peek(configToml, "toml", ["features", "plugins"]);
  if (isObject(config) && isObject(config.features) && config.features.hooks === false) {
    const fix = `remove features.hooks = false from ${configToml}`;
    return [{
      id: "hooks-disabled",
      ok: false,
      message: "Codex runs no hooks: its feature 'hooks' is disabled",
      fix,
    }];
  }
  const duplicates = originalPlugin(config, configToml);
  const listed = await listHooks(site.home);
  if (typeof listed === "string") return [...duplicates, fromRecords(site, listed)];
  return [...duplicates, ...findings(listed, hookCount(site))];
}

/** The trust records of our hooks in Codex's config, for when Codex does not answer. */
export function fromRecords(site: Site, why: string): Finding {
  const untrusting = { ...site, flags: { ...site.flags, trustHooks: false } };
  const edits = codex.targets(untrusting).flatMap((target) => target.kind === "edit" ? target.edits : []);
  const records = edits.filter(({ path }) => path[0] === "hooks" && path[1] === "state").length;
  const wanted = hookCount(site);
  const noAnswer = `Codex did not report which hooks it trusts (${why})`;
  if (records >= wanted) {
    return {
      id: "trust",
      ok: true,
      message: `${noAnswer}; its config has the trust records of our ${wanted} hooks`,
    };
  }
  const message =
    `${noAnswer}, and its config has a trust record for ${records} of our ${wanted} hooks: it skips the others silently`;
  return { id: "trust", ok: false, message, fix: TRUST };
}

/** Reports the original Signet's native plugin: its hooks are in no file that we read, and duplicate our hooks. */
export function originalPlugin(config: Json | undefined, path: string): Finding[] {
  const plugins = isObject(config) && isObject(config.plugins) ? config.plugins : {};
  const plugin = plugins[ORIGINAL_PLUGIN];
  if (!isObject(plugin) || plugin.enabled === false) return [];
  return [{
    id: "original-signet",
    ok: false,
    message:
      `${path}: the original Signet is connected too (plugin ${ORIGINAL_PLUGIN}), so memory arrives twice`,
    fix: `remove the table [plugins."${ORIGINAL_PLUGIN}"] from ${path}`,
  }];
}

/** Checks our hooks in the list from Codex; `wanted` is their number in this version. */
export function findings(listed: readonly ListedHook[], wanted: number): Finding[] {
  const ours = listed.filter((hook) => isOurHook(codex, splitCommand(hook.command)));
  if (ours.length === 0) {
    return [{
      id: "hooks-missing",
      ok: false,
      message: "Codex does not see our hooks",
      fix: "run: signet-codex install",
    }];
  }
  const problems: Finding[] = [];
  for (const status of ["untrusted", "modified"]) {
    const events = ours.filter((hook) => hook.trustStatus === status).map((hook) => hook.eventName);
    if (events.length === 0) continue;
    const consequence = "Codex skips them silently";
    problems.push({
      id: "trust",
      ok: false,
      message: `${status} hooks (${events.join(", ")}): ${consequence}`,
      fix: TRUST,
    });
  }
  const off = ours.filter((hook) => !hook.enabled).map((hook) => hook.eventName);
  if (off.length > 0) {
    problems.push({
      id: "hooks-disabled",
      ok: false,
      message: `hooks disabled in Codex (${off.join(", ")})`,
      fix: "open codex, type /hooks and enable them",
    });
  }
  if (ours.length > wanted) {
    const message = `Codex has ${ours.length} of our hooks instead of ${wanted}, so memory arrives twice`;
    problems.push({ id: "hook-twice", ok: false, message, fix: "run: signet-codex install" });
  }
  return problems.length > 0
    ? problems
    : [{ id: "trust", ok: true, message: `Codex trusts our ${ours.length} hooks` }];
}

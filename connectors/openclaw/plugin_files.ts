import type { HookProfile } from "../../hooks/profile.ts";
import { stateDir } from "../../hooks/state/paths.ts";
import type { Edit, Json } from "../base/edit/edit.ts";
import type { Site, Target } from "../base/harness.ts";
import { isObject } from "../../hooks/json.ts";
import { pluginFile } from "../base/plugin/render.ts";
import handler from "./handler.js" with { type: "text" };
import hookMd from "./HOOK.md" with { type: "text" };
import index from "./index.js" with { type: "text" };

// Not `signet-memory`: the original Signet's installer treats that name as an old version of its plugin.
export const ID = "signet-connector";

/** The directory of the internal hook. */
export const LEGACY_DIR = `hooks/${ID}`;

type Profile = Pick<HookProfile, "id" | "events" | "agents">;

/** The files that run our hooks in OpenClaw, and the entries that switch them on. */
export interface PluginFiles {
  readonly files: Target[];
  readonly edits: Edit[];
}

/** The value at a path in a config; undefined if the path is absent. */
export function valueAt(config: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => isObject(value) ? value[key] : undefined, config);
}

function json(site: Site, name: string, value: Json, mark: string): Target {
  const text = JSON.stringify(value, null, 2) + "\n";
  return { kind: "file", path: site.path(name), text, owns: (text) => text.includes(mark) };
}

/** A plugin in the extensions directory. Without `allowConversationAccess` its prompt hooks never run, silently. */
export function pluginFiles(profile: Profile, site: Site, config: Json | undefined): PluginFiles {
  const dir = `extensions/${ID}`;
  const manifest = { name: ID, version: "0.0.0", type: "module", openclaw: { extensions: ["./index.js"] } };
  const configSchema = { type: "object", additionalProperties: false, properties: {} };
  const plugin = { id: ID, name: "Signet", activation: { onStartup: true }, configSchema };
  const edits: Edit[] = [{
    kind: "entry",
    path: ["plugins", "entries", ID],
    value: { enabled: true, hooks: { allowConversationAccess: true } },
    owns: () => true,
  }];
  // An existing list is exclusive, and a new one would switch off every other plugin.
  if (Array.isArray(valueAt(config, "plugins", "allow"))) {
    edits.push({ kind: "item", path: ["plugins", "allow"], value: ID, owns: (item) => item === ID });
  }
  return {
    files: [
      pluginFile(profile, site, `${dir}/index.js`, index, { stateDir: stateDir(profile.id, site.host) }),
      json(site, `${dir}/package.json`, manifest, `"name": "${ID}"`),
      json(site, `${dir}/openclaw.plugin.json`, plugin, `"id": "${ID}"`),
    ],
    edits,
  };
}

/** The internal hook, without a plugin: it runs in the gateway only and gets no prompts. */
export function legacyHookFiles(profile: Profile, site: Site, config: Json | undefined): PluginFiles {
  const edits: Edit[] = [{ kind: "default", path: ["hooks", "internal", "enabled"], value: true }];
  // Entries are an allow-list: where all hooks may run, a first entry would exclude the others.
  const allMayRun = valueAt(config, "hooks", "internal", "enabled") === true &&
    valueAt(config, "hooks", "internal", "entries") === undefined;
  if (!allMayRun) {
    edits.push({
      kind: "entry",
      path: ["hooks", "internal", "entries", ID],
      value: { enabled: true },
      owns: () => true,
    });
  }
  return {
    files: [
      pluginFile(profile, site, `${LEGACY_DIR}/handler.js`, handler),
      {
        kind: "file",
        path: site.path(`${LEGACY_DIR}/HOOK.md`),
        text: hookMd,
        owns: (text) => text.includes(`name: ${ID}\n`),
      },
    ],
    edits,
  };
}

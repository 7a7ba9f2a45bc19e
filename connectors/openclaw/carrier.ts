import type { HookProfile } from "../../hooks/profile.ts";
import { join } from "../../hooks/state/paths.ts";
import type { Edit, Json } from "../base/edit/edit.ts";
import type { Site, Target } from "../base/harness.ts";
import { isObject } from "../base/hooks_config/hook_groups.ts";
import { isPlugin, pluginSettings, renderPlugin } from "../base/plugin/render.ts";
import { stateDir } from "./place.ts";
import handler from "./handler.js" with { type: "text" };
import hookMd from "./HOOK.md" with { type: "text" };
import plugin from "./index.js" with { type: "text" };

// Not `signet-memory`: Signet's own installer takes that name for an old version of its plugin.
export const ID = "signet-connector";

type Profile = Pick<HookProfile, "events">;

/** What carries our hooks into OpenClaw: files of ours, and what the config says of them. */
export interface Carrier {
  readonly files: Target[];
  readonly edits: Edit[];
}

export function legacyHookDir(site: Pick<Site, "host" | "home">): string {
  return join(site.host, stateDir(site), "hooks", ID);
}

/** What a config has at a place, if it has that place. */
export function at(config: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => isObject(value) ? value[key] : undefined, config);
}

/** A plugin in OpenClaw's extensions directory. Without `allowConversationAccess` its prompt hooks never run, silently. */
export function asPlugin(profile: Profile, site: Site, config: Json | undefined): Carrier {
  const file = (name: string, text: string, owns: (text: string) => boolean): Target => {
    return { kind: "file", path: join(site.host, stateDir(site), "extensions", ID, name), text, owns };
  };
  const manifest = (value: Json) => JSON.stringify(value, null, 2) + "\n";
  const configSchema = { type: "object", additionalProperties: false, properties: {} };
  const edits: Edit[] = [{
    kind: "entry",
    path: ["plugins", "entries", ID],
    value: { enabled: true, hooks: { allowConversationAccess: true } },
    owns: () => true,
  }];
  // Where there is such a list it is exclusive; making one would switch off every other plugin.
  if (Array.isArray(at(config, "plugins", "allow"))) {
    edits.push({ kind: "item", path: ["plugins", "allow"], value: ID, owns: (item) => item === ID });
  }
  return {
    files: [
      file("index.js", renderPlugin(plugin, pluginSettings(profile, site)), (text) => isPlugin(plugin, text)),
      file(
        "package.json",
        manifest({ name: ID, version: "0.0.0", type: "module", openclaw: { extensions: ["./index.js"] } }),
        (text) => text.includes(`"name": "${ID}"`),
      ),
      file(
        "openclaw.plugin.json",
        manifest({ id: ID, name: "Signet", activation: { onStartup: true }, configSchema }),
        (text) => text.includes(`"id": "${ID}"`),
      ),
    ],
    edits,
  };
}

/** The internal hook, for those who want no plugin: it runs in the gateway only, and knows no prompts. */
export function asLegacyHook(profile: Profile, site: Site, config: Json | undefined): Carrier {
  const file = (name: string, text: string, owns: (text: string) => boolean): Target => {
    return { kind: "file", path: join(site.host, legacyHookDir(site), name), text, owns };
  };
  const edits: Edit[] = [{ kind: "default", path: ["hooks", "internal", "enabled"], value: true }];
  // Entries are an allow-list. Where hooks are open to all, a first entry would shut the others out.
  const open = at(config, "hooks", "internal", "enabled") === true &&
    at(config, "hooks", "internal", "entries") === undefined;
  if (!open) {
    edits.push({
      kind: "entry",
      path: ["hooks", "internal", "entries", ID],
      value: { enabled: true },
      owns: () => true,
    });
  }
  return {
    files: [
      file(
        "handler.js",
        renderPlugin(handler, pluginSettings(profile, site)),
        (text) => isPlugin(handler, text),
      ),
      file("HOOK.md", hookMd, (text) => text.includes(`name: ${ID}\n`)),
    ],
    edits,
  };
}

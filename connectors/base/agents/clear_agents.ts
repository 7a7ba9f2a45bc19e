import { CONFIG_NOTE, leftConfig } from "./config/written_config.ts";
import { accessPath } from "./nats/nats_settings.ts";
import { peersPath } from "./peers/outside.ts";
import { agentsDir } from "../../../hooks/agents/dir.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { configDir, join, type Surroundings } from "../../../hooks/state/paths.ts";

/** What happened to the user's `agents.yaml`; undefined if it still counts, or there is none. */
export type ClearedConfig =
  /** Only our commands have written it. */
  | { readonly kind: "removed"; readonly path: string }
  /** The user has edited it. */
  | { readonly kind: "kept"; readonly path: string };

/**
 * Removes what the agent mesh keeps for a harness that is being disconnected: its
 * sessions and their inboxes, and everything with the last harness that takes part.
 */
export async function clearAgents(
  harness: string,
  host: Surroundings,
  options: { keepConfig?: boolean } = {},
): Promise<ClearedConfig | undefined> {
  const dir = agentsDir(host);
  if (dir === undefined) return undefined;
  if (!await endsMesh([harness], host)) {
    for (const folder of ["sessions", "inbox"]) {
      for (const name of await names(join(host, dir, folder))) {
        if (!name.startsWith(`${harness}-`)) continue;
        await Deno.remove(join(host, dir, folder, name), { recursive: true }).catch(() => {});
      }
    }
    return undefined;
  }
  const cleared = options.keepConfig ? undefined : await configAfter([harness], host);
  if (cleared?.kind === "removed") await Deno.remove(cleared.path);
  if (!options.keepConfig) await forgetAccess(host);
  // The note on a config that stays tells a later uninstall whether the user has edited it.
  const kept = options.keepConfig ? [CONFIG_NOTE] : [];
  for (const name of await names(dir)) {
    if (!kept.includes(name)) await Deno.remove(join(host, dir, name), { recursive: true }).catch(() => {});
  }
  // Only if nothing is in it.
  await Deno.remove(dir).catch(() => {});
  return cleared;
}

/** Removes the logins for NATS servers, and the outside agents with their tokens. */
async function forgetAccess(host: Surroundings): Promise<void> {
  for (const path of [accessPath(host), peersPath(host)]) {
    if (path !== undefined) await Deno.remove(path).catch(() => {});
  }
}

/**
 * Whether the mesh goes with these harnesses: with the last one that takes part, and
 * not with one that never did while others stay.
 */
async function endsMesh(harnesses: readonly string[], host: Surroundings): Promise<boolean> {
  const staying = await othersThan(harnesses, host);
  if (staying.some((id) => takesPart(id, host))) return false;
  return staying.length === 0 || harnesses.some((id) => takesPart(id, host));
}

/** What disconnecting these harnesses does to the user's `agents.yaml`, which goes with the mesh. */
export async function configAfter(
  harnesses: readonly string[],
  host: Surroundings,
): Promise<ClearedConfig | undefined> {
  if (!await endsMesh(harnesses, host)) return undefined;
  const left = await leftConfig(host);
  if (left === undefined) return undefined;
  const { path, isOurs } = left;
  return { kind: isOurs ? "removed" : "kept", path };
}

function takesPart(harness: string, host: Surroundings): boolean {
  return loadSettings(harness, host).options?.agents === true;
}

/** The harnesses that are connected, apart from these. */
async function othersThan(leaving: readonly string[], host: Surroundings): Promise<string[]> {
  const dir = configDir(host);
  if (dir === undefined) return [];
  return (await names(join(host, dir, "connectors"))).filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length)).filter((id) => !leaving.includes(id));
}

async function names(dir: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name);
  } catch {
    return [];
  }
}

import { leftConfig } from "./config/written_config.ts";
import { accessPath } from "./nats/nats_settings.ts";
import { agentsDir } from "../../../hooks/agents/dir.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { configDir, join, type Surroundings } from "../../../hooks/state/paths.ts";

/** What happened to the user's `agents.yaml`; undefined if it still counts, or there is none. */
export type ClearedConfig =
  /** Only our commands have written it. `madeDir` is a directory that they made, and that may be empty now. */
  | { readonly kind: "removed"; readonly path: string; readonly madeDir?: string }
  /** The user has edited it. */
  | { readonly kind: "kept"; readonly path: string };

/**
 * Removes what the agent mesh keeps for a harness that is being disconnected:
 * its sessions and their inboxes, and everything if no other harness takes part.
 */
export async function clearAgents(
  harness: string,
  host: Surroundings,
  options: { keepConfig?: boolean } = {},
): Promise<ClearedConfig | undefined> {
  const dir = agentsDir(host);
  if (dir === undefined) return undefined;
  if (!(await othersThan([harness], host)).some((id) => takesPart(id, host))) {
    const cleared = options.keepConfig ? undefined : await configAfter([harness], host);
    if (cleared?.kind === "removed") await Deno.remove(cleared.path);
    if (!options.keepConfig) await forgetAccess(host);
    await Deno.remove(dir, { recursive: true }).catch(() => {});
    return cleared;
  }
  for (const folder of ["sessions", "inbox"]) {
    for (const name of await names(join(host, dir, folder))) {
      if (!name.startsWith(`${harness}-`)) continue;
      await Deno.remove(join(host, dir, folder, name), { recursive: true }).catch(() => {});
    }
  }
  return undefined;
}

/** Removes the logins for NATS servers. */
async function forgetAccess(host: Surroundings): Promise<void> {
  const path = accessPath(host);
  if (path !== undefined) await Deno.remove(path).catch(() => {});
}

/**
 * What disconnecting these harnesses does to the user's `agents.yaml`. It goes with the
 * last harness that takes part, and not with one that never did while others stay.
 */
export async function configAfter(
  harnesses: readonly string[],
  host: Surroundings,
): Promise<ClearedConfig | undefined> {
  const staying = await othersThan(harnesses, host);
  if (staying.some((id) => takesPart(id, host))) return undefined;
  if (staying.length > 0 && !harnesses.some((id) => takesPart(id, host))) return undefined;
  const left = await leftConfig(host);
  if (left === undefined) return undefined;
  const { path, isOurs, madeDir } = left;
  return isOurs ? { kind: "removed", path, madeDir } : { kind: "kept", path };
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

import { agentsDir } from "../../../hooks/agents/dir.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { configDir, join, type Surroundings } from "../../../hooks/state/paths.ts";

/**
 * Removes what the agent mesh keeps for a harness that is being disconnected:
 * its sessions and their inboxes, and everything if no other harness takes part.
 */
export async function clearAgents(harness: string, host: Surroundings): Promise<void> {
  const dir = agentsDir(host);
  if (dir === undefined) return;
  if (!await othersTakePart(harness, host)) {
    return await Deno.remove(dir, { recursive: true }).catch(() => {});
  }
  for (const folder of ["sessions", "inbox"]) {
    for (const name of await names(join(host, dir, folder))) {
      if (!name.startsWith(`${harness}-`)) continue;
      await Deno.remove(join(host, dir, folder, name), { recursive: true }).catch(() => {});
    }
  }
}

async function othersTakePart(harness: string, host: Surroundings): Promise<boolean> {
  const dir = configDir(host);
  if (dir === undefined) return false;
  const others = (await names(join(host, dir, "connectors"))).filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length)).filter((id) => id !== harness);
  return others.some((id) => loadSettings(id, host).options?.agents === true);
}

async function names(dir: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name);
  } catch {
    return [];
  }
}

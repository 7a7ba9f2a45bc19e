import { isMissingRoute } from "../../../hooks/daemon/describe.ts";
import type { Answer, MemoryDaemon } from "../memory/daemon.ts";
import type { Group } from "./tool.ts";

/** A daemon that hangs must not keep the harness waiting for the list of tools. */
export const PROBE_MS = 1500;

/** One cheap read per group of tools. */
const PROBES: readonly { group: Group; ask(daemon: MemoryDaemon): Promise<Answer> }[] = [
  { group: "memory", ask: (daemon) => daemon.request("GET", "/api/memories?limit=1", undefined, PROBE_MS) },
  {
    group: "knowledge",
    // Where nobody told it of Signet, that is a 404 with JSON, and so a route.
    ask: (daemon) =>
      daemon.request("POST", "/api/knowledge/expand", { entity: "Signet", maxTokens: 50 }, PROBE_MS),
  },
  {
    group: "agents",
    ask: (daemon) => daemon.request("GET", "/api/cross-agent/presence?limit=1", undefined, PROBE_MS),
  },
];

/** The groups that this daemon certainly does not have. One that is away, slow or strict has them all. */
export async function missingGroups(daemon: MemoryDaemon): Promise<Set<Group>> {
  const missing = await Promise.all(
    PROBES.map(async ({ group, ask }) => isMissingRoute(await ask(daemon)) ? [group] : []),
  );
  return new Set(missing.flat());
}

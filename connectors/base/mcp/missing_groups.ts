import { isMissingRoute } from "../../../hooks/daemon/describe.ts";
import type { Answer, MemoryDaemon } from "../memory/daemon.ts";
import type { Group } from "./tool.ts";

/** A daemon that hangs must not keep the harness waiting for the list of tools. */
const PROBE_MS = 1500;

/** One cheap request per group of tools. */
const PROBES: readonly { group: Group; ask(daemon: MemoryDaemon): Promise<Answer> }[] = [
  { group: "memory", ask: (daemon) => daemon.request("GET", "/api/memories?limit=1", undefined, PROBE_MS) },
  {
    group: "knowledge",
    // An unknown entity is a 404 with JSON, which proves that the route exists.
    ask: (daemon) =>
      daemon.request("POST", "/api/knowledge/expand", { entity: "Signet", maxTokens: 50 }, PROBE_MS),
  },
  {
    group: "sessions",
    // 0.58 does not have it.
    ask: (daemon) =>
      daemon.request(
        "POST",
        "/api/knowledge/expand/session",
        { entityName: "Signet", maxResults: 1 },
        PROBE_MS,
      ),
  },
  {
    group: "agents",
    ask: (daemon) => daemon.request("GET", "/api/cross-agent/presence?limit=1", undefined, PROBE_MS),
  },
];

/** The groups that this daemon does not support. If it is down, slow or refuses, all count as supported. */
export async function missingGroups(daemon: MemoryDaemon): Promise<Set<Group>> {
  const missing = await Promise.all(
    PROBES.map(async ({ group, ask }) => isMissingRoute(await ask(daemon)) ? [group] : []),
  );
  return new Set(missing.flat());
}

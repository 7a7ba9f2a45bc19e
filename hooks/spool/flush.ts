import type { DaemonClient } from "../daemon/client.ts";
import { drain, type DrainOptions, type DrainReport } from "./drain.ts";
import { HOST, stateDir, type Surroundings } from "../state/paths.ts";
import type { Settings } from "../daemon/settings.ts";
import { Spool } from "./spool.ts";

/** `flush` by hand: breaker and back-off do not count, and a drain that runs is waited for. */
export function flush(settings: Settings, options: DrainOptions = {}): Promise<DrainReport> {
  return drain(settings, { waitForLockMs: 10_000, ...options });
}

/**
 * Keeps a memory for a daemon that is away. It gets an `idempotencyKey`, by which
 * the daemon counts it once however often it arrives. Throws if it cannot be kept.
 */
export function spoolRemember(
  settings: Settings,
  client: Pick<DaemonClient, "runtimePath">,
  body: Record<string, unknown>,
  host: Surroundings = HOST,
): { id: string } {
  const dir = stateDir(settings.harness, host);
  if (dir === undefined) throw new Error("There is no home directory to keep the memory in; set HOME.");
  const id = typeof body.idempotencyKey === "string" ? body.idempotencyKey : crypto.randomUUID();
  new Spool(dir).add({
    id,
    kind: "remember",
    path: "/api/memory/remember",
    url: settings.url,
    harness: settings.harness,
    agentId: settings.agentId,
    runtimePath: client.runtimePath,
    body: { ...body, agentId: settings.agentId, idempotencyKey: id },
  });
  return { id };
}

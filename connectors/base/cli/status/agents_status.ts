import { readTransport } from "../../agents/transport/read_transport.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";
import { locksLine, locksStatus } from "./locks_status.ts";
import type { HarnessStatus } from "./status_view.ts";

/** Whether the agent takes part in the mesh, and what it can do there; undefined if its harness cannot. */
export function agentsStatus({ site, harness }: Pick<HarnessStatus, "site" | "harness">) {
  if (harness.agents === undefined) return undefined;
  const on = Object.keys(site.agentEvents).length > 0;
  const transport = transportOf(site.host);
  return { on, ...harness.agents.abilities, transport, locks: locksStatus(harness, site.host) };
}

/** `daemon`, or the URL of the NATS server that carries messages between machines. */
function transportOf(host: Surroundings): string | undefined {
  try {
    const transport = readTransport(host);
    return transport.kind === "nats" ? transport.url : transport.kind;
  } catch {
    return undefined; // agents.yaml is broken, and has a finding
  }
}

/** The same as one line. */
export function agentsLine(status: Pick<HarnessStatus, "site" | "harness">): string {
  const agents = agentsStatus(status);
  if (agents === undefined) return "agents: not supported";
  if (!agents.on) return "agents: off (install --agents turns them on)";
  const { working, idle, transport = "daemon", locks } = agents;
  const through = transport === "daemon" ? "" : `; between machines through ${transport}`;
  return `agents: on; messages arrive ${working}; idle: ${idle}; ${locksLine(locks)}${through}`;
}

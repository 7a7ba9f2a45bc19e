import { locksLine, locksStatus } from "./locks_status.ts";
import type { HarnessStatus } from "./status_view.ts";

/** Whether the agent takes part in the mesh, and what it can do there; undefined if its harness cannot. */
export function agentsStatus({ site, harness }: Pick<HarnessStatus, "site" | "harness">) {
  if (harness.agents === undefined) return undefined;
  const on = Object.keys(site.agentEvents).length > 0;
  return { on, ...harness.agents.abilities, locks: locksStatus(harness, site.host) };
}

/** The same as one line. */
export function agentsLine(status: Pick<HarnessStatus, "site" | "harness">): string {
  const agents = agentsStatus(status);
  if (agents === undefined) return "agents: not supported";
  if (!agents.on) return "agents: off (install --agents turns them on)";
  return `agents: on; messages arrive ${agents.working}; idle: ${agents.idle}; ${locksLine(agents.locks)}`;
}

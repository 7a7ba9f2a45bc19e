import { table } from "../output/layout.ts";
import type { Context } from "../command.ts";
import { type HarnessStatus, notYetFired } from "./status_view.ts";
import { agentsLine, agentsStatus } from "./agents_status.ts";
import { locksStatus, uncheckedWarning } from "./locks_status.ts";
import { age } from "../output/age.ts";
import { keyTail } from "../output/key_tail.ts";

/** What matters even if the harness was never connected. */
const ALWAYS = new Set(["config", "spool", "rejected-events", "dropped-events"]);

/** Prints the status of one harness in detail, for a binary that supports only one. */
export function printStatusDetails({ ui }: Context, status: HarnessStatus): void {
  const { site, name, state, installed, verdict, backups, findings } = status;
  const { settings, config, hooks, connected } = state;
  const files = [...new Set(config.entries.map(({ file }) => file))];
  if (verdict.status === "needs_setup") ui.warn(`${name} is not connected.`);
  else {
    const line = `${ui.bold(name)} is connected and ${verdict.status} (${files.map(ui.path).join(", ")})`;
    (verdict.status === "healthy" ? ui.ok : ui.warn)(line);
  }
  for (const { id, ok, message, fix } of findings) {
    // The daemon of a harness that was never connected is only a default.
    if (!connected && !installed && !ALWAYS.has(id)) continue;
    // The first line says it already.
    if (id === "entries" || id === "connected") continue;
    if (ok) ui.ok(message);
    else ui.warn(message);
    if (fix) ui.next(fix);
  }
  ui.next(`agent ${ui.bold(settings.agentId)}, key ${keyTail(settings.apiKey) ?? "none"}`);
  if (connected && agentsStatus(status) !== undefined) ui.next(agentsLine(status));
  const warning = uncheckedWarning(locksStatus(status.harness, status.site.host));
  if (warning) ui.warn(warning);
  const notYet = notYetFired(status);
  if (notYet) ui.next(`hooks fired: ${notYet}`);
  else if (hooks && (connected || hooks.spool.depth > 0)) {
    ui.say("");
    ui.block(table(
      ["HOOK", "LAST FIRED", "OUTCOME", "MEDIAN"],
      hooks.events.filter(({ event }) => event in site.events).map((each) => [
        each.event,
        each.lastFired ? `${age(Date.now() - Date.parse(each.lastFired))} ago` : "not yet",
        each.lastOutcome === "spooled" && hooks.spool.depth === 0 ? "delivered" : each.lastOutcome ?? "",
        each.medianMs === undefined ? "" : `${each.medianMs} ms`,
      ]),
      ui,
    ));
    ui.say("");
  }
  if (hooks?.breaker.open) {
    ui.warn(`The daemon hung; hooks skip it for another ${age(hooks.breaker.leftMs)}.`);
  }
  for (const backup of backups) ui.next(`backup: ${ui.path(backup)}`);
  if (!connected) {
    for (const step of verdict.nextSteps.slice(0, 1)) {
      ui.next(`To connect it, run: ${step}`);
    }
  }
}

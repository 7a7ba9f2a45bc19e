import { describeDropped } from "../../../hooks/spool/dropped.ts";
import { table } from "./layout.ts";
import type { Context } from "./command.ts";
import type { HarnessStatus } from "./status_view.ts";
import { entryProblem } from "../install/install_state.ts";
import { age } from "./age.ts";
import { plainHttpWarning } from "./plain_http.ts";
import { keyTail } from "./key_tail.ts";

/** Prints the status of one harness in detail, for a binary that supports only one. */
export function printStatusDetails(
  { ui }: Context,
  { harness, name, site, state, health, backups, findings }: HarnessStatus,
): void {
  const { settings, config, daemon, hooks, connected, here } = state;
  const files = [...new Set(config.entries.map(({ file }) => file))];
  if (connected) ui.ok(`${ui.bold(name)} is connected (${files.map(ui.path).join(", ")})`);
  else ui.warn(`${name} is not connected.`);
  for (const problem of config.problems) ui.warn(problem);
  for (const entry of config.entries) {
    const { file, path, state, line } = entry;
    if (connected && state !== "present") {
      const problem = entryProblem(harness, site, entry);
      ui.warn(`${file}${line ? `:${line}` : ""}: ${path.join(".")} ${problem}; run doctor --fix.`);
    } else if (!connected && config.entries.some((each) => each.state === "present")) {
      if (state === "missing" || state === "foreign") ui.next(`${file}: ${path.join(".")} is ${state}`);
    }
  }
  for (const { ok, message, fix } of findings) {
    if (ok) ui.ok(message);
    else ui.warn(message);
    if (fix) ui.next(fix);
  }
  if (daemon.kind === "ok") ui.ok(`The daemon at ${ui.bold(settings.url)} answers (${daemon.ms} ms)`);
  else ui.warn(daemon.message);
  ui.next(`agent ${ui.bold(settings.agentId)}, key ${keyTail(settings.apiKey) ?? "none"}`);
  if (here.matters) ui.next(here.sentence);
  if (here.warning) ui.warn(here.warning);
  if (here.fix) ui.next(here.fix);
  const plain = plainHttpWarning(settings);
  if (plain !== undefined) ui.warn(plain);
  if (hooks && (connected || hooks.spool.depth > 0 || hooks.spool.dropped.length > 0)) {
    ui.say("");
    ui.block(table(
      ["HOOK", "LAST FIRED", "OUTCOME", "MEDIAN"],
      hooks.events.filter(({ event }) => event in site.events).map((each) => [
        each.event,
        each.lastFired ? `${age(Date.now() - Date.parse(each.lastFired))} ago` : "never",
        each.lastOutcome === "spooled" && hooks.spool.depth === 0 ? "delivered" : each.lastOutcome ?? "",
        each.medianMs === undefined ? "" : `${each.medianMs} ms`,
      ]),
      ui,
    ));
    ui.say("");
    if (hooks.breaker.open) {
      ui.warn(`The daemon hung; hooks skip it for another ${age(hooks.breaker.leftMs)}.`);
    }
    const { depth, oldestMs, rejected, rejectedDir, waitingFor, dropped } = hooks.spool;
    if (depth > 0) {
      ui.warn(
        `${depth} ${
          depth === 1 ? "event is waiting" : "events are waiting"
        } to be delivered, the oldest for ${age(oldestMs ?? 0)}${waitingFor ? ` (${waitingFor})` : ""}.`,
      );
    } else ui.ok("No events are waiting to be delivered");
    if (rejected > 0) {
      ui.warn(
        `${rejected} ${rejected === 1 ? "event was" : "events were"} rejected by the daemon: ${rejectedDir}`,
      );
    }
    for (const each of dropped) ui.warn(`${describeDropped(each)}.`);
  }
  for (const backup of backups) ui.next(`backup: ${ui.path(backup)}`);
  for (const step of health.next_steps) if (step.includes(" ")) ui.next(step);
}

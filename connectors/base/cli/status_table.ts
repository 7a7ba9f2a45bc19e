import { describeDropped } from "../../../hooks/spool/dropped.ts";
import { plainHttpWarning } from "./plain_http.ts";
import { table } from "./layout.ts";
import type { Context } from "./command.ts";
import type { Forge } from "./forge.ts";
import type { HarnessStatus } from "./status_view.ts";
import { entryProblem } from "../install/install_state.ts";
import { age } from "./age.ts";

const DAEMON = { ok: "ok", unreachable: "down", rejected: "key rejected", odd: "not Signet" } as const;

/** Prints one row per harness on this machine, then what needs attention. */
export function printStatusTable(
  { ui, binary }: Context,
  shown: readonly HarnessStatus[],
  forge: Forge | undefined,
): void {
  const rows = shown.map(({ name, version, state, installed }) => {
    const { connected, settings, daemon, hooks } = state;
    const known = connected || installed;
    const fired = hooks?.events.reduce((sum, { count }) => sum + count, 0) ?? 0;
    const last = hooks?.events.map(({ lastFired }) => lastFired ?? "").sort().at(-1);
    const ago = last ? `, ${age(Date.now() - Date.parse(last))} ago` : "";
    const depth = hooks?.spool.depth ?? 0;
    return [
      name,
      version ?? "",
      connected ? "yes" : installed ? "broken" : "no",
      known ? settings.agentId : "",
      known ? DAEMON[daemon.kind] : "",
      known ? `${fired}${ago}` : "",
      known || depth > 0 ? String(depth) : "",
    ];
  });
  if (forge) {
    rows.push(["Forge", forge.there ? forge.version ?? "?" : "not installed", "native", "", "", "", ""]);
  }
  ui.block(table(["HARNESS", "VERSION", "CONNECTED", "AGENT", "DAEMON", "HOOKS FIRED", "SPOOL"], rows, ui));
  const connectedOrInstalled = shown.filter(({ state, installed }) => state.connected || installed);
  if (connectedOrInstalled.length > 0) ui.say("");
  for (const url of new Set(connectedOrInstalled.map(({ state }) => state.settings.url))) {
    const states = connectedOrInstalled.filter(({ state }) => state.settings.url === url).map(({ state }) =>
      state
    );
    const failed = states.map(({ daemon }) => daemon).find(({ kind }) => kind !== "ok");
    if (failed && failed.kind !== "ok") ui.warn(failed.message);
    else ui.ok(`The daemon at ${ui.bold(url)} answers`);
  }
  for (const each of connectedOrInstalled) printAttention({ ui }, each);
  const unconnected = shown.filter((each) => !connectedOrInstalled.includes(each));
  if (unconnected.length > 0) {
    ui.next(
      `To connect ${unconnected.map(({ name }) => name).join(", ")}, run: ${ui.bold(`${binary} setup`)}`,
    );
  }
}

function printAttention(
  { ui }: Pick<Context, "ui">,
  { harness, name, site, state, health, findings }: HarnessStatus,
): void {
  const { config, settings, hooks, daemon, here } = state;
  for (const problem of config.problems) ui.warn(`${name}: ${problem}`);
  for (const entry of config.entries) {
    if (entry.state === "present") continue;
    const problem = entryProblem(harness, site, entry);
    ui.warn(`${name}: ${ui.path(entry.file)}: ${entry.path.join(".")} ${problem}`);
  }
  if (here.matters) ui.next(`${name}: ${here.sentence}`);
  if (here.warning) ui.warn(`${name}: ${here.warning}`);
  const plain = plainHttpWarning(settings);
  if (plain !== undefined) ui.warn(`${name}: ${plain}`);
  for (const { ok, message, fix } of findings) {
    if (ok) continue;
    ui.warn(`${name}: ${message}`);
    if (fix) ui.next(fix);
  }
  const { depth = 0, rejected = 0, rejectedDir, waitingFor, dropped = [] } = hooks?.spool ?? {};
  if (depth > 0) {
    const why = waitingFor ? ` (${waitingFor})` : "";
    ui.warn(
      `${name}: ${depth} ${depth === 1 ? "event is waiting" : "events are waiting"} to be delivered${why}.`,
    );
  }
  if (rejected > 0) ui.warn(`${name}: ${rejected} events were rejected by the daemon: ${rejectedDir}`);
  for (const each of dropped) ui.warn(`${name}: ${describeDropped(each)}.`);
  // The daemon's message is printed once, above.
  const printed = [...config.problems, ...daemon.kind === "ok" ? [] : [daemon.message]];
  for (const step of health.next_steps) if (!printed.includes(step)) ui.next(step);
}

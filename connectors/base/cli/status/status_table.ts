import { table } from "../output/layout.ts";
import type { Context } from "../command.ts";
import type { Forge } from "./forge.ts";
import { type HarnessStatus, notYetFired } from "./status_view.ts";
import { agentsLine, agentsStatus } from "./agents_status.ts";
import { locksStatus, uncheckedWarning } from "./locks_status.ts";
import { age } from "../output/age.ts";

const DAEMON = { ok: "ok", unreachable: "down", rejected: "key rejected", odd: "not Signet" } as const;

/** Prints one row per harness on this machine, then what needs attention. */
export function printStatusTable(
  { ui, binary }: Context,
  shown: readonly HarnessStatus[],
  forge: Forge | undefined,
): void {
  const rows = shown.map((each) => {
    const { name, version, state, verdict } = each;
    const { settings, daemon, hooks } = state;
    const known = isKnown(each);
    const depth = hooks?.spool.depth ?? 0;
    return [
      name,
      version ?? "",
      verdict.broken ? "broken" : known ? verdict.status : "not connected",
      known ? settings.agentId : "",
      known ? DAEMON[daemon.kind] : "",
      known ? fired(each) : "",
      known || depth > 0 ? String(depth) : "",
    ];
  });
  if (forge) {
    rows.push(["Forge", forge.there ? forge.version ?? "?" : "not installed", "native", "", "", "", ""]);
  }
  ui.block(table(["HARNESS", "VERSION", "STATUS", "AGENT", "DAEMON", "HOOKS FIRED", "SPOOL"], rows, ui));
  const known = shown.filter(isKnown);
  if (known.length > 0) ui.say("");
  for (const url of new Set(known.map(({ state }) => state.settings.url))) {
    const answers = known.filter(({ state }) => state.settings.url === url).map(({ state }) => state.daemon);
    const failed = answers.find(({ kind }) => kind !== "ok");
    if (failed && failed.kind !== "ok") ui.warn(failed.message);
    else ui.ok(`The daemon at ${ui.bold(url)} answers`);
  }
  for (const each of known) printAttention({ ui }, each);
  const unconnected = shown.filter((each) => !isKnown(each));
  if (unconnected.length > 0) {
    ui.next(
      `To connect ${unconnected.map(({ name }) => name).join(", ")}, run: ${ui.bold(`${binary} setup`)}`,
    );
  }
}

/** Whether it is or was connected. */
function isKnown({ state, installed }: HarnessStatus): boolean {
  return state.connected || installed;
}

function fired(status: HarnessStatus): string {
  if (notYetFired(status)) return "not yet";
  const { hooks } = status.state;
  const count = hooks?.events.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const last = hooks?.events.map(({ lastFired }) => lastFired ?? "").sort().at(-1);
  return `${count}${last ? `, ${age(Date.now() - Date.parse(last))} ago` : ""}`;
}

function printAttention({ ui }: Pick<Context, "ui">, status: HarnessStatus): void {
  const { name, state, verdict, findings } = status;
  for (const { id, ok, message, fix } of findings) {
    // The daemon's message is printed once, above.
    if (ok || message === (state.daemon.kind === "ok" ? undefined : state.daemon.message)) continue;
    if (id === "connected" && verdict.broken) ui.warn(`${name}: its config lost our entries`);
    else ui.warn(`${name}: ${message}`);
    if (fix) ui.next(fix);
  }
  if (verdict.broken) ui.next(`To connect it again, run: ${verdict.nextSteps[0]}`);
  if (state.here.matters) ui.next(`${name}: ${state.here.sentence}`);
  if (agentsStatus(status)?.on) ui.next(`${name}: ${agentsLine(status)}`);
  const warning = uncheckedWarning(locksStatus(status.harness, status.site.host));
  if (warning) ui.warn(`${name}: ${warning}`);
  const notYet = notYetFired(status);
  if (notYet) ui.next(`${name}: hooks fired: ${notYet}`);
}

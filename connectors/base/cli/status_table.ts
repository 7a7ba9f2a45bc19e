import { table } from "./layout.ts";
import type { Context } from "./command.ts";
import type { Forge } from "./forge.ts";
import type { HarnessStatus } from "./status_view.ts";
import { age } from "./age.ts";

const DAEMON = { ok: "ok", unreachable: "away", rejected: "key refused", odd: "not Signet" } as const;

/** One row for each harness on this machine, then what wants attention. */
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
    rows.push(["Forge", forge.there ? forge.version ?? "?" : "not here", "native", "", "", "", ""]);
  }
  ui.block(table(["HARNESS", "VERSION", "CONNECTED", "AGENT", "DAEMON", "HOOKS FIRED", "SPOOL"], rows, ui));
  const ours = shown.filter(({ state, installed }) => state.connected || installed);
  if (ours.length > 0) ui.say("");
  for (const url of new Set(ours.map(({ state }) => state.settings.url))) {
    const here = ours.filter(({ state }) => state.settings.url === url).map(({ state }) => state);
    const bad = here.map(({ daemon }) => daemon).find(({ kind }) => kind !== "ok");
    if (bad && bad.kind !== "ok") ui.warn(bad.message);
    else ui.ok(`The daemon at ${ui.bold(url)} answers`);
  }
  for (const each of ours) attention({ ui }, each);
  const free = shown.filter((each) => !ours.includes(each));
  if (free.length > 0) {
    ui.next(`To connect ${free.map(({ name }) => name).join(", ")}, run: ${ui.bold(`${binary} setup`)}`);
  }
}

function attention({ ui }: Pick<Context, "ui">, { name, state, health, findings }: HarnessStatus): void {
  const { config, settings, hooks, daemon } = state;
  for (const problem of config.problems) ui.warn(`${name}: ${problem}`);
  for (const { file, path, state: standing } of config.entries) {
    if (standing !== "present") ui.warn(`${name}: ${ui.path(file)}: ${path.join(".")} is ${standing}`);
  }
  if (settings.insecureHttp) ui.warn(`${name}: THE KEY TRAVELS OVER PLAIN HTTP (--insecure-http).`);
  for (const { ok, message, fix } of findings) {
    if (ok) continue;
    ui.warn(`${name}: ${message}`);
    if (fix) ui.next(fix);
  }
  const { depth = 0, rejected = 0, rejectedDir } = hooks?.spool ?? {};
  if (depth > 0) ui.warn(`${name}: ${depth} ${depth === 1 ? "event waits" : "events wait"} to be delivered.`);
  if (rejected > 0) ui.warn(`${name}: ${rejected} events were refused by the daemon: ${rejectedDir}`);
  // The daemon's own line stands above, once for all.
  const said = [...config.problems, ...daemon.kind === "ok" ? [] : [daemon.message]];
  for (const step of health.next_steps) if (!said.includes(step)) ui.next(step);
}

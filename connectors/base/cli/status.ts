import type { Finding, Harness } from "../harness.ts";
import { backupsDir, readLedger } from "../ledger.ts";
import { realOs } from "../os.ts";
import { type State, stateOf } from "../state_of.ts";
import { age, keyTail } from "./words.ts";
import { table } from "./columns.ts";
import { type Context, EXIT, type Outcome } from "./command.ts";
import { type Health, healthOf } from "./health.ts";
import { installedSite } from "./site_of.ts";
import { someHarnesses } from "./some_harnesses.ts";

interface Shown {
  readonly harness: Harness;
  readonly name: string;
  readonly state: State;
  readonly health: Health;
  readonly backups: string[];
  /** What the harness itself says of our hooks. */
  readonly findings: readonly Finding[];
}

async function look(context: Context, known?: readonly Shown[]): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const harness of someHarnesses(context, "found")) {
    const site = await installedSite(context, harness);
    const looking = `Looking at ${harness.displayName}`;
    const state = await context.ui.during(looking, stateOf(harness, site, context.host));
    const reading = state.stateDir === undefined ? undefined : await readLedger(realOs, state.stateDir);
    const backups = reading?.kind === "ok"
      ? reading.ledger.files.flatMap(({ backup }) =>
        backup ? [`${backupsDir(state.stateDir ?? "")}/${backup}`] : []
      )
      : [];
    shown.push({
      harness,
      name: harness.displayName,
      state,
      health: healthOf(state, context.binary),
      backups,
      // Asking starts the harness's program, so that `--watch` asks once.
      findings: known?.find((each) => each.harness === harness)?.findings ??
        (state.connected && harness.inspector
          ? await context.ui.during(looking, (await harness.inspector()).inspect(site))
          : []),
    });
  }
  return shown;
}

/** What is installed, which daemon, and when each hook last fired. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, ui } = context;
  if (flags.on("watch")) return await watch(context);
  const shown = await look(context);
  print(context, shown);
  if (shown.length === 0) ui.warn("No harness was found on this machine.");
  const good = shown.every(({ health, findings }) =>
    health.status === "healthy" && findings.every(({ ok }) => ok)
  );
  const data = shown.map(document);
  return { code: good ? EXIT.ok : EXIT.degraded, data: context.known.length === 1 ? data[0] : data };
}

function print(context: Context, shown: readonly Shown[]): void {
  if (context.known.length === 1) shown.forEach((each) => printOne(context, each));
  else printTable(context, shown);
}

/** Looks again every two seconds until it is stopped. */
async function watch(context: Context): Promise<Outcome> {
  const { ui } = context;
  let stop = () => {};
  const stopped = new Promise<true>((resolve) => stop = () => resolve(true));
  Deno.addSignalListener("SIGINT", stop);
  let shown: Shown[] | undefined;
  for (;;) {
    shown = await look(context, shown);
    if (ui.interactive) ui.block("\x1b[H\x1b[2J");
    print(context, shown);
    const pause = new Promise<false>((resolve) => setTimeout(() => resolve(false), 2_000));
    if (await Promise.race([stopped, pause])) return { code: EXIT.ok, data: shown.map(document) };
  }
}

function document({ state, health, backups, findings }: Shown) {
  const { settings, config, daemon, hooks, connected } = state;
  return {
    harness: state.harness,
    status: health.status,
    connected,
    daemon: { url: settings.url, ...daemon },
    agentId: settings.agentId,
    key: keyTail(settings.apiKey),
    insecureHttp: settings.insecureHttp,
    entries: config.entries.map(({ file, path, state, line }) => ({
      file,
      path: path.join("."),
      state,
      line,
    })),
    problems: config.problems,
    hooks: hooks?.events,
    spool: hooks?.spool,
    breaker: hooks?.breaker,
    log: hooks?.log,
    backups,
    findings,
    next_steps: health.next_steps,
  };
}

function printOne({ ui }: Context, { harness, name, state, health, backups, findings }: Shown): void {
  const { settings, config, daemon, hooks, connected } = state;
  const files = [...new Set(config.entries.map(({ file }) => file))];
  if (connected) ui.ok(`${ui.bold(name)} is connected (${files.map(ui.path).join(", ")})`);
  else ui.warn(`${name} is not connected.`);
  for (const problem of config.problems) ui.warn(problem);
  for (const { file, path, state, line } of config.entries) {
    if (connected && (state === "different" || state === "duplicated")) {
      ui.warn(`${file}${line ? `:${line}` : ""}: ${path.join(".")} is ${state}; run install to mend it.`);
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
  if (settings.insecureHttp) {
    ui.warn("THE KEY TRAVELS OVER PLAIN HTTP (--insecure-http): anyone on the way can read it.");
  }
  if (hooks && (connected || hooks.spool.depth > 0)) {
    ui.say("");
    ui.block(table(
      ["HOOK", "LAST FIRED", "OUTCOME", "MEDIAN"],
      hooks.events.filter(({ event }) => event in harness.events).map((each) => [
        each.event,
        each.lastFired ? `${age(Date.now() - Date.parse(each.lastFired))} ago` : "never",
        each.lastOutcome === "spooled" && hooks.spool.depth === 0 ? "delivered" : each.lastOutcome ?? "",
        each.medianMs === undefined ? "" : `${each.medianMs} ms`,
      ]),
      ui,
    ));
    ui.say("");
    if (hooks.breaker.open) {
      ui.warn(`The daemon hung; hooks leave it alone for another ${age(hooks.breaker.leftMs)}.`);
    }
    const { depth, oldestMs, rejected, rejectedDir, waitingFor } = hooks.spool;
    if (depth > 0) {
      ui.warn(
        `${depth} events wait to be delivered, the oldest for ${age(oldestMs ?? 0)}${
          waitingFor ? ` (${waitingFor})` : ""
        }.`,
      );
    } else ui.ok("Nothing waits to be delivered");
    if (rejected > 0) ui.warn(`${rejected} events were refused by the daemon: ${rejectedDir}`);
  }
  for (const backup of backups) ui.next(`backup: ${ui.path(backup)}`);
  for (const step of health.next_steps) if (step.includes(" ")) ui.next(step);
}

function printTable({ ui }: Context, shown: readonly Shown[]): void {
  const fired = (state: State) => state.hooks?.events.reduce((sum, { count }) => sum + count, 0) ?? 0;
  ui.block(table(
    ["HARNESS", "CONNECTED", "AGENT", "DAEMON", "HOOKS FIRED", "SPOOL"],
    shown.map(({ name, state }) => [
      name,
      state.connected ? "yes" : "no",
      state.connected ? state.settings.agentId : "",
      state.connected ? `${state.settings.url} (${state.daemon.kind})` : "",
      String(fired(state)),
      String(state.hooks?.spool.depth ?? 0),
    ]),
    ui,
  ));
}

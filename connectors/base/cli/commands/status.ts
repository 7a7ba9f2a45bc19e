import { findProgram, versionOf } from "../../programs/find_program.ts";
import type { Finding, Harness } from "../../harness.ts";
import { backupsDir, readLedger } from "../../install/ledger.ts";
import { realOs } from "../../fs/os.ts";
import { type State, stateOf } from "../../install/install_state.ts";
import { stopSignal } from "../../sync/stop_signal.ts";
import { asCalled, callOf } from "../command_line.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { findForge, type Forge } from "../forge.ts";
import { type Health, healthOf } from "./health.ts";
import { installedSite } from "../installed_site.ts";
import { someHarnesses } from "../some_harnesses.ts";
import { printOne } from "../status_one.ts";
import { printTable } from "../status_table.ts";
import { keyTail } from "../format.ts";

export interface Shown {
  readonly harness: Harness;
  readonly name: string;
  /** Of the harness's own program, where several are shown. */
  readonly version?: string;
  readonly state: State;
  /** Whether an install of ours is on record. */
  readonly installed: boolean;
  readonly health: Health;
  readonly backups: string[];
  /** What the harness itself says of our hooks. */
  readonly findings: readonly Finding[];
}

interface View {
  readonly shown: readonly Shown[];
  readonly forge?: Forge;
}

/** Starting the harnesses' programs is slow, so that `--watch` asks them once. */
async function look(context: Context, before?: View): Promise<View> {
  const many = context.known.length > 1;
  const [forge, shown] = await Promise.all([
    before ? before.forge : many && context.harnesses.length === 0 ? findForge(context.host) : undefined,
    Promise.all(
      someHarnesses(context, "found").map((harness) =>
        fileVersion(context, harness, before?.shown.find((each) => each.harness === harness))
      ),
    ),
  ]);
  return { shown, forge };
}

async function fileVersion(context: Context, harness: Harness, before: Shown | undefined): Promise<Shown> {
  const { host, known } = context;
  const site = await installedSite(context, harness);
  const program = known.length > 1 ? findProgram(harness.programs, host) : undefined;
  const [state, version] = await Promise.all([
    stateOf(harness, site, host),
    before ? before.version : program && versionOf(program),
  ]);
  const reading = state.stateDir === undefined ? undefined : await readLedger(realOs, state.stateDir);
  const backups = reading?.kind === "ok"
    ? reading.ledger.files.flatMap(({ backup }) =>
      backup ? [`${backupsDir(state.stateDir ?? "")}/${backup}`] : []
    )
    : [];
  const say = (text: string) => asCalled(context, harness, text);
  const inspect = async () =>
    state.connected && harness.inspector ? await (await harness.inspector()).inspect(site) : [];
  return {
    harness,
    name: harness.displayName,
    version,
    state,
    installed: reading?.kind === "ok",
    health: healthOf(state, callOf(context, harness.id)),
    backups,
    findings: before?.findings ??
      (await inspect()).map(({ ok, message, fix }) => ({ ok, message: say(message), fix: fix && say(fix) })),
  };
}

/** What is installed, which daemon, and when each hook last fired. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, ui, known } = context;
  if (flags.on("watch")) return await watch(context);
  const view = await ui.during("Looking at the harnesses", look(context));
  print(context, view);
  if (view.shown.length === 0) ui.warn("No harness was found on this machine.");
  const data = documents(view);
  return { code: exitCode(context, view), data: known.length === 1 ? data[0] : data };
}

/**
 * Failed where something was installed and its hooks cannot run; degraded where
 * they run and something wants attention, or where nothing is connected. A
 * harness that nobody connected is no fault, unless it was asked about.
 */
function exitCode({ harnesses }: Context, { shown }: View): number {
  const counted = shown.filter(({ installed, state }) =>
    harnesses.length > 0 || installed || state.connected
  );
  if (counted.some(({ installed, state }) => installed && !state.connected)) return EXIT.failed;
  const good = counted.length > 0 &&
    counted.every(({ health, findings }) => health.status === "healthy" && findings.every(({ ok }) => ok));
  return good ? EXIT.ok : EXIT.degraded;
}

function print(context: Context, { shown, forge }: View): void {
  if (context.known.length === 1) shown.forEach((each) => printOne(context, each));
  else printTable(context, shown, forge);
}

/** Looks again every two seconds until it is stopped. */
async function watch(context: Context): Promise<Outcome> {
  const { ui } = context;
  using stop = stopSignal();
  const stopped = new Promise<undefined>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  let view: View | undefined;
  while (!stop.signal.aborted) {
    const next = await Promise.race([stopped, look(context, view)]);
    if (next === undefined) break;
    view = next;
    if (ui.interactive) ui.block("\x1b[H\x1b[2J");
    print(context, view);
    if (ui.interactive) ui.say(ui.dim("\nLooks again every 2 s; Ctrl-C ends it."));
    let timer: number | undefined;
    await Promise.race([stopped, new Promise((resolve) => timer = setTimeout(resolve, 2_000))]);
    clearTimeout(timer);
  }
  return { code: EXIT.ok, data: view && documents(view) };
}

function documents({ shown, forge }: View) {
  return [...shown.map(document), ...forge ? [forge] : []];
}

function document({ state, installed, version, health, backups, findings }: Shown) {
  const { settings, config, daemon, hooks, connected } = state;
  return {
    harness: state.harness,
    version,
    status: health.status,
    installed,
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

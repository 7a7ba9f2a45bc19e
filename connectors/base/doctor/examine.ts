import { flush } from "../../../hooks/spool/flush.ts";
import type { LogRecord } from "../../../hooks/log.ts";
import { readLog } from "../../../hooks/report.ts";
import type { EventName } from "../../../hooks/event.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import { findOriginalEntries } from "../install/original_signet.ts";
import { ConfigError } from "../edit/tree.ts";
import { versionOf } from "../programs/find_program.ts";
import type { Finding, Harness, Site } from "../harness.ts";
import type { State } from "../install/install_state.ts";
import { VERSION } from "../../../hooks/daemon/version.ts";
import { installedCalls } from "./calls.ts";
import { probeMcp } from "./probe_mcp.ts";
import { judge, sampleInput, tryCall } from "./try_call.ts";

/** A finding that `doctor --fix` can mend by installing again. */
export interface Diagnosis extends Finding {
  readonly mendable?: boolean;
}

/** Everything that doctor proves of one harness, in the order in which a person would ask. */
export async function* examine(
  harness: Harness,
  site: Site,
  state: State,
  host: Surroundings,
): AsyncGenerator<Diagnosis> {
  yield* settings(state);
  yield* entries(state);
  if (!state.connected) return;
  yield* otherInstalls(harness, site);
  yield await program(site);
  yield* hooks(harness, site, state, host);
  if (state.config.entries.some(({ path }) => path.at(-1) === "signet")) {
    yield await probeMcp(site.argv("mcp"));
  }
  if (harness.inspector) yield* await (await harness.inspector()).inspect(site);
  if (harness.assumed) {
    yield {
      ok: true,
      message: `Assumed, never seen on a running ${harness.displayName}: ${harness.assumed}`,
    };
  }
}

function* settings({ settings, daemon }: State): Generator<Diagnosis> {
  if (settings.problem) {
    yield { ok: false, message: settings.problem, fix: "run install again with --url and a key" };
  } else if (daemon.kind === "ok") {
    yield { ok: true, message: `The daemon at ${settings.url} accepts agent ${settings.agentId}` };
  } else {
    const fix = daemon.kind === "rejected"
      ? "make a new key (signet-connect api-key create) and run install again"
      : "start the daemon, or run install with another --url";
    yield { ok: false, message: daemon.message, fix };
  }
  if (settings.insecureHttp) {
    yield {
      ok: false,
      message: `The key travels to ${settings.url} in clear`,
      fix: "use https, and install without --insecure-http",
    };
  }
}

function* entries({ config, connected }: State): Generator<Diagnosis> {
  for (const problem of config.problems) yield { ok: false, message: problem, fix: "mend that line by hand" };
  if (config.problems.length === 0 && config.entries.every(({ state }) => state === "missing")) {
    yield { ok: false, message: "It is not connected: none of our entries stands in its config" };
    return;
  }
  for (const { file, path, state, line } of config.entries) {
    if (state === "present") continue;
    const where = `${file}${line ? `:${line}` : ""}`;
    const what = path.length ? `${path.join(".")} is ${state}` : `it is ${state}`;
    const message = `${where}: ${what}`;
    if (state === "foreign") {
      yield {
        ok: false,
        message: `${message}: somebody else's stands there`,
        fix: "remove that entry, or rename it",
      };
    } else yield { ok: false, message, fix: "run install again", mendable: true };
  }
  if (connected && config.entries.every(({ state }) => state === "present")) {
    yield { ok: true, message: `All ${config.entries.length} entries stand in the config` };
  }
}

function* otherInstalls(harness: Harness, site: Site): Generator<Diagnosis> {
  for (const target of harness.targets(site)) {
    if (target.kind !== "edit") continue;
    const text = site.readText(target.path);
    if (text === undefined) continue;
    try {
      for (const { line, command } of findOriginalEntries(target.format, text)) {
        yield {
          ok: false,
          message:
            `${target.path}:${line}: the original Signet CLI is connected too (${command}), so everything is sent twice`,
          fix: "install --replace-signet-cli",
        };
      }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error; // said already
    }
  }
}

async function program(site: Site): Promise<Diagnosis> {
  const [path = ""] = site.argv();
  const version = await versionOf(path);
  if (version === VERSION) return { ok: true, message: `${path} is version ${VERSION}` };
  const message = version === undefined
    ? `${path}, which the hooks call, cannot be run`
    : `${path} is version ${version}, and this is ${VERSION}`;
  return { ok: false, message, fix: "run install again", mendable: true };
}

async function* hooks(
  harness: Harness,
  site: Site,
  state: State,
  host: Surroundings,
): AsyncGenerator<Diagnosis> {
  // `test-` and no project: the daemon takes it for noise and keeps none of it.
  const session = `test-doctor-${crypto.randomUUID().slice(0, 8)}`;
  const calls = installedCalls(harness, site);
  const seen = new Set<EventName>();
  for (const call of calls) {
    const event = harness.events[call.event];
    if (event === undefined) continue;
    if (seen.has(call.event)) {
      yield {
        ok: false,
        message: `The ${call.event} hook is there twice`,
        fix: "run install again",
        mendable: true,
      };
      continue;
    }
    seen.add(call.event);
    const tried = await tryCall(call, sampleInput(call, session, event.native), event.timeoutMs, host);
    yield judge(harness, call, tried, event.timeoutMs);
  }
  if (state.daemon.kind === "ok") yield await daemonSaw(state, session, [...seen], host);
}

/** hook.log has one line per call, with the daemon's status; what waited on disk is delivered now. */
async function daemonSaw(
  { stateDir, settings }: State,
  session: string,
  events: EventName[],
  host: Surroundings,
): Promise<Diagnosis> {
  const { kept, reason } = await flush(settings, { host, maxMs: 10_000 });
  const own = (stateDir === undefined ? [] : readLog(stateDir)).filter((line) =>
    line.session !== undefined && session.startsWith(line.session)
  );
  const reached = ({ status, outcome }: LogRecord) =>
    (status !== undefined && status < 300) || (outcome === "spooled" && kept === 0) ||
    outcome.startsWith("turn ");
  const missed = events.filter((event) => !own.some((line) => line.event === event && reached(line)));
  if (missed.length === 0) return { ok: true, message: "The daemon saw every one of them" };
  const why = own.filter(({ event }) => missed.some((each) => each === event))
    .map(({ event, outcome, detail }) => `${event}: ${outcome}${detail ? ` (${detail})` : ""}`);
  return {
    ok: false,
    message: `The daemon did not see ${missed.join(", ")}: ${
      why.join("; ") || reason || "no line in the log"
    }`,
    fix: "see hook.log",
  };
}

import type { EventName } from "../../../hooks/event.ts";
import { isRehearsal, type LogRecord, REHEARSAL } from "../../../hooks/log.ts";
import { readLog } from "../../../hooks/report.ts";
import { flush } from "../../../hooks/spool/flush.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness, Site } from "../harness.ts";
import type { State } from "../install/install_state.ts";
import { installedCalls } from "./calls.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { judge, sampleInput, tryCall } from "./try_call.ts";

/** Runs each installed hook, then checks in hook.log that the daemon received it. */
export async function* checkHooks(
  harness: Harness,
  site: Site,
  state: State,
  host: Surroundings,
): AsyncGenerator<Diagnosis> {
  // `test-` and no project: the daemon treats it as noise and stores nothing.
  const session = `${REHEARSAL}${crypto.randomUUID().slice(0, 8)}`;
  const started = new Date().toISOString();
  const calls = installedCalls(harness, site);
  const seen = new Set<EventName>();
  for (const call of calls) {
    const event = harness.events[call.event];
    if (event === undefined) continue;
    if (seen.has(call.event)) {
      yield {
        id: "hook-twice",
        event: call.event,
        ok: false,
        message: `The ${call.event} hook is installed twice`,
        fix: "run install again",
        fixable: true,
      };
      continue;
    }
    seen.add(call.event);
    const tried = await tryCall(call, sampleInput(call, session, event.native), event.timeoutMs, host);
    yield judge(harness, call, tried, event.timeoutMs);
  }
  if (state.daemon.kind === "ok") yield await checkDelivery(state, started, [...seen], host);
}

/** hook.log has one line per call, with the daemon's status. Spooled events are delivered first. */
async function checkDelivery(
  { stateDir, settings }: State,
  started: string,
  events: EventName[],
  host: Surroundings,
): Promise<Diagnosis> {
  const { kept, reason } = await flush(settings, { host, maxMs: 10_000 });
  const lines = (stateDir === undefined ? [] : readLog(stateDir)).filter((line) =>
    isRehearsal(line) && line.at >= started
  );
  const reached = ({ status, outcome }: LogRecord) =>
    (status !== undefined && status < 300) || (outcome === "spooled" && kept === 0) ||
    outcome.startsWith("turn ");
  const missed = events.filter((event) => !lines.some((line) => line.event === event && reached(line)));
  if (missed.length === 0) {
    return { id: "delivery", ok: true, message: "The daemon received every event" };
  }
  const why = lines.filter(({ event }) => missed.some((each) => each === event))
    .map(({ event, outcome, detail }) => `${event}: ${outcome}${detail ? ` (${detail})` : ""}`);
  return {
    id: "delivery",
    ok: false,
    message: `The daemon did not receive ${missed.join(", ")}: ${
      why.join("; ") || reason || "no line in the log"
    }`,
    fix: "see hook.log",
  };
}

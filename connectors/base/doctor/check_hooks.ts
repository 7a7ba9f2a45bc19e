import type { EventName } from "../../../hooks/event.ts";
import { isRehearsal, type LogRecord, REHEARSAL } from "../../../hooks/log.ts";
import { readLog } from "../../../hooks/report.ts";
import { flush } from "../../../hooks/spool/flush.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness, Site } from "../harness.ts";
import type { State } from "../install/install_state.ts";
import { installedCalls } from "./calls.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { bypassSession, dropSpooled, inSessionOrder } from "./rehearsal.ts";
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
  const calls = inSessionOrder(installedCalls(harness, site));
  const seen = new Set<EventName>();
  let bypassed = false;
  using _ = { [Symbol.dispose]: () => dropSpooled(state.stateDir, session) };
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
    if (state.daemon.kind === "ok" && !bypassed && call.event !== "session-start") {
      yield {
        id: "hook-skipped",
        event: call.event,
        ok: true,
        message:
          `The ${call.event} hook was not run: the daemon does not bypass sessions, so it would store this`,
      };
      seen.delete(call.event);
      continue;
    }
    const tried = await tryCall(call, sampleInput(call, session, event.native), event.timeoutMs, host);
    yield judge(harness, call, tried, event.timeoutMs);
    if (call.event === "session-start" && state.daemon.kind === "ok") {
      bypassed = await bypassSession(state.settings, session);
    }
  }
  if (state.daemon.kind === "ok") yield await checkDelivery(state, started, [...seen], host);
}

/** 0.58 has no checkpoints. That costs a long session its intermediate saves, and is no fault of this setup. */
function isLacking({ outcome }: LogRecord): boolean {
  return outcome === "unsupported";
}

/** The daemon answers a bypassed session before it looks at the content, so its content is not proved. */
function received(lacking: readonly EventName[]): string {
  const proved = "The daemon received every event and stored none: the connection and the key work";
  return lacking.length === 0 ? proved : `${proved}. This version of Signet has no ${lacking.join(", ")}`;
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
  const lacking = events.filter((event) => lines.some((line) => line.event === event && isLacking(line)));
  const missed = events.filter((event) =>
    !lacking.includes(event) && !lines.some((line) => line.event === event && reached(line))
  );
  if (missed.length === 0) return { id: "delivery", ok: true, message: received(lacking) };
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

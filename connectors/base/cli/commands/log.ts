import { isEventName } from "../../../../hooks/event.ts";
import { isRehearsal, type LogRecord } from "../../../../hooks/log.ts";
import { readLog } from "../../../../hooks/report.ts";
import { readLastInject } from "../../../../hooks/state/last_inject.ts";
import { stateDir } from "../../../../hooks/state/paths.ts";
import type { Harness } from "../../harness.ts";
import { stopSignal } from "../../sync/stop_signal.ts";
import { type Context, EXIT, type Outcome, UserError } from "../command.ts";
import { logLine } from "../status/log_line.ts";
import { selectedHarnesses } from "../selected_harnesses.ts";

/** One call of a hook. */
export interface HookCall extends LogRecord {
  readonly harness: string;
  /** Whether doctor ran it, and not the harness. */
  readonly doctor: boolean;
}

const SHOWN = 20;
const PAUSE_MS = 500;

/** Shows what the hooks did, newest last; `--last` shows the text that the model got. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, flags } = context;
  const harnesses = selectedHarnesses(context, "present");
  if (flags.on("last")) return showLast(context, harnesses);
  const calls = hookCalls(context, harnesses).slice(-count(context));
  print(context, calls);
  if (flags.on("follow")) return await follow(context, harnesses, calls);
  if (calls.length === 0) {
    ui.say("No hook has run yet.");
    const [harness] = harnesses;
    if (harness) ui.next(`Start ${harnesses.length === 1 ? harness.displayName : "a harness"} once.`);
  }
  return { code: EXIT.ok, data: calls };
}

function count({ flags }: Context): number {
  const given = flags.text("lines");
  if (given === undefined) return SHOWN;
  if (!/^[1-9]\d{0,5}$/.test(given)) {
    throw new UserError(`--lines must be a number, not ${given}.`, EXIT.usage, "--lines 100");
  }
  return Number(given);
}

/** The hooks of all selected harnesses, oldest first. */
function hookCalls({ host }: Context, harnesses: readonly Harness[]): HookCall[] {
  const calls = harnesses.flatMap(({ id }) => {
    const dir = stateDir(id, host);
    return (dir === undefined ? [] : readLog(dir))
      .filter(({ event }) => isEventName(event))
      .map((record) => ({ harness: id, doctor: isRehearsal(record), ...record }));
  });
  return calls.sort((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
}

function print({ ui, known }: Context, calls: readonly HookCall[]): void {
  for (const call of calls) ui.say(logLine(call, { ui, many: known.length > 1, now: new Date() }));
}

async function follow(
  context: Context,
  harnesses: readonly Harness[],
  shown: readonly HookCall[],
): Promise<Outcome> {
  using stop = stopSignal();
  const all = [...shown];
  let since = hookCalls(context, harnesses).length;
  while (!stop.signal.aborted) {
    await pause(stop.signal);
    const calls = hookCalls(context, harnesses);
    // The log was rotated: what is left is not newer than what was shown.
    const fresh = calls.length < since ? [] : calls.slice(since);
    since = calls.length;
    print(context, fresh);
    all.push(...fresh);
  }
  return { code: stop.exitCode, data: all };
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, PAUSE_MS);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}

function showLast({ ui, host }: Context, harnesses: readonly Harness[]): Outcome {
  const injects = harnesses.flatMap((harness) => {
    const dir = stateDir(harness.id, host);
    const inject = dir === undefined ? undefined : readLastInject(dir);
    return inject ? [{ harness, inject }] : [];
  }).sort((a, b) => a.inject.at < b.inject.at ? 1 : -1);
  const [newest] = injects;
  if (newest === undefined) {
    ui.say("No hook has given a model any text yet.");
    return { code: EXIT.ok, data: null };
  }
  const { harness, inject } = newest;
  const what = `${harness.displayName}, ${inject.event}, ${new Date(inject.at).toLocaleString("sv")}`;
  ui.say(ui.dim(`${what}: ${inject.text.length} characters`));
  ui.say("");
  ui.say(inject.text);
  return { code: EXIT.ok, data: { harness: harness.id, ...inject } };
}

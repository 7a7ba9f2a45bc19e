import { isMessageId } from "../../../../../hooks/agents/messages/message_id.ts";
import { holderOf } from "../../../agents/locks/locking.ts";
import { findSession, uniqueHandle } from "../../../agents/peers/lookup.ts";
import { liveSessions } from "../../../agents/mesh.ts";
import type { Station } from "../../../agents/station.ts";
import { waitForAnswers, waitForIdle } from "../../../agents/messages/wait.ts";
import { stopSignal } from "../../../sync/stop_signal.ts";
import { printAnswer } from "../../agents/answer_output.ts";
import { duration } from "../../agents/draft_flags.ts";
import { holder, lockDocument } from "../../agents/lock_output.ts";
import { stationOf } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";

const DEFAULT_SECONDS = 600;

/** Waits for the answers to messages, or for a session that has nothing to do. */
export async function run(context: Context): Promise<Outcome> {
  const { args, flags, ui, binary } = context;
  const idle = flags.text("idle");
  const given = flags.text("timeout");
  const seconds = given === undefined ? DEFAULT_SECONDS : duration("timeout", given);
  const lock = flags.text("lock");
  if (idle === undefined && lock === undefined && args.length === 0) {
    throw new UserError(
      "For what? Name a message, a session with --idle, or a file with --lock.",
      EXIT.usage,
      `${binary} wait m_…`,
    );
  }
  const wrong = args.find((id) => !isMessageId(id));
  if (wrong !== undefined) {
    throw new UserError(
      `${wrong} is not the id of a message; send prints it.`,
      EXIT.usage,
      `${binary} wait m_…`,
    );
  }
  const station = stationOf(context);
  using stop = stopSignal();
  const options = { ms: seconds * 1000, signal: stop.signal };
  if (lock !== undefined) return await forLock(context, station, lock, { ...options, seconds });
  if (idle !== undefined) return await forIdle(context, station, idle, { ...options, seconds });
  const waited = await ui.during("Waiting for answers", waitForAnswers(station, args, options));
  const { code, data } = printAnswer(context, waited, seconds);
  return { code: stop.signal.aborted ? EXIT.interrupted : code, data };
}

const PAUSE_MS = 200;

/** Waits until no other session has locked a file. Does not lock it: for that, `lock --wait`. */
async function forLock(
  { ui }: Context,
  station: Station,
  path: string,
  { ms, signal, seconds }: { ms: number; signal: AbortSignal; seconds: number },
): Promise<Outcome> {
  const end = performance.now() + ms;
  let held = await holderOf(station, path);
  const waiting = async () => {
    while (held !== undefined && performance.now() < end && !signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      held = await holderOf(station, path);
    }
  };
  await ui.during(`Waiting until ${path} is free`, waiting());
  const data = { path, state: held === undefined ? "free" : "held", by: held && lockDocument(held) };
  if (signal.aborted) return { code: EXIT.interrupted, data };
  if (held === undefined) ui.ok(`${ui.path(path)} is not locked`);
  else ui.warn(`${ui.path(path)} was still locked by ${holder(held)} after ${seconds} s.`);
  return { code: held === undefined ? EXIT.ok : EXIT.degraded, data };
}

async function forIdle(
  { ui }: Context,
  station: Station,
  handle: string,
  options: { ms: number; signal: AbortSignal; seconds: number },
): Promise<Outcome> {
  const live = liveSessions(station.mesh);
  const found = findSession(live, handle);
  if (found.kind === "ambiguous") {
    const handles = found.candidates.map((each) => uniqueHandle(each, live)).join(", ");
    throw new UserError(`${handle} can be any of ${handles}.`, EXIT.usage);
  }
  if (found.kind !== "session") {
    throw new UserError(
      `${handle} has no live session on this machine; what others do, the daemon does not know.`,
      EXIT.nobody,
    );
  }
  const result = await ui.during(
    `Waiting until ${handle} is idle`,
    waitForIdle(station, found.session, options),
  );
  const data = { handle, session: found.session.key, status: result };
  if (options.signal.aborted) return { code: EXIT.interrupted, data };
  if (result === "idle") ui.ok(`${handle} is idle`);
  else if (result === "ended") ui.ok(`${handle} has ended`);
  else ui.warn(`${handle} was still busy after ${options.seconds} s.`);
  return { code: result === "busy" ? EXIT.degraded : EXIT.ok, data };
}

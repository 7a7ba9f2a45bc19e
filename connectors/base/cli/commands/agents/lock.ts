import { MAX_LEASE_MS } from "../../../../../hooks/agents/locks/lock.ts";
import { takeLocks } from "../../../agents/locks/locking.ts";
import type { Station } from "../../../agents/station.ts";
import { stopSignal } from "../../../sync/stop_signal.ts";
import { duration } from "../../agents/draft_flags.ts";
import { holder, lockDocument } from "../../agents/lock_output.ts";
import { stationOf } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";
import { age } from "../../output/age.ts";

/** Locks files for the caller. */
export async function run(context: Context): Promise<Outcome> {
  const { args, flags, ui, binary } = context;
  if (args.length === 0) throw new UserError("What? Name a file.", EXIT.usage, `${binary} lock src/a.ts`);
  const wait = flags.text("wait");
  const waitMs = wait === undefined ? 0 : duration("wait", wait) * 1000;
  const lease = flags.text("lease");
  const leaseMs = lease === undefined ? undefined : duration("lease", lease) * 1000;
  if (leaseMs !== undefined && leaseMs > MAX_LEASE_MS) {
    throw new UserError("--lease must be 24 h or less; a session renews its locks by itself.", EXIT.usage);
  }
  const station = stationOf(context);
  if (flags.on("shared")) await station.remote?.receiver.fetch();
  using stop = stopSignal();
  const wish = {
    intent: flags.text("intent"),
    leaseMs,
    tree: flags.on("tree"),
    shared: flags.on("shared"),
    waitMs,
    signal: stop.signal,
  };
  const taking = takeLocks(station, args, wish);
  const answer = waitMs > 0
    ? await ui.during("Waiting for the lock", flags.on("shared") ? whileReceiving(station, taking) : taking)
    : await taking;
  if (answer.kind === "held") {
    ui.fail(`${ui.path(answer.path)} is locked by ${holder(answer.lock)}. Nothing was locked.`);
    ui.next(`To wait until it is free, run: ${binary} lock --wait …`);
    const data = { state: "held", path: answer.path, by: lockDocument(answer.lock) };
    return { code: stop.signal.aborted ? EXIT.interrupted : EXIT.failed, data };
  }
  for (const lock of answer.locks) {
    ui.ok(`Locked ${ui.bold(ui.path(lock.path))}${lock.scope === "tree" ? " and everything in it" : ""}`);
  }
  const [first] = answer.locks;
  if (first !== undefined) {
    const renewed = station.caller.kind === "session" ? "; the hooks of the session renew it" : "";
    ui.next(`It ends in ${age(first.until - Date.now() + 500)}${renewed}, or with: ${binary} unlock`);
  }
  if (flags.on("shared") && station.remote === undefined) {
    ui.warn("No harness is connected to a daemon: only clones on this machine know of the lock.");
  }
  return { code: EXIT.ok, data: { state: "taken", locks: answer.locks.map(lockDocument) } };
}

/** That another machine has freed a lock comes as a message. */
async function whileReceiving<T>(station: Station, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const receiving = station.remote?.receiver.run(done.signal);
  try {
    return await work;
  } finally {
    done.abort();
    await receiving;
  }
}

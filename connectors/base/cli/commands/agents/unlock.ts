import { forceLocks, freeLocks } from "../../../agents/locks/locking.ts";
import { holder, lockDocument, lockPlace } from "../../agents/lock_output.ts";
import { stationOf } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";

/** Frees the caller's locks; with `--force`, those of others. */
export async function run(context: Context): Promise<Outcome> {
  const { args, flags, ui, binary } = context;
  const all = flags.on("all");
  if (args.length === 0 && !all) {
    throw new UserError("What? Name a file, or use --all.", EXIT.usage, `${binary} unlock src/a.ts`);
  }
  if (all && (args.length > 0 || flags.on("force"))) {
    throw new UserError("--all means all of your own locks: it takes no paths and no --force.", EXIT.usage);
  }
  const station = stationOf(context);
  const force = flags.on("force");
  const freed = force ? await forceLocks(station, args) : await freeLocks(station, all ? undefined : args);
  for (const lock of freed) {
    ui.ok(`Freed ${ui.bold(lock.repo === undefined ? ui.path(lock.path) : lockPlace(lock))}`);
    if (force) ui.next(`It was locked by ${holder(lock)}, who was notified.`);
  }
  const data = { freed: freed.map(lockDocument) };
  if (freed.length > 0) return { code: EXIT.ok, data };
  if (all) ui.say("You hold no locks.");
  else ui.warn(force ? "These paths are not locked." : "You hold no lock on these paths.");
  return { code: all ? EXIT.ok : EXIT.degraded, data };
}

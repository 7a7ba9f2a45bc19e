import type { DatabaseSync } from "node:sqlite";
import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { localTime } from "../../base/cli/agents/log_filter.ts";
import { confirm } from "../../base/cli/output/confirm.ts";
import { cutoffForSize, databaseSize } from "./cutoff.ts";
import { number } from "../../base/history/database.ts";
import { transaction } from "../../base/history/sqlite_file.ts";
import { withHistory } from "../../base/history/open_history.ts";
import { formatSize, parseSize } from "./size.ts";
import { fact, putLogAside, setFact, takeUp } from "../../base/history/take_up.ts";

const DAY_MS = 86_400_000;
/** Each attempt removes more; the size of a row is an estimate. */
const ATTEMPTS = 8;

/** What to keep. */
interface Retention {
  readonly days?: number;
  readonly bytes?: number;
}

/** Removes old messages. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, ui } = context;
  const keep = retention(context);
  const plan = withHistory(context, (database) => planFor(database, keep));
  if (plan === undefined) return done(context, { removed: 0 }, "There is no history.");
  if (flags.on("dry-run")) {
    return done(
      context,
      plan,
      `${plan.removes} messages would be removed${before(plan.cutoff, plan.removes)}.`,
    );
  }
  const question = `Remove ${plan.removes} messages${before(plan.cutoff, plan.removes)}?`;
  if (plan.removes > 0 && !flags.on("yes") && !await confirm(ui, question)) {
    throw new UserError("Nothing was removed.", EXIT.failed, "Add --yes to remove without confirmation.");
  }
  const result = withHistory(context, (database, dir) => clean(database, dir, keep));
  const size = formatSize(result?.bytes ?? 0);
  return done(context, result, `Removed ${result?.removed ?? 0} messages. The history takes ${size}.`);
}

function done({ ui }: Context, data: unknown, sentence: string): Outcome {
  ui.ok(sentence);
  return { code: EXIT.ok, data };
}

function retention({ flags, binary }: Context): Retention {
  const days = flags.text("days");
  const size = flags.text("max-size");
  if (days === undefined && size === undefined) {
    const next = `${binary} history clean --days 90`;
    throw new UserError("clean needs --days, --max-size or both.", EXIT.usage, next);
  }
  if (days !== undefined && !/^\d{1,5}$/.test(days)) {
    throw new UserError(`--days must be a number, not ${days}.`, EXIT.usage, "--days 90");
  }
  return {
    days: days === undefined ? undefined : Number(days),
    bytes: size === undefined ? undefined : parseSize("max-size", size),
  };
}

function planFor(database: DatabaseSync, { days, bytes }: Retention) {
  const byAge = days === undefined ? 0 : Date.now() - days * DAY_MS;
  const cutoff = Math.max(byAge, bytes === undefined ? 0 : cutoffForSize(database, bytes));
  const removes = database.prepare("select count(*) count from messages where logged < ?").get(cutoff)?.count;
  return { removes: number(removes), cutoff, bytes: databaseSize(database) };
}

function clean(database: DatabaseSync, dir: string, keep: Retention): { removed: number; bytes: number } {
  putLogAside(database, dir);
  takeUp(database, dir);
  let removed = 0;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const bytes = keep.bytes === undefined ? undefined : attempt === ATTEMPTS ? 0 : keep.bytes / attempt;
    const { cutoff } = planFor(database, { ...keep, bytes });
    removed += removeBefore(database, cutoff);
    database.exec("insert into words (words) values ('optimize')");
    // It frees a page per step, and exec() makes one step.
    database.prepare("pragma incremental_vacuum").all();
    if (keep.bytes === undefined || databaseSize(database) <= keep.bytes) break;
  }
  return { removed, bytes: databaseSize(database) };
}

function removeBefore(database: DatabaseSync, cutoff: number): number {
  return transaction(database, () => {
    const { changes } = database.prepare("delete from messages where logged < ?").run(cutoff);
    const events = "delete from events where at < ? and id not in (select id from messages)";
    database.prepare(events).run(cutoff);
    // The log may still have lines of them.
    setFact(database, "not_before", Math.max(cutoff, fact(database, "not_before") ?? 0));
    return Number(changes);
  });
}

function before(cutoff: number, count: number): string {
  return count === 0 ? "" : ` from before ${localTime(new Date(cutoff).toISOString())}`;
}

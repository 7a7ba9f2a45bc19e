import { atomicWrite, sweep } from "../../fs/atomic_write.ts";
import { dirOf, throughLinks, within } from "../../fs/file_path.ts";
import { backupsDir, type Ledger, ledgerBytes, ledgerPath, readLedger } from "../ledger/ledger.ts";
import { Journal } from "./journal.ts";
import { acquire, lockPath, noteLockDirs, removeLock } from "./lock.ts";
import { same } from "../../edit/json_value.ts";
import { SOURCE_RECORD } from "../../programs/release_source_record.ts";
import { isInside } from "../ledger/ledger_paths.ts";
import { siblingLedgers } from "../ledger/sibling_ledgers.ts";
import type { Os } from "../../fs/os.ts";
import { type Change, type HarnessPlan, isEmpty, type Plan, planOf } from "../plan/plan.ts";
import { sharedDirs } from "../plan/plan_draft.ts";
import { installPart } from "../plan/plan_install.ts";
import { uninstallPart } from "../plan/plan_uninstall.ts";
import { FileChanged, isStaleChange } from "./stale.ts";

/** The result of applying a plan. */
export interface Applied {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly linked: readonly string[];
  /** The backups of the original files. */
  readonly backups: readonly string[];
  readonly warnings: readonly string[];
  /** The plan that was applied; made again if a file had changed in the meantime. */
  readonly plan: Plan;
}

/** The plan cannot be applied; nothing was changed. */
export class PlanRefused extends Error {
  override name = "PlanRefused";
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

export interface ApplyOptions {
  /** Aborting undoes the changes made so far. */
  readonly signal?: AbortSignal;
  /** Called before the part of each harness. */
  onPart?(part: HarnessPlan): void;
  /** Uninstall: removes from the state directory what hooks and drains wrote since the plan was made. */
  clear?(): Promise<unknown>;
}

/**
 * Applies a plan: all of it, or nothing. The ledger is written before the first
 * file, so that the next install or uninstall knows what may have been done if
 * the program is killed at any moment.
 */
export async function applyPlan(os: Os, plan: Plan, options: ApplyOptions = {}): Promise<Applied> {
  if (plan.problems.length > 0) throw new PlanRefused(plan.problems);
  const first = plan.parts[0];
  if (!first) return appliedFrom(plan);
  const lock = lockPath(first.input.stateDir);
  // Even an empty plan cleans up after a killed install.
  if (isEmpty(plan) && !await os.stat(dirOf(lock))) return appliedFrom(plan);
  const journal = new Journal(os);
  const lockDirs = new Journal(os);
  const held = await acquire(os, lock, () => {
    options.signal?.throwIfAborted();
    return lockDirs.makeDirs(lock);
  }).catch(async (error) => {
    await lockDirs.rollBack();
    throw new Error(`${error instanceof Error ? error.message : error}; nothing was changed`, {
      cause: error,
    });
  });
  try {
    const done = await applyParts(os, plan, journal, { path: lock, dirs: lockDirs.dirs }, options);
    await journal.commit();
    const dirs = new Set<string>();
    for (const part of done) for (const dir of await finish(os, part, options)) dirs.add(dir);
    let removed: readonly string[] = [];
    if (done.every((part) => part.verb === "uninstall")) {
      const forget = done.some(({ changes }) => changes.length > 0);
      removed = await removeLock(os, lock, { forget });
      for (const dir of removed) dirs.add(dir);
    }
    await removeEmpty(os, dirs);
    if (removed.length > 0) await leaveToNext(os, lock, dirs);
    return appliedFrom(planOf(done));
  } finally {
    await held.release();
  }
}

/**
 * An install that waited for the lock may have created its directory again before the
 * ones above it were removed. It does not know that they were ours: its uninstall must.
 */
async function leaveToNext(os: Os, lock: string, dirs: ReadonlySet<string>, tries = 3): Promise<void> {
  const dir = dirOf(lock);
  // install.sh's record keeps the directory without an install.
  if (!await os.stat(dir) || await os.lstat(within(dir, SOURCE_RECORD))) return;
  const above = [...dirs].filter((each) => isInside(dir, each));
  const next = await acquire(os, lock, async () => {
    if (!await os.stat(dir)) throw new Error(`${dir} is gone`);
  }).catch(() => undefined);
  if (next === undefined) return await removeEmpty(os, above);
  try {
    if ((await removeLock(os, lock)).length === 0) return await noteLockDirs(os, lock, above);
    // Nobody has installed anything yet.
    await removeEmpty(os, [dir, ...above]);
  } finally {
    await next.release();
  }
  if (tries > 1) await leaveToNext(os, lock, dirs, tries - 1);
}

/** All parts, or none of them. */
async function applyParts(
  os: Os,
  plan: Plan,
  journal: Journal,
  lock: { readonly path: string; readonly dirs: readonly string[] },
  options: ApplyOptions,
): Promise<HarnessPlan[]> {
  const done: HarnessPlan[] = [];
  try {
    await sweep(os, [lock.path.replace(/\.lock$/, ".dirs")]);
    await noteLockDirs(os, lock.path, lock.dirs);
    // Before the first change: our temporary files look like those of a killed install.
    for (const part of plan.parts) await sweep(os, await sweptPaths(os, part));
    for (const part of plan.parts) {
      options.onPart?.(part);
      done.push(await applyCurrent(os, part, journal, options.signal));
    }
    return done;
  } catch (error) {
    const failed = await journal.rollBack();
    await removeEmpty(os, [...await removeLock(os, lock.path).catch(() => []), ...lock.dirs]);
    if (error instanceof PlanRefused && failed.length === 0) throw error;
    const rest = failed.length === 0
      ? "nothing was changed"
      : `and undoing the changes failed: ${failed.join("; ")}`;
    throw new Error(`${error instanceof Error ? error.message : error}; ${rest}`, { cause: error });
  }
}

/** A harness that writes its config this often is not waiting for us: it is in a loop. */
const MOST_TRIES = 20;

/** Applies a part, and plans the rest of it again as often as another program changes one of its files. */
async function applyCurrent(
  os: Os,
  planned: HarnessPlan,
  journal: Journal,
  signal?: AbortSignal,
): Promise<HarnessPlan> {
  const first = journal.done.length;
  let part = planned;
  let busy = "";
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    signal?.throwIfAborted();
    if (await isStale(os, part)) part = await planAgain(os, part);
    try {
      await applyPart(os, part, journal, signal);
      return { ...part, changes: journal.done.slice(first) };
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error;
      busy = error.path;
    }
  }
  throw new Error(`${busy} is being written by another program; close it and try again`);
}

function appliedFrom(plan: Plan): Applied {
  const paths = (...kinds: Change["kind"][]) =>
    plan.changes.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
  return {
    written: paths("write", "program"),
    removed: paths("remove", "remove-program", "unlink"),
    linked: paths("link"),
    backups: plan.parts.flatMap(({ ledger, input }) =>
      (ledger?.files ?? []).flatMap((file) =>
        file.backup ? [within(backupsDir(input.stateDir), file.backup)] : []
      )
    ),
    warnings: plan.warnings,
    plan,
  };
}

/** Where a killed install may have left temporary files. */
async function sweptPaths(os: Os, part: HarnessPlan): Promise<string[]> {
  const { stateDir, targets } = part.input;
  const backups =
    part.ledger?.files.flatMap(({ backup }) => backup ? [within(backupsDir(stateDir), backup)] : []) ?? [];
  const named = [...targets, ...part.onto?.files ?? []].map(({ path }) => path);
  const real = await Promise.all(named.map((path) => throughLinks(os, path).catch(() => path)));
  return [
    ledgerPath(stateDir),
    ...backups,
    ...named,
    ...real,
    ...part.changes.map((change) => "real" in change ? change.real : change.path),
  ];
}

/** Whether a file changed since the plan was made; the plan is then made again. */
async function isStale(os: Os, part: HarnessPlan): Promise<boolean> {
  if (!same(await ledgerNow(os, part) ?? null, part.onto ?? null)) return true;
  if (await sharesMore(os, part)) return true;
  for (const change of part.changes) if (await isStaleChange(os, change)) return true;
  return false;
}

/** Whether another harness was installed since, and created directories that this one uses too. */
async function sharesMore(os: Os, { verb, ledger, input: { stateDir } }: HarnessPlan): Promise<boolean> {
  if (verb !== "install" || ledger === undefined) return false;
  return sharedDirs(ledger, stateDir, await siblingLedgers(os, stateDir))
    .some((dir) => !ledger.dirs.includes(dir));
}

async function ledgerNow(os: Os, part: HarnessPlan): Promise<Ledger | undefined> {
  const reading = await readLedger(os, part.input.stateDir);
  return reading.kind === "ok" ? reading.ledger : undefined;
}

async function planAgain(os: Os, part: HarnessPlan): Promise<HarnessPlan> {
  // A running sync must not restore what an uninstall removed.
  if (part.input.partial && part.onto && !await ledgerNow(os, part)) {
    throw new PlanRefused([
      `${part.input.harness} was uninstalled in the meantime; install it and try again`,
    ]);
  }
  const fresh = await (part.verb === "install" ? installPart : uninstallPart)(os, part.input);
  if (fresh.problems.length > 0) throw new PlanRefused(fresh.problems);
  return fresh;
}

async function applyPart(os: Os, part: HarnessPlan, journal: Journal, signal?: AbortSignal): Promise<void> {
  const { stateDir } = part.input;
  if (part.verb === "install" && part.ledgerChanges && part.ledger) {
    for (const { name, bytes } of part.backups) {
      const path = within(backupsDir(stateDir), name);
      await journal.write(path, path, await os.read(path), bytes, 0o600);
    }
    const path = ledgerPath(stateDir);
    await journal.write(
      path,
      path,
      await os.read(path).catch(() => undefined),
      ledgerBytes(part.ledger, stateDir),
      0o600,
    );
  }
  await journal.stage(part.changes);
  for (const change of part.changes) {
    signal?.throwIfAborted();
    await journal.apply(change);
  }
  // The last chance to abort: what follows only cleans up.
  signal?.throwIfAborted();
}

/** A drain that ends now may write its last line after the directory was cleared. */
const MOST_CLEARS = 5;

/** Runs after all changes: updates the ledger of an uninstall and removes unneeded backups. Returns directories that may be empty. */
async function finish(os: Os, part: HarnessPlan, { clear }: ApplyOptions): Promise<readonly string[]> {
  const { stateDir } = part.input;
  const dirs = part.ledger ? [] : await readDirs(os, part);
  const kept = new Set(part.ledger?.files.flatMap((file) => [file.backup, ...file.olderBackups ?? []]) ?? []);
  const backups = backupsDir(stateDir);
  if ((await os.stat(backups))?.kind === "directory") {
    for (const name of await os.list(backups)) {
      const unneeded = (part.released.includes(name) && !kept.has(name)) || /^\..*\.tmp$/.test(name);
      if (unneeded) await os.remove(within(backups, name));
    }
    await removeIfEmpty(os, backups);
  }
  if (part.ledger) {
    if (part.verb === "uninstall" && part.ledgerChanges) {
      await atomicWrite(os, ledgerPath(stateDir), ledgerBytes(part.ledger, stateDir), 0o600);
    }
    return [];
  }
  // The ledger is removed last: it lists the directories that install created.
  await removeEmpty(os, dirs);
  if (await os.lstat(ledgerPath(stateDir))) await os.remove(ledgerPath(stateDir));
  for (let tries = 0; tries < MOST_CLEARS; tries++) {
    if (part.verb === "uninstall") await clear?.();
    await removeIfEmpty(os, stateDir);
    if (!clear || !await os.lstat(stateDir)) break;
  }
  return dirs;
}

/** The directories that install created. Of those of the credentials it needs no record: only Signet uses them. */
async function readDirs(os: Os, part: HarnessPlan): Promise<readonly string[]> {
  const secrets = part.changes.filter((change) => change.kind === "remove" && change.target === "secret");
  const dirs = secrets.flatMap(({ path }) => [dirOf(path), dirOf(dirOf(path))]);
  const reading = await readLedger(os, part.input.stateDir);
  return reading.kind === "ok" ? [...reading.ledger.dirs, ...dirs] : dirs;
}

/** Removes empty directories, the innermost first. */
async function removeEmpty(os: Os, dirs: Iterable<string>): Promise<void> {
  for (const dir of [...dirs].sort((a, b) => b.length - a.length)) await removeIfEmpty(os, dir);
}

async function removeIfEmpty(os: Os, dir: string): Promise<void> {
  if ((await os.lstat(dir))?.kind !== "directory" || (await os.list(dir)).length > 0) return;
  await os.remove(dir).catch(() => {});
}

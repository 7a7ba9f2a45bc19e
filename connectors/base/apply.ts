import { atomicCopy, atomicWrite, sweep, tempBeside } from "./atomic_write.ts";
import { sameBytes } from "./digest.ts";
import { why } from "./draft_part.ts";
import { dirOf, throughLinks, within } from "./file_path.ts";
import { backupsDir, type Ledger, ledgerBytes, ledgerPath, readLedger } from "./ledger.ts";
import { acquire, lockPath } from "./lock.ts";
import { same } from "./edit/json_value.ts";
import type { Os } from "./os.ts";
import { type Change, isEmpty, type Plan, planOf, type PlanPart } from "./plan.ts";
import { installPart } from "./plan_install.ts";
import { uninstallPart } from "./plan_uninstall.ts";

/** What applying a plan did. */
export interface Applied {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly linked: readonly string[];
  /** Where the files are as they were. */
  readonly backups: readonly string[];
  readonly warnings: readonly string[];
  /** The plan that was applied; another than the one given where a file had changed meanwhile. */
  readonly plan: Plan;
}

/** A plan that cannot be applied; nothing was changed. */
export class PlanRefused extends Error {
  override name = "PlanRefused";
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

export interface ApplyOptions {
  /** Someone wants it to end: what was done until then is taken back. */
  readonly signal?: AbortSignal;
  /** Called as each harness's share begins. */
  onPart?(part: PlanPart): void;
}

type Undo = () => Promise<void>;

/**
 * Applies a plan: all of it, or nothing. The ledger is written before the first
 * file, so that whatever moment the program is killed at, the next install or
 * uninstall knows what may have been done.
 */
export async function applyPlan(os: Os, plan: Plan, options: ApplyOptions = {}): Promise<Applied> {
  if (plan.problems.length > 0) throw new PlanRefused(plan.problems);
  const first = plan.parts[0];
  if (!first) return outcome(plan);
  const lock = lockPath(first.request.stateDir);
  // Even with nothing to do, there may be something that a killed install left.
  if (isEmpty(plan) && !await os.stat(dirOf(lock))) return outcome(plan);
  const undo: Undo[] = [];
  const lockDirs: Undo[] = [];
  await makeDirs(os, lock, lockDirs);
  const held = await acquire(os, lock);
  try {
    const done: PlanPart[] = [];
    for (const planned of plan.parts) {
      await sweep(os, sweptPaths(planned));
      const part = await isStale(os, planned) ? await again(os, planned) : planned;
      done.push(part);
      options.onPart?.(part);
      await applyPart(os, part, undo, options.signal);
    }
    const dirs = new Set<string>();
    for (const part of done) for (const dir of await finish(os, part)) dirs.add(dir);
    if (done.every((part) => part.verb === "uninstall")) await removeIfLast(os, lock);
    await removeEmpty(os, dirs);
    return outcome(planOf(done));
  } catch (error) {
    const failed = await rollBack(undo);
    // The lock's file stands in them, and may be somebody else's by now: they go only if it is the last thing there.
    if (lockDirs.length > 0) {
      await removeIfLast(os, lock).catch(() => {});
      await rollBack(lockDirs);
    }
    if (error instanceof PlanRefused && failed.length === 0) throw error;
    const rest = failed.length === 0
      ? "nothing was changed"
      : `and taking it back failed: ${failed.join("; ")}`;
    throw new Error(`${error instanceof Error ? error.message : error}; ${rest}`, { cause: error });
  } finally {
    await held.release();
  }
}

function outcome(plan: Plan): Applied {
  const paths = (...kinds: Change["kind"][]) =>
    plan.changes.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
  return {
    written: paths("write", "program"),
    removed: paths("remove", "remove-program", "unlink"),
    linked: paths("link"),
    backups: plan.parts.flatMap(({ ledger, request }) =>
      (ledger?.files ?? []).flatMap((file) =>
        file.backup ? [within(backupsDir(request.stateDir), file.backup)] : []
      )
    ),
    warnings: plan.warnings,
    plan,
  };
}

function sweptPaths(part: PlanPart): string[] {
  const { stateDir, targets } = part.request;
  const backups =
    part.ledger?.files.flatMap(({ backup }) => backup ? [within(backupsDir(stateDir), backup)] : []) ?? [];
  return [
    ledgerPath(stateDir),
    ...backups,
    ...targets.map(({ path }) => path),
    ...part.changes.map((change) => "real" in change ? change.real : change.path),
  ];
}

/** A file that changed since it was planned is planned again, never overwritten. */
async function isStale(os: Os, part: PlanPart): Promise<boolean> {
  if (!same(await ledgerNow(os, part) ?? null, part.onto ?? null)) return true;
  for (const change of part.changes) {
    if (change.kind === "write" || change.kind === "remove") {
      if (await throughLinks(os, change.path) !== change.real && change.target !== "secret") return true;
      const now = await os.read(change.real);
      if (
        now === undefined ? change.before !== undefined : !change.before || !sameBytes(now, change.before)
      ) return true;
    } else if (change.kind === "link" || change.kind === "unlink") {
      const found = await os.lstat(change.path);
      const was = found?.kind === "link" ? await os.readlink(change.path) : undefined;
      if (was !== change.was || (found && was === undefined)) return true;
    } else if (change.kind === "program" && (await os.lstat(change.path) !== undefined) !== change.replaces) {
      return true;
    }
  }
  return false;
}

async function ledgerNow(os: Os, part: PlanPart): Promise<Ledger | undefined> {
  const reading = await readLedger(os, part.request.stateDir);
  return reading.kind === "ok" ? reading.ledger : undefined;
}

async function again(os: Os, part: PlanPart): Promise<PlanPart> {
  // A sync that was under way must not bring back what an uninstall took away.
  if (part.request.partial && part.onto && !await ledgerNow(os, part)) {
    throw new PlanRefused([`${part.request.harness} was uninstalled meanwhile; install it and try again`]);
  }
  const fresh = await (part.verb === "install" ? installPart : uninstallPart)(os, part.request);
  if (fresh.problems.length > 0) throw new PlanRefused(fresh.problems);
  return fresh;
}

async function applyPart(os: Os, part: PlanPart, undo: Undo[], signal?: AbortSignal): Promise<void> {
  const { stateDir } = part.request;
  if (part.verb === "install" && part.ledgerChanges && part.ledger) {
    await makeDirs(os, ledgerPath(stateDir), undo);
    for (const { name, bytes } of part.backups) {
      const path = within(backupsDir(stateDir), name);
      await makeDirs(os, path, undo);
      await write(os, path, await os.read(path), bytes, 0o600, undo);
    }
    await writeLedger(os, stateDir, part.ledger, undo);
  }
  for (const change of part.changes) {
    signal?.throwIfAborted();
    await applyChange(os, change, undo);
  }
  // The last moment: what follows only clears up.
  signal?.throwIfAborted();
}

async function writeLedger(os: Os, stateDir: string, ledger: Ledger, undo: Undo[]): Promise<void> {
  const path = ledgerPath(stateDir);
  await write(os, path, await os.read(path).catch(() => undefined), ledgerBytes(ledger), 0o600, undo);
}

async function write(
  os: Os,
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
  mode: number,
  undo: Undo[],
): Promise<void> {
  undo.push(async () => {
    if (before) await atomicWrite(os, path, before, mode);
    else if (await os.lstat(path)) await os.remove(path);
  });
  await named(path, () => atomicWrite(os, path, after, mode));
}

async function named(path: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw new Error(`${path} cannot be written (${why(error)})`, { cause: error });
  }
}

async function applyChange(os: Os, change: Change, undo: Undo[]): Promise<void> {
  switch (change.kind) {
    case "write": {
      const { real, before, after, mode } = change;
      const old = (await os.stat(real))?.mode;
      await makeDirs(os, real, undo);
      if (change.target === "secret") await tighten(os, dirOf(real));
      undo.push(async () => {
        if (before) await atomicWrite(os, real, before, old ?? mode);
        else if (await os.lstat(real)) await os.remove(real);
      });
      return await named(change.path, () => atomicWrite(os, real, after, mode));
    }
    case "remove": {
      const { real, before } = change;
      const mode = (await os.stat(real))?.mode ?? 0o600;
      undo.push(() => atomicWrite(os, real, before, mode));
      await named(change.path, () => os.remove(real));
      return await os.syncDir(dirOf(real));
    }
    case "link":
      await makeDirs(os, change.path, undo);
      if (change.was !== undefined) await unlink(os, change.path, change.was, undo);
      undo.push(async () => {
        if (await os.lstat(change.path)) await os.remove(change.path);
      });
      return await named(change.path, () => os.symlink(change.to, change.path));
    case "unlink":
      return await unlink(os, change.path, change.was, undo);
    case "program":
      return await putProgram(os, change, undo);
    case "remove-program":
      return await removeProgram(os, change.path, undo);
  }
}

async function unlink(os: Os, path: string, to: string, undo: Undo[]): Promise<void> {
  undo.push(async () => {
    if (!await os.lstat(path)) await os.symlink(to, path);
  });
  await named(path, () => os.remove(path));
}

async function putProgram(os: Os, change: Extract<Change, { kind: "program" }>, undo: Undo[]): Promise<void> {
  const { path, from } = change;
  await makeDirs(os, path, undo, 0o755);
  const old = change.replaces ? await second(os, path) : undefined;
  undo.push(async () => {
    if (old) await os.rename(old, path);
    else if (await os.lstat(path)) await os.remove(path);
  });
  await named(path, () => atomicCopy(os, from, path));
  if (old) await os.remove(old).catch(() => {});
}

/** A second name for a program, to go back to; the sweep knows it if we are killed. */
async function second(os: Os, path: string): Promise<string> {
  const name = tempBeside(path);
  await os.hardlink(path, name).catch(() => os.copy(path, name, 0o755));
  return name;
}

async function removeProgram(os: Os, path: string, undo: Undo[]): Promise<void> {
  const old = await second(os, path);
  undo.push(() => os.rename(old, path));
  await named(path, () => os.remove(path));
  await os.remove(old).catch(() => {});
}

/** The directory of a key is for its owner alone. */
async function tighten(os: Os, dir: string): Promise<void> {
  const mode = (await os.stat(dir))?.mode;
  if (mode !== undefined && (mode & 0o077) !== 0) await os.chmod(dir, 0o700);
}

async function makeDirs(os: Os, path: string, undo: Undo[], mode = 0o700): Promise<void> {
  const dir = dirOf(path);
  if (await os.stat(dir) || dir === dirOf(dir)) return;
  await makeDirs(os, dir, undo, mode);
  await named(dir, async () => {
    try {
      await os.mkdir(dir, mode);
      undo.push(() => os.remove(dir));
    } catch (error) {
      // Somebody else may have made it at the same moment.
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  });
}

/** After all files: the ledger of an uninstall, and copies that nothing needs any more. Returns directories that may be empty now. */
async function finish(os: Os, part: PlanPart): Promise<readonly string[]> {
  const { stateDir } = part.request;
  const dirs = part.ledger ? [] : await readDirs(os, part);
  const kept = new Set(part.ledger?.files.flatMap((file) => [file.backup, ...file.olderBackups ?? []]) ?? []);
  const backups = backupsDir(stateDir);
  if ((await os.stat(backups))?.kind === "directory") {
    for (const name of await os.list(backups)) {
      if (!kept.has(name) && /^(?:\d+-|\..*\.tmp$)/.test(name)) await os.remove(within(backups, name));
    }
    await removeIfEmpty(os, backups);
  }
  if (part.ledger) {
    if (part.verb === "uninstall" && part.ledgerChanges) await writeLedger(os, stateDir, part.ledger, []);
    return [];
  }
  // The ledger goes last: it says which directories are ours.
  await removeEmpty(os, dirs);
  if (await os.lstat(ledgerPath(stateDir))) await os.remove(ledgerPath(stateDir));
  await removeIfEmpty(os, stateDir);
  return dirs;
}

async function readDirs(os: Os, part: PlanPart): Promise<readonly string[]> {
  const reading = await readLedger(os, part.request.stateDir);
  return reading.kind === "ok" ? reading.ledger.dirs : [];
}

/** Removes directories that are empty, the innermost first. */
async function removeEmpty(os: Os, dirs: Iterable<string>): Promise<void> {
  for (const dir of [...dirs].sort((a, b) => b.length - a.length)) await removeIfEmpty(os, dir);
}

async function removeIfEmpty(os: Os, dir: string): Promise<void> {
  if ((await os.lstat(dir))?.kind !== "directory" || (await os.list(dir)).length > 0) return;
  await os.remove(dir).catch(() => {});
}

/** The lock's file goes with the last harness; its holder is still us. */
async function removeIfLast(os: Os, lock: string): Promise<void> {
  const dir = dirOf(lock);
  const others = (await os.list(dir)).filter((name) => within(dir, name) !== lock);
  if (others.length > 0) return;
  await os.remove(lock).catch(() => {});
  await removeIfEmpty(os, dir);
}

async function rollBack(undo: readonly Undo[]): Promise<string[]> {
  const failed: string[] = [];
  for (const step of undo.toReversed()) {
    try {
      await step();
    } catch (error) {
      failed.push(why(error));
    }
  }
  return failed;
}

import { isGone } from "../../state/caller.ts";
import { parentDir } from "../../state/paths.ts";
import {
  type HeldLock,
  isSameOwner,
  lockName,
  type LockOwner,
  type LockScope,
  parseLock,
  unreadableLock,
} from "./lock.ts";
import { isWithin, lockKey, type TargetPath } from "./targets/target_path.ts";

/** Nobody's locks: the directory cannot be used. Without `strict`, edits go ahead. */
export class LockTrouble extends Error {}

const MAX_LOCK_BYTES = 64 * 1024;
/** A date this far in the future means that the clock was set back. */
const CLOCK_SLACK_MS = 5_000;

/**
 * The lock files of this machine: one per locked file in the directory, one per
 * locked tree in `trees/`. A check reads the file's own slot and, only if trees are
 * locked, one slot per directory above it: the number of locks does not matter.
 */
export class LockDir {
  readonly path: string;
  readonly now: () => number;

  constructor(path: string, now: () => number = Date.now) {
    this.path = path;
    this.now = now;
  }

  get trees(): string {
    return `${this.path}/trees`;
  }

  /** The file of a lock on this path. */
  slot(path: string, scope: LockScope, foldsCase: boolean): string {
    return `${scope === "tree" ? this.trees : this.path}/${lockName(lockKey(path, foldsCase))}`;
  }

  /** The lock of another session that covers this path. */
  holder(target: TargetPath, self: Pick<LockOwner, "harness" | "session">): HeldLock | undefined {
    if (!this.exists()) return undefined;
    for (const path of target.paths) {
      const lock = this.#at(path, "file", target, self) ?? this.treeHolder(path, target, self);
      if (lock !== undefined) return lock;
    }
    return undefined;
  }

  /** The lock of another session on this directory or one above it. */
  treeHolder(
    path: string,
    target: Pick<TargetPath, "foldsCase">,
    self: Pick<LockOwner, "harness" | "session">,
  ): HeldLock | undefined {
    if (!this.#hasTrees()) return undefined;
    for (let dir = path; dir !== ""; dir = parentDir(dir)) {
      const lock = this.#at(dir, "tree", target, self);
      if (lock !== undefined) return lock;
    }
    return undefined;
  }

  #at(
    path: string,
    scope: LockScope,
    target: Pick<TargetPath, "foldsCase">,
    self: Pick<LockOwner, "harness" | "session">,
  ): HeldLock | undefined {
    const folded = lockKey(path, true);
    for (const key of new Set([path, folded])) {
      const lock = this.live(`${scope === "tree" ? this.trees : this.path}/${lockName(key)}`, path, scope);
      if (lock === undefined || lockKey(lock.path, true) !== folded) continue;
      // Elsewhere this is the lock of another file, whose name differs in case.
      if (key !== path && !target.foldsCase) continue;
      if (lock.session === "unknown" || !isSameOwner(lock, self)) return lock;
    }
    return undefined;
  }

  /** The locks of other sessions at or below a directory. Reads every lock. */
  within(dir: string, self: Pick<LockOwner, "harness" | "session">): HeldLock[] {
    return this.list().filter((lock) => isWithin(lock.path, dir) && !isSameOwner(lock, self));
  }

  /** Every live lock, in no order. */
  list(): HeldLock[] {
    if (!this.exists()) return [];
    const locks: HeldLock[] = [];
    for (const [dir, scope] of [[this.path, "file"], [this.trees, "tree"]] as const) {
      for (const name of names(dir)) {
        const lock = this.live(`${dir}/${name}`, "", scope);
        if (lock !== undefined) locks.push(lock);
      }
    }
    return locks;
  }

  /** The lock in a slot, unless it is free, has ended, or its owner is gone. */
  live(file: string, path: string, scope: LockScope): HeldLock | undefined {
    const lock = this.read(file, path, scope);
    return lock === undefined || this.isDead(lock) ? undefined : lock;
  }

  /** The lock in a slot, live or not. */
  read(file: string, path: string, scope: LockScope): HeldLock | undefined {
    let info: Deno.FileInfo;
    let text = "";
    try {
      info = Deno.lstatSync(file);
      if (info.isFile && info.size <= MAX_LOCK_BYTES) text = Deno.readTextFileSync(file);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw new LockTrouble(`${file}: ${error instanceof Error ? error.message : error}`);
    }
    const lock = parseLock(text) ?? unreadableLock(path, scope);
    let renewed = info.mtime?.getTime() ?? 0;
    if (renewed > this.now() + CLOCK_SLACK_MS) {
      // Otherwise a lock would outlive its lease by as much as the clock was set back.
      renewed = this.now();
      this.stamp(file);
    }
    return { ...lock, file, until: renewed + lock.leaseMs };
  }

  isDead(lock: HeldLock): boolean {
    return lock.until <= this.now() || (lock.caller !== undefined && isGone(lock.caller));
  }

  /** Dates a lock: its lease starts again. Never throws. */
  stamp(file: string): void {
    try {
      const seconds = this.now() / 1000;
      Deno.utimeSync(file, seconds, seconds);
    } catch {
      // It was released a moment ago, or the disk is read-only: the lease just ends.
    }
  }

  /** Whether there are locks at all. Throws if the directory is not one of this user's. */
  exists(): boolean {
    let info: Deno.FileInfo;
    try {
      info = Deno.lstatSync(this.path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw new LockTrouble(`${this.path}: ${error instanceof Error ? error.message : error}`);
    }
    if (!info.isDirectory) throw new LockTrouble(`${this.path} is not a directory`);
    if (info.uid !== null && Deno.build.os !== "windows" && info.uid !== Deno.uid()) {
      throw new LockTrouble(`${this.path} belongs to another user`);
    }
    return true;
  }

  #hasTrees(): boolean {
    try {
      return Deno.lstatSync(this.trees).isDirectory;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw new LockTrouble(`${this.trees}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** The names of lock files in a directory; [] if there is none. */
function names(dir: string): string[] {
  try {
    return [...Deno.readDirSync(dir)].map(({ name }) => name).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw new LockTrouble(`${dir}: ${error instanceof Error ? error.message : error}`);
  }
}

import { sessionName } from "../dir.ts";
import { ensureDir, remove, unique } from "../../state/state_file.ts";
import {
  defaultLease,
  type HeldLock,
  isSameOwner,
  type Lock,
  type LockOwner,
  type LockReach,
  type LockScope,
  MAX_LEASE_MS,
} from "./lock.ts";
import { LockDir, LockTrouble } from "./lock_dir.ts";
import { appendLine, type LockEvent } from "./lock_log.ts";
import { SlotMutex } from "./slot_mutex.ts";
import { type TargetPath, targetPath } from "./targets/target_path.ts";

export interface LockRequest {
  readonly owner: LockOwner;
  readonly scope?: LockScope;
  readonly kind?: Lock["kind"];
  readonly intent?: string;
  readonly leaseMs?: number;
  readonly repo?: Lock["repo"];
  readonly reach?: LockReach;
}

export type TakeResult =
  | { readonly kind: "taken" | "renewed"; readonly lock: HeldLock }
  | { readonly kind: "held"; readonly lock: HeldLock };

const MAX_INTENT = 500;
/** Two takers that meet in the same slot settle it in one round; more is a process that keeps dying. */
const ROUNDS = 20;

/** Takes, renews and frees locks. `agentsDir` is the state directory of the mesh. */
export class Locks {
  readonly dir: LockDir;
  readonly #agentsDir: string;

  /** With the reach `shared`, the paths are those of `sharedPath`. */
  constructor(agentsDir: string, now: () => number = Date.now, reach: "machine" | "shared" = "machine") {
    this.#agentsDir = agentsDir;
    this.dir = new LockDir(`${agentsDir}/locks${reach === "shared" ? "/shared" : ""}`, now);
  }

  /** The locks that hold in every clone of a repository. */
  get shared(): Locks {
    return new Locks(this.#agentsDir, this.dir.now, "shared");
  }

  get logPath(): string {
    return `${this.#agentsDir}/locks.jsonl`;
  }

  get changesPath(): string {
    return `${this.#agentsDir}/changes.jsonl`;
  }

  /** Takes a lock, or says who holds it. Throws LockTrouble if the directory cannot be used. */
  async take(path: string, cwd: string, request: LockRequest): Promise<TakeResult> {
    const result = await this.#take(path, cwd, request);
    if (result.kind === "held") this.log("refused", result.lock, request.owner);
    return result;
  }

  async #take(path: string, cwd: string, request: LockRequest): Promise<TakeResult> {
    const { owner, scope = "file" } = request;
    const target = targetPath(path, cwd);
    const [real = path] = target.paths;
    const file = this.dir.slot(real, scope, target.foldsCase);
    try {
      this.#prepare(owner, scope);
      for (let round = 0; round < ROUNDS; round++) {
        const current = this.dir.read(file, real, scope);
        if (current !== undefined) {
          const result = await this.#settle(current, request);
          if (result !== undefined) return result;
        }
        const blocking = this.#conflict(real, scope, target, owner);
        if (blocking !== undefined) return { kind: "held", lock: blocking };
        const taken = this.#link(this.#draft(real, request), file);
        if (taken === undefined) continue;
        // A lock on a directory above or below may have been taken at the same moment:
        // then both give way, and neither is sure of the file.
        const late = this.#conflict(real, scope, target, owner);
        if (late === undefined) {
          this.log("taken", taken);
          return { kind: "taken", lock: taken };
        }
        await this.#remove(taken, "freed", undefined, "another lock was taken at the same moment");
        return { kind: "held", lock: late };
      }
    } catch (error) {
      if (error instanceof LockTrouble) throw error;
      throw new LockTrouble(`${file}: ${error instanceof Error ? error.message : error}`);
    }
    throw new LockTrouble(`${file}: the lock changed ${ROUNDS} times while it was taken`);
  }

  /** The same, waiting until it is free. */
  async takeWithin(
    path: string,
    cwd: string,
    request: LockRequest,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<TakeResult> {
    const end = performance.now() + waitMs;
    // Only the first refusal is worth a line in the log.
    let result = await this.take(path, cwd, request);
    while (true) {
      const left = end - performance.now();
      if (result.kind !== "held" || left <= 0 || signal?.aborted) return result;
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, 100 + Math.random() * 200)));
      result = await this.#take(path, cwd, request);
    }
  }

  /**
   * Renews the session's locks that are past half of their lease; returns those
   * that it has lost, each time until `forget`.
   */
  renew(owner: Pick<LockOwner, "harness" | "session">, onRenew?: (lock: HeldLock) => void): HeldLock[] {
    const lost: HeldLock[] = [];
    for (const { lock } of this.#noted(owner)) {
      const current = this.dir.read(lock.file, lock.path, lock.scope);
      if (current?.token !== lock.token) lost.push(lock);
      else if (current.until - this.dir.now() < current.leaseMs / 2) {
        this.dir.stamp(lock.file);
        this.log("renewed", lock);
        onRenew?.(current);
      }
    }
    return lost;
  }

  /** The session knows that it has lost this lock. */
  forget(lock: HeldLock): void {
    remove(this.#note(lock, lock.file));
  }

  /** The session's locks that are live. */
  heldBy(owner: Pick<LockOwner, "harness" | "session">): HeldLock[] {
    return this.#noted(owner).flatMap(({ lock }) => {
      const current = this.dir.live(lock.file, lock.path, lock.scope);
      return current?.token === lock.token ? [current] : [];
    });
  }

  /** Frees the session's locks on a path; on all paths if none is given. */
  async free(
    owner: Pick<LockOwner, "harness" | "session">,
    which: { path?: string; cwd?: string; kind?: Lock["kind"] } = {},
  ): Promise<HeldLock[]> {
    const { path, kind } = which;
    const paths = path === undefined ? undefined : targetPath(path, which.cwd ?? "/").paths;
    const freed: HeldLock[] = [];
    for (const { lock, note } of this.#noted(owner)) {
      if (paths !== undefined && !paths.includes(lock.path)) continue;
      if (kind !== undefined && lock.kind !== kind) continue;
      if (await this.#remove(lock, "freed")) freed.push(lock);
      remove(note);
    }
    return freed;
  }

  /** Frees whatever covers a path, whoever holds it. */
  async force(path: string, cwd: string, by: LockOwner): Promise<HeldLock[]> {
    const target = targetPath(path, cwd);
    const removed: HeldLock[] = [];
    for (const real of target.paths) {
      for (const scope of ["file", "tree"] as const) {
        const lock = this.dir.read(this.dir.slot(real, scope, target.foldsCase), real, scope);
        if (lock !== undefined && await this.#remove(lock, "forced", by)) removed.push(lock);
      }
    }
    return removed;
  }

  /** Frees this lock, whoever holds it. False if it is gone, or another one is in its place. */
  async forceOne(lock: HeldLock, by: LockOwner): Promise<boolean> {
    return lock.token !== "" && await this.#remove(lock, "forced", by);
  }

  log(event: LockEvent, lock: Lock, by?: Pick<LockOwner, "harness" | "session">, detail?: string): void {
    appendLine(this.logPath, {
      at: new Date(this.dir.now()).toISOString(),
      event,
      path: lock.path,
      owner: ownerName(lock),
      by: by === undefined ? undefined : ownerName(by),
      agentId: lock.agentId || undefined,
      detail,
    });
  }

  /**
   * Notes a lock that a session on another machine has announced. Returns the lock
   * of somebody else that is in its way, which stays.
   */
  async adopt(announced: Lock): Promise<HeldLock | undefined> {
    const file = this.dir.slot(announced.path, announced.scope, targetPath(announced.path, "/").foldsCase);
    this.#prepare(announced, announced.scope);
    using _mutex = await this.#mutex(file);
    const current = this.dir.read(file, announced.path, announced.scope);
    if (current !== undefined && current.token !== announced.token && !this.dir.isDead(current)) {
      if (!isSameOwner(current, announced)) return current;
    }
    // The daemon gives the same messages again and again: only news renew a lease.
    const isOld = current?.token === announced.token &&
      (current.announced ?? 0) >= (announced.announced ?? 0);
    if (isOld) return undefined;
    const temporary = this.#write(announced);
    Deno.renameSync(temporary, file);
    return undefined;
  }

  /** The session on another machine has freed its lock. */
  async dismiss(announced: Pick<Lock, "path" | "scope" | "token">): Promise<void> {
    const file = this.dir.slot(announced.path, announced.scope, targetPath(announced.path, "/").foldsCase);
    const current = this.dir.read(file, announced.path, announced.scope);
    if (current?.token === announced.token) await this.#remove(current);
  }

  /** What to do with a slot that is not free. Undefined: it is free now. */
  async #settle(current: HeldLock, request: LockRequest): Promise<TakeResult | undefined> {
    const { owner, kind = "manual", intent, leaseMs } = request;
    if (this.dir.isDead(current)) {
      const event = current.until <= this.dir.now() ? "expired" : "broken";
      await this.#remove(current, event, owner);
      return undefined;
    }
    if (current.token === "" || !isSameOwner(current, owner)) return { kind: "held", lock: current };
    // An automatic lock becomes a manual one, and a manual one may get a new intent or lease.
    const wanted = leaseMs ?? current.leaseMs;
    const replace = kind === "manual" &&
      (current.kind === "auto" || wanted !== current.leaseMs ||
        (intent ?? current.intent) !== current.intent);
    if (replace) return await this.#replace(current, request);
    this.dir.stamp(current.file);
    return { kind: "renewed", lock: { ...current, until: this.dir.now() + current.leaseMs } };
  }

  #conflict(real: string, scope: LockScope, target: TargetPath, owner: LockOwner): HeldLock | undefined {
    const around = this.dir.treeHolder(real, target, owner);
    return around ?? (scope === "tree" ? this.dir.within(real, owner)[0] : undefined);
  }

  #draft(real: string, request: LockRequest): Lock {
    const { owner, scope = "file", kind = "manual", intent = "" } = request;
    return {
      v: 1,
      path: real,
      scope,
      kind,
      intent: intent.slice(0, MAX_INTENT),
      taken: this.dir.now(),
      leaseMs: Math.min(request.leaseMs ?? defaultLease(owner.harness), MAX_LEASE_MS),
      token: crypto.randomUUID(),
      agentId: owner.agentId,
      harness: owner.harness,
      session: owner.session,
      machine: owner.machine,
      caller: owner.caller,
      repo: request.repo,
      reach: request.reach ?? "machine",
    };
  }

  /** Puts a lock into a free slot; undefined if another process was faster. */
  #link(lock: Lock, file: string): HeldLock | undefined {
    const temporary = this.#write(lock);
    try {
      Deno.linkSync(temporary, file);
    } catch (error) {
      remove(temporary);
      if (error instanceof Deno.errors.AlreadyExists) return undefined;
      throw error;
    }
    try {
      Deno.renameSync(temporary, this.#note(lock, file));
    } catch (error) {
      // Without a note nobody would renew it or free it.
      remove(file);
      remove(temporary);
      throw error;
    }
    return { ...lock, file, until: lock.taken + lock.leaseMs };
  }

  /** Changes a lock of the same session, which is never free in between. Undefined: it was lost. */
  async #replace(current: HeldLock, request: LockRequest): Promise<TakeResult | undefined> {
    const { file } = current;
    using _mutex = await this.#mutex(file);
    if (this.dir.read(file, current.path, current.scope)?.token !== current.token) return undefined;
    const intent = request.intent ?? current.intent;
    const leaseMs = request.leaseMs ?? (current.kind === "auto" ? undefined : current.leaseMs);
    const lock = { ...this.#draft(current.path, { ...request, intent, leaseMs }), taken: current.taken };
    const temporary = this.#write(lock);
    Deno.linkSync(temporary, `${temporary}.new`);
    Deno.renameSync(`${temporary}.new`, file);
    Deno.renameSync(temporary, this.#note(lock, file));
    this.log("renewed", lock);
    return { kind: "renewed", lock: { ...lock, file, until: this.dir.now() + lock.leaseMs } };
  }

  #write(lock: Lock): string {
    const temporary = `${this.#notes(lock)}/.${unique()}${unique()}.tmp`;
    try {
      Deno.writeTextFileSync(temporary, JSON.stringify(lock), { createNew: true, mode: 0o600 });
    } catch (error) {
      // A full disk leaves the first part of it.
      remove(temporary);
      throw error;
    }
    this.dir.stamp(temporary);
    return temporary;
  }

  /** Removes a lock if it is still this one. Nothing is logged without an event. */
  async #remove(lock: HeldLock, event?: LockEvent, by?: LockOwner, detail?: string): Promise<boolean> {
    using _mutex = await this.#mutex(lock.file);
    const current = this.dir.read(lock.file, lock.path, lock.scope);
    if (current === undefined || current.token !== lock.token) return false;
    // Its owner may have renewed it since it was found dead.
    if ((event === "expired" || event === "broken") && !this.dir.isDead(current)) return false;
    // Not `remove`: an error must be seen, or the slot would be taken for free.
    Deno.removeSync(lock.file);
    if (event !== undefined) this.log(event, lock, by, detail);
    return true;
  }

  async #mutex(file: string): Promise<SlotMutex> {
    const mutex = await SlotMutex.wait(this.dir.path, file.slice(file.lastIndexOf("/") + 1));
    if (mutex !== undefined) return mutex;
    throw new LockTrouble(`${file}: another process keeps the directory busy`);
  }

  #note(lock: Lock, file: string): string {
    return `${this.#notes(lock)}/${lock.scope}-${file.slice(file.lastIndexOf("/") + 1)}`;
  }

  /** Each session has a list of its locks, so that renewing them does not read everybody's. */
  #notes({ harness, session }: Pick<LockOwner, "harness" | "session">): string {
    return `${this.dir.path}/held/${sessionName(harness, session)}`;
  }

  #noted(owner: Pick<LockOwner, "harness" | "session">): { lock: HeldLock; note: string }[] {
    const dir = this.#notes(owner);
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(dir)];
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw new LockTrouble(`${dir}: ${error instanceof Error ? error.message : error}`);
    }
    return entries.flatMap(({ name }) => {
      const [, scope, file] = name.match(/^(file|tree)-(.+\.json)$/) ?? [];
      if (file === undefined) return [];
      const note = `${dir}/${name}`;
      const kept = this.dir.read(note, "", scope === "tree" ? "tree" : "file");
      if (kept === undefined || !isSameOwner(kept, owner)) return [];
      const slot = `${scope === "tree" ? this.dir.trees : this.dir.path}/${file}`;
      return [{ lock: { ...kept, file: slot }, note }];
    });
  }

  #prepare(owner: LockOwner, scope: LockScope): void {
    if (!this.dir.exists()) ensureDir(this.dir.path);
    // Without this directory a check reads one file instead of one per directory.
    if (scope === "tree") ensureDir(this.dir.trees);
    ensureDir(this.#notes(owner));
  }
}

/** `codex abc123`: how a session is named in logs. */
export function ownerName({ harness, session }: Pick<LockOwner, "harness" | "session">): string {
  return harness === "" ? session : `${harness} ${session}`;
}

import { announce, lockMessage } from "../../../../hooks/agents/locks/announcement.ts";
import { type HeldLock, isSameOwner, type LockOwner } from "../../../../hooks/agents/locks/lock.ts";
import { LockTrouble } from "../../../../hooks/agents/locks/lock_dir.ts";
import { type LockRequest, Locks } from "../../../../hooks/agents/locks/locks.ts";
import { repositoryPath } from "../../../../hooks/agents/locks/targets/repository_path.ts";
import { sharedPath } from "../../../../hooks/agents/locks/targets/shared_path.ts";
import { targetPath } from "../../../../hooks/agents/locks/targets/target_path.ts";
import { ownerOf } from "../../../../hooks/agents/locks/tool_call.ts";
import { EXIT, UserError } from "../../cli/command.ts";
import type { LeaseAnswer, LeaseStore } from "./lease.ts";
import { pause } from "../pause.ts";
import type { Station } from "../station.ts";

export interface LockWish {
  readonly intent?: string;
  readonly leaseMs?: number;
  readonly tree?: boolean;
  /** In every clone of the repository, on every machine. */
  readonly shared?: boolean;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

export type LockAnswer =
  | { readonly kind: "taken"; readonly locks: readonly HeldLock[] }
  /** Nothing was taken. */
  | { readonly kind: "held"; readonly path: string; readonly lock: HeldLock };

/** Whoever acts, as the owner of locks. */
export function lockOwner({ caller, agentId, machine, mesh }: Station): LockOwner {
  if (caller.kind === "session") return ownerOf(caller.session);
  return { agentId, harness: mesh.person.harness, session: mesh.person.key, machine };
}

export function locksOf({ mesh }: Pick<Station, "mesh">): Locks {
  return new Locks(mesh.dir);
}

/** Takes locks on all of these paths, or on none. */
export async function takeLocks(
  station: Station,
  paths: readonly string[],
  wish: LockWish,
): Promise<LockAnswer> {
  const locks = locksOf(station);
  const owner = lockOwner(station);
  const taken: { lock: HeldLock; fresh: boolean; locks: Locks }[] = [];
  const end = performance.now() + (wish.waitMs ?? 0);
  // In one order for everybody: two sessions that want the same files do not wait for each other.
  const sorted = [...new Set(paths.map((path) => realOf(station, path)))].sort();
  const request: LockRequest = {
    owner,
    scope: wish.tree ? "tree" : "file",
    intent: wish.intent,
    leaseMs: wish.leaseMs,
  };
  for (const path of sorted) {
    const wanted: { locks: Locks; path: string; request: LockRequest }[] = [{ locks, path, request }];
    if (wish.shared) {
      const repo = await repositoryPath(path);
      if (repo === undefined) {
        await giveBack(owner, taken);
        throw new UserError(
          `${path} is in no git repository with a remote, which a shared lock needs. Nothing was locked.`,
          EXIT.usage,
        );
      }
      const reach = station.leases !== undefined
        ? "exact"
        : station.remote === undefined
        ? "machine"
        : "announced";
      wanted.push({ locks: locks.shared, path: sharedPath(repo), request: { ...request, repo, reach } });
    }
    for (const each of wanted) {
      const result = await guarded(() =>
        each.locks.takeWithin(each.path, "/", each.request, end - performance.now(), wish.signal)
      );
      if (result.kind === "held") {
        await giveBack(owner, taken);
        return { kind: "held", path, lock: result.lock };
      }
      taken.push({ lock: result.lock, fresh: result.kind === "taken", locks: each.locks });
      if (each.request.repo === undefined) continue;
      const rival = await leaseElsewhere(station, result.lock, end, wish.signal).catch(async (error) => {
        await giveBack(owner, taken);
        throw error;
      });
      if (rival !== undefined) {
        await giveBack(owner, taken);
        await rememberRival(station, rival);
        return { kind: "held", path, lock: rival };
      }
    }
  }
  for (const { lock } of taken) if (lock.repo !== undefined) await tellOthers(station, "take", lock);
  return {
    kind: "taken",
    locks: taken.filter(({ lock }) => lock.repo === undefined).map(({ lock }) => lock),
  };
}

/** Takes the lease of a shared lock; returns the lock of a session on another machine that has it. */
async function leaseElsewhere(
  { leases }: Station,
  lock: HeldLock,
  end: number,
  signal?: AbortSignal,
): Promise<HeldLock | undefined> {
  if (leases === undefined) return undefined;
  while (true) {
    const taken = await tryLease(leases, lock);
    if (taken.kind === "taken") return undefined;
    const left = end - performance.now();
    if (left <= 0 || signal?.aborted) {
      const { lock: other, until = other.taken + other.leaseMs } = taken;
      return { ...other, reach: "exact", file: lock.file, until };
    }
    await pause(Math.min(left, 300 + Math.random() * 300), signal);
  }
}

async function tryLease(leases: LeaseStore, lock: HeldLock): Promise<LeaseAnswer> {
  const { file: _file, until: _until, ...plain } = lock;
  try {
    return await leases.take(plain);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`A shared lock needs the server that keeps them. ${why} Nothing was locked.`);
  }
}

/** The hooks of this machine enforce the lock of another one, also if they missed its announcement. */
async function rememberRival(
  station: Station,
  { file: _file, until: _until, ...lock }: HeldLock,
): Promise<void> {
  if (station.mesh.sessions.get({ harness: lock.harness, key: lock.session }) !== undefined) return;
  await guarded(() => locksOf(station).shared.adopt({ ...lock, announced: Date.now() }));
}

async function giveBack(
  owner: LockOwner,
  taken: readonly { lock: HeldLock; fresh: boolean; locks: Locks }[],
) {
  for (const { lock, fresh, locks } of taken) if (fresh) await locks.free(owner, { path: lock.path });
}

/** Frees the caller's locks on these paths; on all without any. */
export async function freeLocks(station: Station, paths?: readonly string[]): Promise<HeldLock[]> {
  const locks = locksOf(station);
  const owner = lockOwner(station);
  const freed: HeldLock[] = [];
  for (const path of paths ?? [undefined]) {
    const real = path === undefined ? undefined : realOf(station, path);
    freed.push(...await guarded(() => locks.free(owner, { path: real })));
    const repo = real === undefined ? undefined : await repositoryPath(real);
    if (real !== undefined && repo === undefined) continue;
    const shared = await guarded(() => locks.shared.free(owner, { path: repo && sharedPath(repo) }));
    for (const lock of shared) await tellOthers(station, "free", lock);
  }
  return freed;
}

/** Frees other sessions' locks on these paths, and tells the sessions. */
export async function forceLocks(station: Station, paths: readonly string[]): Promise<HeldLock[]> {
  const locks = locksOf(station);
  const owner = lockOwner(station);
  const removed: HeldLock[] = [];
  for (const path of paths) {
    const real = realOf(station, path);
    removed.push(...await guarded(() => locks.force(real, "/", owner)));
    const repo = await repositoryPath(real);
    if (repo === undefined) continue;
    for (const lock of await guarded(() => locks.shared.force(sharedPath(repo), "/", owner))) {
      removed.push(lock);
      await tellOthers(station, "free", lock);
    }
  }
  for (const lock of removed) await tellOwner(station, lock);
  return removed;
}

/** Frees one lock, by its token, whoever holds it. Undefined if it was freed or taken by another meanwhile. */
export async function forceLock(station: Station, token: string): Promise<HeldLock | undefined> {
  const local = locksOf(station);
  const owner = lockOwner(station);
  for (const locks of [local, local.shared]) {
    const lock = await guarded(() => Promise.resolve(locks.dir.list().find((each) => each.token === token)));
    if (lock === undefined || !await guarded(() => locks.forceOne(lock, owner))) continue;
    if (lock.repo !== undefined) await tellOthers(station, "free", lock);
    if (!isSameOwner(lock, owner)) await tellOwner(station, lock);
    return lock;
  }
  return undefined;
}

async function tellOwner(station: Station, lock: HeldLock): Promise<void> {
  const session = station.mesh.sessions.get({ harness: lock.harness, key: lock.session });
  if (session === undefined) return;
  const path = lock.repo?.path ?? lock.path;
  const text = `${path}: your lock was removed by force. Read the file again before you edit it.`;
  await station.local.publish(lockMessage({ ...lockOwner(station), project: station.cwd }, session, text));
}

/** The lock of another session on a path, here or in another clone. */
export async function holderOf(station: Station, path: string): Promise<HeldLock | undefined> {
  const locks = locksOf(station);
  const owner = lockOwner(station);
  const real = realOf(station, path);
  const lock = await guarded(() => Promise.resolve(locks.dir.holder(targetPath(real, "/"), owner)));
  if (lock !== undefined) return lock;
  const repo = await repositoryPath(real);
  return repo && locks.shared.dir.holder(targetPath(sharedPath(repo), "/"), owner);
}

function realOf({ cwd }: Pick<Station, "cwd">, path: string): string {
  if (path === "" || path.includes("\0")) throw new UserError(`"${path}" is not a path.`, EXIT.usage);
  return targetPath(path, cwd).paths[0] ?? path;
}

async function tellOthers(station: Station, op: "take" | "free", lock: HeldLock): Promise<void> {
  const { remote, outbox, agentId, leases } = station;
  if (remote === undefined) {
    if (op === "free") await leases?.free(lock);
    return;
  }
  const message = announce(op, lock, station.cwd);
  const entry = { message, url: remote.url, agentId };
  const published = await remote.receiver.post(entry);
  if (published.kind === "failed" && published.code !== "later") outbox.drop(message.id);
}

async function guarded<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof LockTrouble)) throw error;
    throw new UserError(`The locks cannot be used: ${error.message}.`, EXIT.failed);
  }
}

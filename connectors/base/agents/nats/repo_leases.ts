import { isSameOwner, type Lock, parseLock } from "../../../../hooks/agents/locks/lock.ts";
import { isWithin } from "../../../../hooks/agents/locks/targets/target_path.ts";
import { isObject, parseObject } from "../../../../hooks/json.ts";
import { records } from "../../memory/daemon.ts";

/** A shared lock in the store, with its end by the server's clock. */
export interface Lease {
  readonly lock: Lock;
  readonly until: number;
}

/**
 * All leases of one repository are one value, so that a lock on a directory and one
 * on a file in it cannot be taken at the same moment either.
 */
export function parseLeases(text: string): Lease[] {
  return records(parseObject(text)?.leases).flatMap((entry) => {
    const lock = parseLock(JSON.stringify(isObject(entry.lock) ? entry.lock : {}));
    return lock === undefined || typeof entry.until !== "number" ? [] : [{ lock, until: entry.until }];
  });
}

export function leasesText(leases: readonly Lease[]): string {
  return JSON.stringify({ v: 1, leases });
}

/** The lease that keeps a session from taking a lock; undefined if it is free. */
export function blocking(leases: readonly Lease[], lock: Lock, now: number): Lease | undefined {
  return live(leases, now).find((lease) => !isSameOwner(lease.lock, lock) && overlaps(lease.lock, lock));
}

/** The leases with this one, and without those that have ended. */
export function withLease(leases: readonly Lease[], lock: Lock, now: number): Lease[] {
  // The process proves nothing on another machine.
  const { caller: _caller, ...shared } = lock;
  return [...withoutLease(leases, lock, now), { lock: shared, until: now + lock.leaseMs }];
}

/** The leases without the one of this session on this path, and without those that have ended. */
export function withoutLease(leases: readonly Lease[], lock: Lock, now: number): Lease[] {
  return live(leases, now).filter((lease) => !isSame(lease.lock, lock));
}

/** Whether the lease of this session is there and has not ended. */
export function holds(leases: readonly Lease[], lock: Lock, now: number): boolean {
  return live(leases, now).some((lease) => isSame(lease.lock, lock));
}

function live(leases: readonly Lease[], now: number): Lease[] {
  return leases.filter(({ until }) => until > now);
}

function isSame(a: Lock, b: Lock): boolean {
  return a.path === b.path && a.scope === b.scope && isSameOwner(a, b);
}

function overlaps(a: Lock, b: Lock): boolean {
  return a.path === b.path || (a.scope === "tree" && isWithin(b.path, a.path)) ||
    (b.scope === "tree" && isWithin(a.path, b.path));
}

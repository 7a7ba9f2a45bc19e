import { type Caller, parseCaller } from "../../state/caller.ts";
import { parseObject } from "../../json.ts";
import { isTime } from "../is_time.ts";

/** A session that can hold locks. Its subagents share its locks. */
export interface LockOwner {
  readonly agentId: string;
  /** `claude-code`; `person` for somebody at a command line. */
  readonly harness: string;
  readonly session: string;
  readonly machine: string;
  /** The harness's process: when it is gone, the lock is free. Absent where that proves nothing (Codex). */
  readonly caller?: Caller;
}

/** `file`: this path. `tree`: this directory and everything below it. */
export type LockScope = "file" | "tree";

/** `manual`: someone asked for it. `auto`: an edit took it. */
export type LockKind = "manual" | "auto";

/** How far a lock reaches: this machine's files, or the same file of a repository on other machines too. */
export type LockReach = "machine" | "announced" | "exact";

export interface Lock extends LockOwner {
  readonly v: 1;
  /** The real path, or the path in the repository for a lock of another machine. */
  readonly path: string;
  readonly scope: LockScope;
  readonly kind: LockKind;
  /** What the owner is doing; other people's text. */
  readonly intent: string;
  /** When it was taken, in ms since 1970. */
  readonly taken: number;
  /** How long it lasts after it was last renewed, in ms. The file's date is when that was. */
  readonly leaseMs: number;
  /** Tells this lock from a later one on the same path. */
  readonly token: string;
  /** The file in its repository, for a lock that other machines honour. */
  readonly repo?: { readonly remote: string; readonly path: string };
  readonly reach: LockReach;
  /** When the other machine last announced it, by its clock. */
  readonly announced?: number;
}

/** A lock as its file shows it. */
export interface HeldLock extends Lock {
  /** Its file. */
  readonly file: string;
  /** When it ends unless it is renewed, in ms since 1970. */
  readonly until: number;
}

export const LEASE_MS = 10 * 60_000;
/** Codex's processes prove nothing, so its locks end sooner by themselves. */
export const CODEX_LEASE_MS = 5 * 60_000;
export const AUTO_LEASE_MS = 2 * 60_000;
export const MAX_LEASE_MS = 24 * 3600_000;

/** Which lock lease a harness's session gets. */
export function defaultLease(harness: string): number {
  return harness === "codex" ? CODEX_LEASE_MS : LEASE_MS;
}

export function isSameOwner(a: Pick<LockOwner, "harness" | "session">, b: typeof a): boolean {
  return a.harness === b.harness && a.session === b.session;
}

export function parseLock(text: string): Lock | undefined {
  const fields = parseObject(text);
  if (fields === undefined || fields.v !== 1) return undefined;
  const { path, scope, kind, intent, taken, leaseMs, token, agentId, harness, session, machine, reach } =
    fields;
  if (typeof path !== "string" || path === "" || (scope !== "file" && scope !== "tree")) return undefined;
  if (typeof token !== "string" || token === "" || !isTime(taken)) return undefined;
  if (typeof leaseMs !== "number" || !(leaseMs > 0 && leaseMs <= MAX_LEASE_MS)) return undefined;
  if (typeof harness !== "string" || typeof session !== "string") return undefined;
  return {
    v: 1,
    path,
    scope,
    kind: kind === "auto" ? "auto" : "manual",
    intent: typeof intent === "string" ? intent : "",
    taken,
    leaseMs,
    token,
    agentId: typeof agentId === "string" ? agentId : "",
    harness,
    session,
    machine: typeof machine === "string" ? machine : "",
    caller: parseCaller(fields.caller),
    repo: parseRepo(fields.repo),
    reach: reach === "announced" || reach === "exact" ? reach : "machine",
    announced: typeof fields.announced === "number" ? fields.announced : undefined,
  };
}

function parseRepo(value: unknown): Lock["repo"] {
  if (typeof value !== "object" || value === null || !("remote" in value) || !("path" in value)) {
    return undefined;
  }
  const { remote, path } = value;
  return typeof remote === "string" && typeof path === "string" ? { remote, path } : undefined;
}

/** A file that cannot be read as a lock: somebody holds it, until it is ten minutes old. */
export function unreadableLock(path: string, scope: LockScope): Lock {
  return {
    v: 1,
    path,
    scope,
    kind: "manual",
    intent: "",
    taken: 0,
    leaseMs: LEASE_MS,
    token: "",
    agentId: "",
    harness: "",
    session: "unknown",
    machine: "",
    reach: "machine",
  };
}

/**
 * The name of a lock's file. Not SHA-256: without a native synchronous one, the
 * names for nine directories cost 1.5 ms of a hook. The file has the whole path,
 * so a collision is noticed.
 */
export function lockName(key: string): string {
  let forward = 0x811c9dc5;
  let backward = 0x811c9dc5;
  for (let i = 0, j = key.length - 1; j >= 0; i++, j--) {
    forward = Math.imul(forward ^ key.charCodeAt(i), 0x01000193);
    backward = Math.imul(backward ^ key.charCodeAt(j), 0x01000193);
  }
  const readable = key.slice(key.lastIndexOf("/") + 1).replace(/[^A-Za-z0-9._-]/g, "").slice(-40);
  return `${hex(forward)}${hex(backward)}-${readable}.json`;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

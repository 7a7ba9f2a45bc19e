import { AUTO_LEASE_MS, type HeldLock, type LockOwner } from "./lock.ts";
import type { LockMode } from "../config/lock_modes.ts";
import { lockReason, lostReason, troubleReason } from "./lock_reason.ts";
import { Locks } from "./locks.ts";
import { covers } from "./shell/covers.ts";
import type { ShellTarget } from "./shell/read_shell.ts";
import { sharedPath } from "./targets/shared_path.ts";
import { hasOtherNames, stat, targetPath } from "./targets/target_path.ts";
import { type ToolTable, type ToolTargets, toolTargets } from "./targets/tool_targets.ts";

export interface ToolCall {
  readonly tool: string;
  /** The tool's input, as the harness sends it. */
  readonly input: unknown;
  readonly cwd: string;
}

export type Verdict =
  /** `writes` is undefined for a tool that writes no files. */
  | { readonly kind: "allowed"; readonly writes?: ToolTargets; readonly trouble?: string }
  | { readonly kind: "denied"; readonly reason: string; readonly lock?: HeldLock };

const ALLOWED: Verdict = { kind: "allowed" };

/**
 * Whether a session may make a tool call, as far as other sessions' locks are
 * concerned. Our own failures allow it, except in the mode `strict`.
 */
export async function checkTool(
  locks: Locks,
  mode: LockMode,
  table: ToolTable,
  call: ToolCall,
  owner: LockOwner,
): Promise<Verdict> {
  if (mode === "off") return ALLOWED;
  let writes: ToolTargets | undefined;
  try {
    writes = await toolTargets(table, call.tool, call.input, call.cwd);
    if (writes === undefined) return ALLOWED;
    const lost = locks.renew(owner);
    const denied = firstHolder(locks, writes.targets, owner) ??
      await sharedHolder(locks, writes.targets, owner) ?? lostLock(locks, writes.targets, lost);
    if (denied !== undefined) return denied;
    if (mode === "auto") return await takeAll(locks, writes, call.cwd, owner);
    return { kind: "allowed", writes };
  } catch (error) {
    // A bug of ours counts as trouble, too: it must not decide by accident.
    const trouble = error instanceof Error ? error.message : String(error);
    if (mode === "strict") return { kind: "denied", reason: troubleReason(trouble) };
    return { kind: "allowed", writes, trouble };
  }
}

/** The first target that another session has locked. */
function firstHolder(locks: Locks, targets: readonly ShellTarget[], owner: LockOwner): Verdict | undefined {
  let others: HeldLock[] | undefined;
  for (const target of targets) {
    const real = targetPath(target.path, "/");
    const { paths } = real;
    let lock = target.pattern === undefined
      ? locks.dir.holder(real, owner)
      : paths.map((path) => locks.dir.treeHolder(path, real, owner)).find((found) => found !== undefined);
    if (lock === undefined && (target.tree || target.pattern !== undefined || hasOtherNames(paths))) {
      others ??= locks.dir.within("/", owner);
      lock = others.find((other) =>
        covers(target, paths, other.path) || isSameFile(other.path, target, paths)
      );
    }
    if (lock !== undefined) {
      locks.log("refused", lock, owner);
      return {
        kind: "denied",
        reason: lockReason(lock, lock.scope === "tree" ? paths[0] ?? "" : lock.path),
        lock,
      };
    }
  }
  return undefined;
}

/** The first target whose counterpart in another clone, here or on another machine, has a shared lock. */
async function sharedHolder(
  locks: Locks,
  targets: readonly ShellTarget[],
  owner: LockOwner,
): Promise<Verdict | undefined> {
  const { shared } = locks;
  if (!shared.dir.exists()) return undefined;
  const { repositoryPath } = await import("./targets/repository_path.ts");
  for (const target of targets) {
    for (const real of targetPath(target.path, "/").paths) {
      const repo = await repositoryPath(real);
      if (repo === undefined) continue;
      const path = sharedPath(repo);
      const whole = target.tree || target.pattern !== undefined;
      const lock = shared.dir.holder(targetPath(path, "/"), owner) ??
        (whole
          ? shared.dir.within("/", owner).find((other) => covers(target, [path], other.path))
          : undefined);
      if (lock !== undefined) {
        shared.log("refused", lock, owner);
        return { kind: "denied", reason: lockReason(lock, real), lock };
      }
    }
  }
  return undefined;
}

function isSameFile(locked: string, target: ShellTarget, paths: readonly string[]): boolean {
  if (target.tree || target.pattern !== undefined) return false;
  const one = stat(locked);
  return one?.isFile === true && one.ino !== null && paths.some((path) => {
    const other = stat(path);
    return other?.ino === one.ino && other?.dev === one.dev;
  });
}

/** The session thought that it held a lock on this: it learns that before it edits, once. */
function lostLock(
  locks: Locks,
  targets: readonly ShellTarget[],
  lost: readonly HeldLock[],
): Verdict | undefined {
  const hit = lost.find((lock) =>
    targets.some((target) => covers(target, targetPath(target.path, "/").paths, lock.path))
  );
  if (hit === undefined) return undefined;
  locks.forget(hit);
  return { kind: "denied", reason: lostReason(hit.path) };
}

/** An edit takes a lock on each file that it names; a directory would be too much. */
async function takeAll(locks: Locks, writes: ToolTargets, cwd: string, owner: LockOwner): Promise<Verdict> {
  for (const target of writes.targets) {
    if (target.tree || target.pattern !== undefined || stat(target.path)?.isDirectory) continue;
    const taken = await locks.take(target.path, cwd, { owner, kind: "auto", leaseMs: AUTO_LEASE_MS });
    if (taken.kind === "held") {
      return { kind: "denied", reason: lockReason(taken.lock, target.path), lock: taken.lock };
    }
  }
  return { kind: "allowed", writes };
}

import { isObject } from "../../json.ts";
import type { AgentCall, AgentOutcome } from "../call.ts";
import { handleOf } from "../sessions/handle.ts";
import { Inbox } from "../messages/inbox.ts";
import { outboxDir } from "../messages/receipt.ts";
import { type AgentSession, AgentSessions } from "../sessions/session.ts";
import { wake } from "../wake/wake.ts";
import { ensureDir, writeNote } from "../../state/state_file.ts";
import type { LockMode } from "../config/lock_modes.ts";
import { announce, lockMessage } from "./announcement.ts";
import { checkTool } from "./check_tool.ts";
import type { HeldLock, LockOwner } from "./lock.ts";
import { appendLine } from "./lock_log.ts";
import { Locks } from "./locks.ts";
import { notChecked } from "./not_checked.ts";
import { targetPath } from "./targets/target_path.ts";
import { toolTargets } from "./targets/tool_targets.ts";
import { LockWatch } from "./watch.ts";

export { receiveAnnouncement } from "./announcement.ts";

/** The session as the owner of locks. */
export function ownerOf(
  session: Pick<AgentSession, "agentId" | "harness" | "key" | "machine" | "caller">,
): LockOwner {
  const { agentId, harness, key, machine, caller } = session;
  return { agentId, harness, session: key, machine, caller };
}

/** Refuses a tool call that would write a file that another session has locked. */
export async function enforceLocks(call: AgentCall, mode: LockMode): Promise<AgentOutcome | undefined> {
  const { agents, dir, session, tool, input, profile } = call;
  if (tool === undefined || agents.tools === undefined) return undefined;
  const locks = new Locks(dir);
  const owner = ownerOf(session);
  const toolCall = { tool, input: input.tool_input, cwd: cwdOf(call) };
  const verdict = await checkTool(locks, mode, agents.tools, toolCall, owner);
  if (verdict.kind === "denied") {
    return { answer: { kind: "refuse", reason: verdict.reason }, outcome: "locked" };
  }
  let { trouble } = verdict;
  try {
    if (verdict.writes !== undefined && verdict.writes.unknown.length > 0) {
      new LockWatch(locks, owner).begin(callId(call));
    }
  } catch (error) {
    trouble ??= error instanceof Error ? error.message : String(error);
  }
  const answer = trouble === undefined ? undefined : notChecked(profile.id, session, trouble);
  return answer === undefined ? undefined : { answer, outcome: "locked" };
}

/** Records what a tool has written, and finds writes to files that others have locked. */
export function recordWrites(call: AgentCall): string | undefined {
  const { agents, dir, session, tool, input } = call;
  if (tool === undefined || agents.tools === undefined) return undefined;
  const locks = new Locks(dir);
  const owner = ownerOf(session);
  const lost = locks.renew(owner);
  const cwd = cwdOf(call);
  const writes = toolTargets(agents.tools, tool, input.tool_input, cwd);
  if (writes === undefined) return undefined;
  const now = locks.dir.now();
  for (const target of writes.targets) {
    if (target.tree || target.pattern !== undefined) continue;
    const [path = target.path] = targetPath(target.path, "/").paths;
    // A shell line may have done nothing; an editing tool that fails has no such hook.
    if (writes.isShell && !changedLately(path, now)) continue;
    appendLine(locks.changesPath, {
      at: new Date(now).toISOString(),
      path,
      harness: owner.harness,
      session: owner.session,
      agentId: owner.agentId,
      tool,
    });
  }
  const texts: string[] = [];
  for (const lock of writes.unknown.length > 0 ? new LockWatch(locks, owner).end(callId(call)) : []) {
    locks.log("violated", lock, owner, tool);
    tellOwner(call, lock);
    texts.push(
      `This tool call changed ${lock.path}, which ${
        handleOf({ harness: lock.harness, key: lock.session })
      } has ` +
        "locked. They were notified. Do not write to it again; tell the user what was changed, or restore it.",
    );
  }
  for (const lock of lost) {
    locks.forget(lock);
    texts.push(`Your lock on ${lock.path} has ended. Read the file again before you edit it.`);
  }
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** An older file was not written by this call, unless the call took longer than harnesses let it. */
const RECENT_MS = 60_000;

function changedLately(path: string, now: number): boolean {
  try {
    return now - (Deno.statSync(path).mtime?.getTime() ?? 0) < RECENT_MS;
  } catch {
    return false;
  }
}

/** Frees what a turn, or the whole session, has locked. Never throws. */
export async function freeLocks(
  dir: string,
  session: AgentSession,
  which: "turn" | "session",
): Promise<void> {
  try {
    const locks = new Locks(dir);
    const owner = ownerOf(session);
    new LockWatch(locks, owner).clear();
    if (which === "turn") return void await locks.free(owner, { kind: "auto" });
    await locks.free(owner);
    for (const lock of await locks.shared.free(owner)) leaveForDaemon(dir, session, "free", lock);
  } catch {
    // The leases end by themselves.
  }
}

/** Renews the leases of a session that is alive. Never throws. */
export function renewLocks(dir: string, session: AgentSession): void {
  try {
    const locks = new Locks(dir);
    locks.renew(ownerOf(session));
    locks.shared.renew(ownerOf(session), (lock) => leaveForDaemon(dir, session, "take", lock));
  } catch {
    // The next hook tries again.
  }
}

/** Leaves a warning in the session's own inbox: its next hook with a reader shows it. */
export function leaveWarning({ dir, session }: AgentCall, warning: string): void {
  try {
    const message = lockMessage({ ...ownerOf(session), project: session.project }, session, warning);
    new Inbox(dir).put(session, message);
  } catch {
    // The disk is full; the audit log may have it.
  }
}

/** A hook calls no daemon for this: the session's MCP server, or the next command, sends it. */
function leaveForDaemon(dir: string, session: AgentSession, op: "take" | "free", lock: HeldLock): void {
  const message = announce(op, lock, session.project);
  ensureDir(outboxDir(dir));
  writeNote(`${outboxDir(dir)}/${message.id}.json`, JSON.stringify(message));
}

/** A message to the session whose locked file was changed. */
function tellOwner({ dir, session, tool }: AgentCall, lock: HeldLock): void {
  try {
    const owner = new AgentSessions(dir).get({ harness: lock.harness, key: lock.session });
    if (owner === undefined) return;
    const text =
      `A ${tool ?? "tool"} call of ${handleOf(session)} changed ${lock.path}, which you have locked. ` +
      "Read it again before you go on.";
    const message = lockMessage({ ...ownerOf(session), project: session.project }, owner, text);
    new Inbox(dir).put(owner, message);
    wake(new AgentSessions(dir).get(owner) ?? owner, message);
  } catch {
    // It is in the audit log.
  }
}

function cwdOf({ input, session }: AgentCall): string {
  return typeof input.cwd === "string" && input.cwd !== "" ? input.cwd : session.project;
}

/** What is the same before and after a tool call. */
function callId({ input, tool }: AgentCall): string {
  const id = input.tool_use_id ?? input.tool_call_id ?? input.call_id;
  if (typeof id === "string" && id !== "") return id;
  return `${tool} ${JSON.stringify(isObject(input.tool_input) ? input.tool_input : {})}`;
}

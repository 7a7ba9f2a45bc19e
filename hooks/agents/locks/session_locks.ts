import "./common.ts";
import { ensureDir, writeNote } from "../../state/state_file.ts";
import { outboxDir } from "../messages/receipt.ts";
import type { AgentSession } from "../sessions/session.ts";
import { announce } from "./announcement.ts";
import type { HeldLock } from "./lock.ts";
import { Locks } from "./locks.ts";
import { ownerOf } from "./tool_call.ts";
import { LockWatch } from "./watch.ts";

export { receiveAnnouncement } from "./announcement.ts";

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

/** A hook calls no daemon for this: the session's MCP server, or the next command, sends it. */
function leaveForDaemon(dir: string, session: AgentSession, op: "take" | "free", lock: HeldLock): void {
  const message = announce(op, lock, session.project);
  ensureDir(outboxDir(dir));
  writeNote(`${outboxDir(dir)}/${message.id}.json`, JSON.stringify(message));
}

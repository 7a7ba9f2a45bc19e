import { isSharedPath } from "../../../../hooks/agents/locks/targets/shared_path.ts";
import { inboxOwner } from "../../../base/agents/messages/message_state.ts";
import type { BoardLock } from "../../../base/agents/board/board.ts";

/** For how long somebody had a lock on a file. Times are in ms since 1970. */
export interface LockBar {
  readonly path: string;
  readonly holder: string;
  /** The holder's session. */
  readonly key: string;
  readonly from: number;
  /** For a lock that is held, the end of its lease. */
  readonly to: number;
  /** The lock, if it is still held. */
  readonly token?: string;
  /** How it ended: `freed`, `expired`, `broken`, `forced`. */
  readonly end?: string;
}

/** More would not be seen. */
const MOST = 400;
const ENDS = ["freed", "expired", "broken", "forced"];

/**
 * The locks over time: those that are held, and those that the lines of locks.jsonl tell of. A lock whose
 * end was never written lasted until the last line that names it.
 */
export function lockBars(lines: readonly Record<string, unknown>[], held: readonly BoardLock[]): LockBar[] {
  const open = new Map<string, { from: number; to: number; owner: string; path: string }>();
  const past: LockBar[] = [];
  const close = (key: string, end?: string) => {
    const bar = open.get(key);
    if (bar === undefined) return;
    open.delete(key);
    const { path, from, to } = bar;
    past.push({ path, ...nameOf(bar.owner), from, to, end });
  };
  for (const { at: time, event, path, owner } of lines) {
    const at = typeof time === "string" ? Date.parse(time) : NaN;
    if (Number.isNaN(at) || typeof path !== "string" || typeof owner !== "string") continue;
    // The lock on the file of this machine has lines too.
    if (isSharedPath(path)) continue;
    const key = `${owner}\n${path}`;
    if (event === "taken") {
      close(key);
      open.set(key, { from: at, to: at, owner, path });
      continue;
    }
    const bar = open.get(key);
    if (bar === undefined || event === "refused") continue;
    bar.to = Math.max(bar.to, at);
    if (typeof event === "string" && ENDS.includes(event)) close(key, event);
  }
  for (const lock of held) open.delete(`${lock.harness} ${lock.session}\n${lock.path}`);
  for (const key of [...open.keys()]) close(key);
  const current = held.map(({ path, holder, session, since, until, token }) => {
    return { path, holder, key: session, from: since, to: until, token };
  });
  return [...past.sort((a, b) => a.from - b.from).slice(-MOST), ...current];
}

/** `codex 019a…` as the log has it. */
function nameOf(owner: string): { holder: string; key: string } {
  const space = owner.indexOf(" ");
  const [harness, session] = [owner.slice(0, space), owner.slice(space + 1)];
  return { holder: inboxOwner({ harness, session }), key: session };
}

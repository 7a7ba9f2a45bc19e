import { hasLostProgram, LiveSessions } from "../state/live_sessions.ts";
import { lastSweepMs } from "./sweep_state.ts";

/** How often a hook starts a sweep. A start is the moment when a killed session matters. */
const AT_START_MS = 5_000;
const ELSE_MS = 10 * 60 * 1000;

/**
 * Whether it is time to look for sessions without an end; costs a stat, and seldom a directory listing.
 * A start that follows a sweep closely reads the sessions' files: a program that ran during that sweep,
 * such as the previous `qwen -p` of a script, may be gone now.
 */
export function isSweepDue(
  stateDir: string,
  session: { url: string; agentId: string; key: string },
  atStart: boolean,
  now = Date.now(),
): boolean {
  const live = new LiveSessions(stateDir);
  const sinceMs = lastSweepMs(stateDir, now) ?? Infinity;
  if (sinceMs > (atStart ? AT_START_MS : ELSE_MS)) return live.hasOthers(session);
  return atStart && live.list().some(hasLostProgram);
}

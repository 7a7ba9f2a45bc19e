import { LiveSessions } from "../state/live_sessions.ts";
import { lastSweepMs } from "./sweep_state.ts";

/** How often a hook starts a sweep. A start is the moment when a killed session matters. */
const AT_START_MS = 5_000;
const ELSE_MS = 10 * 60 * 1000;

/** Whether it is time to look for sessions without an end; costs a stat, and seldom a directory listing. */
export function isSweepDue(
  stateDir: string,
  session: { url: string; agentId: string; key: string },
  atStart: boolean,
  now = Date.now(),
): boolean {
  if ((lastSweepMs(stateDir, now) ?? Infinity) <= (atStart ? AT_START_MS : ELSE_MS)) return false;
  return new LiveSessions(stateDir).hasOthers(session);
}

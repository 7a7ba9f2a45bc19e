import type { Run } from "../../run.ts";
import { findCaller } from "../../state/caller.ts";
import { HOST } from "../../state/paths.ts";
import { machineName } from "../machine.ts";
import type { AgentSession, AgentSessions } from "./session.ts";
import { findTerminal, ttyOf } from "./terminal.ts";

/** Writes down a session that begins. */
export function beginSession(
  sessions: AgentSessions,
  { event, profile, settings }: Run,
  key: string,
  root: string,
): AgentSession {
  const shared = profile.sharesEnvironment === true;
  const caller = shared ? undefined : findCaller();
  return sessions.begin({
    key,
    harness: profile.id,
    agentId: settings.agentId,
    url: settings.url,
    project: event.cwd,
    root,
    machine: machineName(settings),
    // The environment and the process may be those of another window.
    terminal: shared ? undefined : findTerminal(HOST.env),
    caller,
    tty: caller === undefined ? undefined : ttyOf(caller.pid),
    wake: profile.agents?.wake(HOST.env) ?? "none",
  });
}

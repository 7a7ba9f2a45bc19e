import type { HookProfile } from "../profile.ts";
import type { AgentAnswer } from "./answer.ts";
import type { LockMode } from "./config/lock_modes.ts";
import type { AgentProfile } from "./profile.ts";
import { type AgentSession, AgentSessions } from "./sessions/session.ts";

/** One call of a hook of the mesh. */
export interface AgentCall {
  readonly profile: HookProfile;
  readonly agents: AgentProfile;
  /** The directory of the mesh. */
  readonly dir: string;
  readonly sessions: AgentSessions;
  /** The session as its file has it, or what is known of one that has no file. */
  readonly session: AgentSession;
  readonly hasFile: boolean;
  /** What the harness wrote to stdin. */
  readonly input: Record<string, unknown>;
  /** The tool that is about to run, or has run. */
  readonly tool?: string;
  /** Known before a tool runs. */
  readonly lockMode?: LockMode;
  /** The call comes from a sub-agent, which has the session of its parent. */
  readonly isSubagent: boolean;
}

/** The result of such a call. */
export interface AgentOutcome {
  readonly answer: AgentAnswer;
  /** For the log; most calls have nothing to log. */
  readonly outcome?: string;
  /** Called once the answer was printed. */
  readonly confirm?: () => void;
}

export const NOTHING: AgentOutcome = { answer: { kind: "nothing" } };

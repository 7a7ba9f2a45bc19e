/** The moments in a session that Signet knows, in its own words. */
export type EventName =
  | "session-start"
  | "user-prompt-submit"
  | "session-end"
  | "pre-compaction"
  | "compaction-complete"
  | "checkpoint";

export const EVENT_NAMES: readonly EventName[] = [
  "session-start",
  "user-prompt-submit",
  "session-end",
  "pre-compaction",
  "compaction-complete",
  "checkpoint",
];

/** What a harness told us, whatever words it used. */
export interface HookEvent {
  event: EventName;
  /** The harness's own id of the session; absent if it gave none. */
  sessionKey?: string;
  cwd: string;
  prompt?: string;
  lastAssistant?: string;
  transcriptPath?: string;
  transcript?: string;
  reason?: string;
  /** Why a session started: startup, resume, clear, compact. */
  source?: string;
  /** What set off a compaction: auto, manual. */
  trigger?: string;
  /** The text a compaction left behind. */
  summary?: string;
  messageCount?: number;
  /** A sub-agent's parent session. */
  parentSessionKey?: string;
  /** The harness's own id of a sub-agent: not a Signet agent id, never a scope. */
  harnessAgentId?: string;
  /** The event's name as the harness spells it; some want it echoed. */
  nativeName?: string;
}

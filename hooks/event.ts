/** The moments in a session that Signet knows, in its own words. */
export type EventName =
  | "session-start"
  | "user-prompt-submit"
  | "session-end"
  | "pre-compaction"
  | "compaction-complete"
  | "checkpoint";

/** Every event, in the order of a session. */
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
  /** What happened. */
  event: EventName;
  /** The harness's own id of the session; absent if it gave none. */
  sessionKey?: string;
  /** Where the session runs. */
  cwd: string;
  /** What the user wrote. */
  prompt?: string;
  /** What the agent said before it. */
  lastAssistant?: string;
  /** Where the conversation is on disk. */
  transcriptPath?: string;
  /** The conversation itself, where the harness hands it over. */
  transcript?: string;
  /** Why a session ended. */
  reason?: string;
  /** Why a session started: startup, resume, clear, compact. */
  source?: string;
  /** What set off a compaction: auto, manual. */
  trigger?: string;
  /** The text a compaction left behind. */
  summary?: string;
  /** How many messages are about to be summed up. */
  messageCount?: number;
  /** A sub-agent's parent session. */
  parentSessionKey?: string;
  /** The harness's own id of a sub-agent: not a Signet agent id, never a scope. */
  harnessAgentId?: string;
  /** The event's name as the harness spells it; some want it echoed. */
  nativeName?: string;
}

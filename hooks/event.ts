/** Signet's names for the events of a session. */
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

/** Whether this is an event of a session; hook.log has other lines too. */
export function isEventName(name: string): name is EventName {
  return EVENT_NAMES.some((event) => event === name);
}

/** A harness's event in a common form. */
export interface HookEvent {
  /** What happened. */
  event: EventName;
  /** The harness's session id, if it sent one. */
  sessionKey?: string;
  /** Where the session runs. */
  cwd: string;
  /** What the user wrote. */
  prompt?: string;
  /** The agent's previous message. */
  lastAssistant?: string;
  /** Where the conversation is on disk. */
  transcriptPath?: string;
  /** The conversation itself, if the harness sends it. */
  transcript?: string;
  /** Why a session ended. */
  reason?: string;
  /** Why a session started: startup, resume, clear, compact. */
  source?: string;
  /** What triggered a compaction: auto, manual. */
  trigger?: string;
  /** The text a compaction left behind. */
  summary?: string;
  /** How many messages will be summarised. */
  messageCount?: number;
  /** A sub-agent's parent session. */
  parentSessionKey?: string;
  /** The harness's id of a sub-agent. Not a Signet agent id, and never a scope. */
  harnessAgentId?: string;
  /** The event's name as the harness spells it; some expect it in the output. */
  nativeName?: string;
}

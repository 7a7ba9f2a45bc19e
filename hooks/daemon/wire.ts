/**
 * What goes over the wire, in the daemon's own words. Every answer's field is
 * optional: versions differ, and a guarded or bypassed call answers with less.
 */

/** What is known of the project that a session runs in. */
export interface ProjectFacts {
  /** Where the session runs. */
  cwd: string;
  /** The repository's remote, without credentials: what a project is known by across machines. */
  gitRemote?: string;
  /** The repository's root. */
  gitRoot?: string;
  /** Of the repository's root. */
  fingerprint?: string;
}

/** Who calls, and from where; the same object on every call. */
export interface RequestContext {
  /** The harness's id. */
  harness: string;
  /** This installation. */
  connectorId?: string;
  /** Whose memory it is. */
  agentId: string;
  /** The machine, by its name. */
  machineId?: string;
  /** The session, as the harness names it. */
  sessionKey?: string;
  /** The workspace's declared name. */
  workspace?: string;
  /** What is known of the project. */
  project?: ProjectFacts;
}

/** What every hook call carries. */
export interface HookCall {
  /** The session, as the harness names it. */
  sessionKey?: string;
  /** Who calls, and from where. */
  requestContext?: RequestContext;
}

/** A session starts. */
export interface SessionStartRequest extends HookCall {
  /** The project's path. */
  project?: string;
  /** Why it starts: startup, resume, clear, compact. */
  source?: string;
  /** What the session is about, where the harness says so. */
  context?: string;
  /** The harness's own name for a sub-agent. */
  harnessAgentId?: string;
  /** The session that started this one. */
  parentSessionKey?: string;
  /** Take the session for this path, and answer with no text. */
  claimOnly?: boolean;
}

/** A memory, as a session start lists it. */
export interface MemoryNote {
  /** The memory's id. */
  id: string;
  /** What is remembered. */
  content: string;
  /** The kind: fact, preference, decision, … */
  type?: string;
  /** From 0 to 1. */
  importance?: number;
  /** When it was stored, in ISO 8601. */
  created_at?: string;
}

/** What the agent should know from the start. */
export interface SessionStartAnswer {
  /** The text for the model; empty where there is nothing to say. */
  inject?: string;
  /** Who the agent is. */
  identity?: { name?: string; description?: string };
  /** The memories that the text was made from. */
  memories?: MemoryNote[];
  /** What was last talked about. */
  recentContext?: string;
  /** What the daemon wants people to know. */
  warnings?: string[];
  /** True if the user switched Signet off for this session. */
  bypassed?: boolean;
  /** True if the daemon had a reason to do nothing, such as a throw-away project. */
  skipped?: boolean;
  /** True if it had started before: the answer is then a short stub. */
  sessionKnown?: boolean;
  /** The part of the text that stays the same over a session. */
  stableSystemPrompt?: string;
  /** The part of the text that changes. */
  dynamicContext?: string;
}

/** The user has written something. */
export interface UserPromptSubmitRequest extends HookCall {
  /** The project's path. */
  project?: string;
  /** What the user wrote. */
  userMessage: string;
  /** What the agent said before it. */
  lastAssistantMessage?: string;
  /** The conversation itself; the daemon may be on another machine. */
  transcript?: string;
  /** Where the conversation is on the connector's machine. */
  transcriptPath?: string;
}

/** What is known about what the user wrote. */
export interface UserPromptSubmitAnswer {
  /** The text for the model; empty where there is nothing to say. */
  inject?: string;
  /** The same text, under its newer name. */
  dynamicContext?: string;
  /** How many memories the text holds. */
  memoryCount?: number;
  /** What was searched for. */
  queryTerms?: string;
  /** What searched. */
  engine?: string;
  /** False if the daemon has not seen this session start. */
  sessionKnown?: boolean;
  /** True if the daemon had a reason to do nothing, such as a throw-away project. */
  skipped?: boolean;
  /** True if the user switched Signet off for this session. */
  bypassed?: boolean;
  /** True if another path, such as a plugin, serves this session already. */
  duplicateRuntimePath?: boolean;
  /** The path that serves the session. */
  claimedBy?: string;
  /** What the daemon wants people to know. */
  warnings?: string[];
}

/** A session is over. */
export interface SessionEndRequest extends HookCall {
  /** The project: this route reads `cwd`, not `project`. */
  cwd?: string;
  /** Why it ended, in the words of the harness. */
  reason?: string;
  /** The conversation itself; the daemon may be on another machine. */
  transcript?: string;
  /** Where the conversation is on the connector's machine. */
  transcriptPath?: string;
  /** ISO 8601; newer daemons refuse anything else. */
  capturedAt?: string;
}

/** What became of the conversation. */
export interface SessionEndAnswer {
  /** How many memories came of it at once. */
  memoriesSaved?: number;
  /** True if it was taken up to be worked on later. */
  queued?: boolean;
  /** The job that will read it. */
  jobId?: string;
  /** True if the daemon had a reason to do nothing, such as a throw-away project. */
  skipped?: boolean;
  /** True if this end was known already. */
  duplicateSessionEnd?: boolean;
  /** True if another path, such as a plugin, serves this session already. */
  duplicateRuntimePath?: boolean;
}

/** The conversation is about to be summed up. */
export interface PreCompactionRequest extends HookCall {
  /** The project's path. */
  project?: string;
  /** What the session is about. */
  sessionContext?: string;
  /** How many messages are about to be summed up. */
  messageCount?: number;
  /** Where the conversation is on the connector's machine. */
  transcriptPath?: string;
}

/** How it should be summed up. */
export interface PreCompactionAnswer {
  /** How to sum up, as a prompt. */
  summaryPrompt?: string;
  /** What a summary should keep. */
  guidelines?: string;
  /** The same, in an older daemon. */
  instructions?: string;
  /** True if the daemon had a reason to do nothing, such as a throw-away project. */
  skipped?: boolean;
  /** True if the user switched Signet off for this session. */
  bypassed?: boolean;
}

/** The conversation was summed up. */
export interface CompactionCompleteRequest extends HookCall {
  /** The project's path. */
  project?: string;
  /** What the harness made of the conversation. */
  summary: string;
}

/** What became of the summary. */
export interface CompactionCompleteAnswer {
  /** Whether the summary was kept. */
  success?: boolean;
  /** The memory that holds it. */
  memoryId?: string | null;
  /** How often this session was compacted. */
  contextEpoch?: number;
  /** True if the daemon had a reason to do nothing, such as a throw-away project. */
  skipped?: boolean;
}

/** A long session, so far. */
export interface CheckpointRequest extends HookCall {
  /** The session, as the harness names it. */
  sessionKey: string;
  /** The project's path. */
  project?: string;
  /** The conversation itself; the daemon may be on another machine. */
  transcript?: string;
  /** Where the conversation is on the connector's machine. */
  transcriptPath?: string;
}

/** What becomes of it. */
export interface CheckpointAnswer {
  /** True if it was taken up to be worked on later. */
  queued?: boolean;
  /** The job that will read it. */
  jobId?: string;
  /** True if the daemon had a reason to do nothing, such as a throw-away project. */
  skipped?: boolean;
}

/** Something to remember. */
export interface HookRememberRequest extends HookCall {
  /** What to remember. */
  content: string;
  /** Who says it. */
  who?: string;
  /** The project's path. */
  project?: string;
  /** The same on every try, so that it is stored once. */
  idempotencyKey?: string;
}

/** A answers `{saved, id}`, B as `/api/memory/remember` does; long content comes back chunked, without an id. */
export interface HookRememberAnswer {
  /** The memory's id. */
  id?: string;
  /** Whether it was stored (A). */
  saved?: boolean;
  /** Whether it was stored (B). */
  success?: boolean;
  /** True if it was known already. */
  deduped?: boolean;
  /** True if it was cut into pieces. */
  chunked?: boolean;
  /** How many pieces. */
  chunk_count?: number;
  /** The pieces' ids. */
  ids?: string[];
  /** True if the user switched Signet off for this session. */
  bypassed?: boolean;
}

/** Something to look for. */
export interface HookRecallRequest extends HookCall {
  /** What to look for. */
  query: string;
  /** The project's path. */
  project?: string;
  /** At most this many. */
  limit?: number;
}

/** A memory that was found. */
export interface RecallResult {
  /** The memory's id. */
  id: string;
  /** What is remembered. */
  content: string;
  /** How well it fits, from 0 to 1. */
  score?: number;
  /** The kind: fact, preference, decision, … */
  type?: string;
  /** Its tags, as a list or separated by commas. */
  tags?: string | string[] | null;
  /** From 0 to 1. */
  importance?: number;
  /** When it was stored, in ISO 8601. */
  created_at?: string;
}

/** What was found. */
export interface HookRecallAnswer {
  /** The memories, best first. */
  results?: RecallResult[];
  /** How many there are. */
  count?: number;
  /** What was looked for. */
  query?: string;
  /** How it was looked for. */
  method?: string;
  /** Words for a person, where nothing was found. */
  message?: string;
}

/** Where each hook call goes. */
export const HOOK_PATHS = {
  "session-start": "/api/hooks/session-start",
  "user-prompt-submit": "/api/hooks/user-prompt-submit",
  "session-end": "/api/hooks/session-end",
  "pre-compaction": "/api/hooks/pre-compaction",
  "compaction-complete": "/api/hooks/compaction-complete",
  "checkpoint": "/api/hooks/session-checkpoint-extract",
  "remember": "/api/hooks/remember",
  "recall": "/api/hooks/recall",
} as const;

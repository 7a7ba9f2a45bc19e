/**
 * The requests and answers of the daemon, with its field names. Every field of an
 * answer is optional: versions differ, and a skipped call has fewer fields.
 */

/** The project that a session runs in. */
export interface ProjectFacts {
  /** Where the session runs. */
  cwd: string;
  /** The repository's remote, without credentials. It identifies a project across machines. */
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
  /** The agent whose memory is used. */
  agentId: string;
  /** The machine, by its name. */
  machineId?: string;
  /** The session, as the harness names it. */
  sessionKey?: string;
  /** The workspace's declared name. */
  workspace?: string;
  /** The project. */
  project?: ProjectFacts;
}

/** The fields of every hook call. */
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
  /** What the session is about, if the harness sends it. */
  context?: string;
  /** The harness's id of a sub-agent. */
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
  /** The text of the memory. */
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
  /** The topic of recent sessions. */
  recentContext?: string;
  /** Warnings for the user. */
  warnings?: string[];
  /** True if the user switched Signet off for this session. */
  bypassed?: boolean;
  /** True if the daemon had a reason to do nothing, such as a temporary project. */
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
  /** The agent's previous message. */
  lastAssistantMessage?: string;
  /** The conversation itself; the daemon may be on another machine. */
  transcript?: string;
  /** Where the conversation is on the connector's machine. */
  transcriptPath?: string;
}

/** What the daemon knows about the user's prompt. */
export interface UserPromptSubmitAnswer {
  /** The text for the model; empty where there is nothing to say. */
  inject?: string;
  /** The same text, under its newer name. */
  dynamicContext?: string;
  /** How many memories the text holds. */
  memoryCount?: number;
  /** The search terms. */
  queryTerms?: string;
  /** The search engine. */
  engine?: string;
  /** False if the daemon has not seen this session start. */
  sessionKnown?: boolean;
  /** True if the daemon had a reason to do nothing, such as a temporary project. */
  skipped?: boolean;
  /** True if the user switched Signet off for this session. */
  bypassed?: boolean;
  /** True if another path, such as a plugin, serves this session already. */
  duplicateRuntimePath?: boolean;
  /** The path that serves the session. */
  claimedBy?: string;
  /** Warnings for the user. */
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

/** The answer to a session end. */
export interface SessionEndAnswer {
  /** How many memories came of it at once. */
  memoriesSaved?: number;
  /** True if it was queued for later processing. */
  queued?: boolean;
  /** The job that will read it. */
  jobId?: string;
  /** True if the daemon had a reason to do nothing, such as a temporary project. */
  skipped?: boolean;
  /** True if this end was reported before. */
  duplicateSessionEnd?: boolean;
  /** True if another path, such as a plugin, serves this session already. */
  duplicateRuntimePath?: boolean;
}

/** The conversation is about to be summarised. */
export interface PreCompactionRequest extends HookCall {
  /** The project's path. */
  project?: string;
  /** What the session is about. */
  sessionContext?: string;
  /** How many messages will be summarised. */
  messageCount?: number;
  /** Where the conversation is on the connector's machine. */
  transcriptPath?: string;
}

/** How to summarise it. */
export interface PreCompactionAnswer {
  /** The prompt for the summary. */
  summaryPrompt?: string;
  /** What a summary should keep. */
  guidelines?: string;
  /** The same, in an older daemon. */
  instructions?: string;
  /** True if the daemon had a reason to do nothing, such as a temporary project. */
  skipped?: boolean;
  /** True if the user switched Signet off for this session. */
  bypassed?: boolean;
}

/** The conversation was summarised. */
export interface CompactionCompleteRequest extends HookCall {
  /** The project's path. */
  project?: string;
  /** The harness's summary. */
  summary: string;
}

/** The answer to a summary. */
export interface CompactionCompleteAnswer {
  /** Whether the summary was kept. */
  success?: boolean;
  /** The memory that holds it. */
  memoryId?: string | null;
  /** How often this session was compacted. */
  contextEpoch?: number;
  /** True if the daemon had a reason to do nothing, such as a temporary project. */
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

/** The answer to a checkpoint. */
export interface CheckpointAnswer {
  /** True if it was queued for later processing. */
  queued?: boolean;
  /** The job that will read it. */
  jobId?: string;
  /** True if the daemon had a reason to do nothing, such as a temporary project. */
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
  /** True if it was stored before. */
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
  /** The query. */
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
  /** The text of the memory. */
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

/** The search results. */
export interface HookRecallAnswer {
  /** The memories, best first. */
  results?: RecallResult[];
  /** How many there are. */
  count?: number;
  /** The query that was used. */
  query?: string;
  /** The search method. */
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

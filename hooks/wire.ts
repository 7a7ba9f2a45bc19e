/**
 * What goes over the wire, in the daemon's own words. Every answer's field is
 * optional: versions differ, and a guarded or bypassed call answers with less.
 */

export interface ProjectFacts {
  cwd: string;
  gitRemote?: string;
  gitRoot?: string;
  /** Of the repository's root. */
  fingerprint?: string;
}

/** Who calls, and from where; the same object on every call. */
export interface RequestContext {
  harness: string;
  connectorId?: string;
  agentId: string;
  machineId?: string;
  sessionKey?: string;
  workspace?: string;
  project?: ProjectFacts;
}

interface Hook {
  sessionKey?: string;
  requestContext?: RequestContext;
}

export interface SessionStartRequest extends Hook {
  project?: string;
  source?: string;
  context?: string;
  harnessAgentId?: string;
  parentSessionKey?: string;
  claimOnly?: boolean;
}

export interface MemoryNote {
  id: string;
  content: string;
  type?: string;
  importance?: number;
  created_at?: string;
}

export interface SessionStartAnswer {
  inject?: string;
  identity?: { name?: string; description?: string };
  memories?: MemoryNote[];
  recentContext?: string;
  warnings?: string[];
  bypassed?: boolean;
  skipped?: boolean;
  sessionKnown?: boolean;
  stableSystemPrompt?: string;
  dynamicContext?: string;
}

export interface UserPromptSubmitRequest extends Hook {
  project?: string;
  userMessage: string;
  lastAssistantMessage?: string;
  transcript?: string;
  transcriptPath?: string;
}

export interface UserPromptSubmitAnswer {
  inject?: string;
  dynamicContext?: string;
  memoryCount?: number;
  queryTerms?: string;
  engine?: string;
  sessionKnown?: boolean;
  skipped?: boolean;
  bypassed?: boolean;
  duplicateRuntimePath?: boolean;
  claimedBy?: string;
  warnings?: string[];
}

export interface SessionEndRequest extends Hook {
  /** The project: this route reads `cwd`, not `project`. */
  cwd?: string;
  reason?: string;
  transcript?: string;
  transcriptPath?: string;
  /** ISO 8601; newer daemons refuse anything else. */
  capturedAt?: string;
}

export interface SessionEndAnswer {
  memoriesSaved?: number;
  queued?: boolean;
  jobId?: string;
  skipped?: boolean;
  duplicateSessionEnd?: boolean;
  duplicateRuntimePath?: boolean;
}

export interface PreCompactionRequest extends Hook {
  project?: string;
  sessionContext?: string;
  messageCount?: number;
  transcriptPath?: string;
}

export interface PreCompactionAnswer {
  summaryPrompt?: string;
  guidelines?: string;
  instructions?: string;
  skipped?: boolean;
  bypassed?: boolean;
}

export interface CompactionCompleteRequest extends Hook {
  project?: string;
  summary: string;
}

export interface CompactionCompleteAnswer {
  success?: boolean;
  memoryId?: string | null;
  contextEpoch?: number;
  skipped?: boolean;
}

export interface CheckpointRequest extends Hook {
  sessionKey: string;
  project?: string;
  transcript?: string;
  transcriptPath?: string;
}

export interface CheckpointAnswer {
  queued?: boolean;
  jobId?: string;
  skipped?: boolean;
}

export interface HookRememberRequest extends Hook {
  content: string;
  who?: string;
  project?: string;
  idempotencyKey?: string;
}

/** A answers `{saved, id}`, B as `/api/memory/remember` does; long content comes back chunked, without an id. */
export interface HookRememberAnswer {
  id?: string;
  saved?: boolean;
  success?: boolean;
  deduped?: boolean;
  chunked?: boolean;
  chunk_count?: number;
  ids?: string[];
  bypassed?: boolean;
}

export interface HookRecallRequest extends Hook {
  query: string;
  project?: string;
  limit?: number;
}

export interface RecallResult {
  id: string;
  content: string;
  score?: number;
  type?: string;
  tags?: string | string[] | null;
  importance?: number;
  created_at?: string;
}

export interface HookRecallAnswer {
  results?: RecallResult[];
  count?: number;
  query?: string;
  method?: string;
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

import type { JsonObject } from "../json.ts";
import type { Memory } from "../store/memory.ts";
import type { SearchResult } from "../store/memories.ts";

/** How a daemon stores memories and shows them. */
export interface MemoryRules {
  /** Longer content is stored in several memories. */
  readonly chunkOver: number;
  /** Whether `idempotencyKey` is read. */
  readonly idempotency: boolean;
  /** Whether the same content in another project is another memory. */
  readonly oncePerProject: boolean;
  /** Whether `tags` may be a list; if not, a list is 500. */
  readonly tagLists: boolean;
  /** What GET /api/memories shows. Where it shows every agent's memories, it names no agent. */
  readonly lists: "what the caller may read" | "every agent's" | "every agent's, forgotten ones too";
  /** Whether the recall hook finds memories without a project in every project. */
  readonly recallHookFindsAny: boolean;
  /** Whether GET /api/memory/search exists. */
  readonly search: boolean;
  /** Whether the remember and recall hooks answer in 0.58's short form. */
  readonly shortHooks: boolean;
  /** The answer to a stored memory. */
  readonly remembered: (full: JsonObject) => JsonObject;
  readonly showMemory: (memory: Memory) => JsonObject;
  readonly showResult: (memory: SearchResult) => JsonObject;
}

/** Longer content is truncated in results; content_length has the full length. */
const CONTENT_CHARS = 500;

function resultContent({ content }: Memory): JsonObject {
  return {
    content: content.slice(0, CONTENT_CHARS),
    content_length: content.length,
    truncated: content.length > CONTENT_CHARS,
    source: "keyword",
  };
}

function realMemory(memory: Memory): JsonObject {
  const { id, content, type, importance, tags, who, source_id, source_type, project } = memory;
  return {
    id,
    content,
    type,
    importance,
    tags,
    pinned: memory.pinned ? 1 : 0,
    who,
    source_id,
    source_type,
    project,
    session_id: null,
    confidence: 1,
    access_count: 0,
    last_accessed: null,
    is_deleted: 0,
    deleted_at: null,
    extraction_status: "none",
    embedding_model: null,
    version: memory.version,
    created_at: memory.created_at,
    updated_at: memory.updated_at,
    updated_by: who,
  };
}

function realResult(memory: SearchResult): JsonObject {
  const { id, score, type, tags, pinned, importance, who, project, created_at } = memory;
  return { id, ...resultContent(memory), score, type, tags, pinned, importance, who, project, created_at };
}

/** A row of GET /api/memories in both real versions: it names no agent. */
export function unnamedRow(memory: Memory): JsonObject {
  const { id, content, created_at, who, importance, tags, source_type, type } = memory;
  return {
    id,
    content,
    created_at,
    who,
    importance,
    tags,
    source_type,
    pinned: memory.pinned ? 1 : 0,
    type,
  };
}

export const MEMORY_DESIGN: MemoryRules = {
  chunkOver: 800,
  idempotency: true,
  oncePerProject: false,
  tagLists: true,
  lists: "what the caller may read",
  recallHookFindsAny: true,
  search: true,
  shortHooks: false,
  remembered: (full) => full,
  showMemory: (memory) => ({ ...memory }),
  showResult: ({ version: _version, deleted_at: _deleted, ...memory }) => ({
    ...memory,
    ...resultContent({ version: _version, deleted_at: _deleted, ...memory }),
  }),
};

export const MEMORY_0_145: MemoryRules = {
  ...MEMORY_DESIGN,
  oncePerProject: true,
  lists: "every agent's",
  recallHookFindsAny: false,
  search: false,
  showMemory: realMemory,
  showResult: (memory) => ({
    ...realResult(memory),
    visibility: memory.visibility,
    scope: memory.scope,
  }),
};

export const MEMORY_0_58: MemoryRules = {
  chunkOver: 500,
  idempotency: false,
  oncePerProject: false,
  tagLists: false,
  lists: "every agent's, forgotten ones too",
  recallHookFindsAny: false,
  search: false,
  shortHooks: true,
  remembered: ({ entities_linked: _linked, hints_written: _hints, structured: _structured, ...rest }) => rest,
  showMemory: realMemory,
  showResult: realResult,
};

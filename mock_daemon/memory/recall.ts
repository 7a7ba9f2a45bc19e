import { type JsonObject, number, text } from "../json.ts";
import { readTags } from "./remember.ts";
import { type Call, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import type { Filter } from "../store/memory.ts";
import type { SearchResult } from "../store/memories.ts";

/** Longer content is truncated in results; content_length has the full length. */
const CONTENT_CHARS = 500;

export function readFilter(body: JsonObject): Filter {
  return {
    type: text(body.type),
    tags: readTags(body.tags) ?? undefined,
    who: text(body.who),
    pinned: typeof body.pinned === "boolean" ? body.pinned : undefined,
    importanceMin: number(body.importance_min),
    since: text(body.since),
    until: text(body.until),
    project: text(body.project),
    scope: text(body.scope),
    limit: number(body.limit),
    offset: number(body.offset),
  };
}

function toResult(memory: SearchResult): JsonObject {
  const { content, version: _version, deleted_at: _deleted, ...rest } = memory;
  return {
    ...rest,
    content: content.slice(0, CONTENT_CHARS),
    content_length: content.length,
    truncated: content.length > CONTENT_CHARS,
    source: "keyword",
  };
}

/** Searches memories. With a session key, memories already given to that session are left out. */
export function recall(state: State, call: Call, body: JsonObject, query: string): JsonObject {
  const key = text(body.sessionKey);
  const seen = key === undefined ? undefined : state.sessions.recalled(call.agentId, key);
  const found = state.memories.search(text(body.keywordQuery) ?? query, readerOf(call), {
    ...readFilter(body),
    exclude: body.includeRecalled === true ? undefined : seen,
  });
  for (const { id } of found) seen?.add(id);
  const results = found.map(toResult);
  const meta = { totalReturned: results.length, hasSupplementary: false, noHits: results.length === 0 };
  return { results, query, method: "keyword", meta };
}

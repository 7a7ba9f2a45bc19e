import { type JsonObject, number, text } from "../json.ts";
import { readTags } from "./remember.ts";
import { type Call, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import type { Filter } from "../store/memory.ts";

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

/** Searches memories. With a session key, memories already given to that session are left out. */
export function recall(
  state: State,
  call: Call,
  body: JsonObject,
  query: string,
  onlyProject = false,
): JsonObject {
  const key = text(body.sessionKey);
  const seen = key === undefined ? undefined : state.sessions.recalled(call.agentId, key);
  const found = state.memories.search(text(body.keywordQuery) ?? query, readerOf(call), {
    ...readFilter(body),
    onlyProject,
    exclude: body.includeRecalled === true ? undefined : seen,
  });
  for (const { id } of found) seen?.add(id);
  const results = found.map(state.profile.memory.showResult);
  const meta = { totalReturned: results.length, hasSupplementary: false, noHits: results.length === 0 };
  // 0.58 answers no meta.
  const rest = state.profile.memory.shortHooks ? {} : { meta };
  return { results, query, method: results.length === 0 ? "hybrid" : "keyword", ...rest };
}

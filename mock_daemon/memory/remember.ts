import { isObject, type JsonObject, number, text } from "../json.ts";
import type { Call } from "../http/call.ts";
import type { State } from "../state.ts";
import { CHUNK_CHARS, chunks, type NewMemory, readPrefix, VISIBILITIES } from "../store/memory.ts";

/** Accepts tags as a string, a list or null; returns them comma-separated, like the real daemon. */
export function readTags(value: unknown): string | null {
  const list = Array.isArray(value)
    ? value.filter((tag) => typeof tag === "string")
    : (text(value) ?? "").split(",");
  const tags = list.map((tag) => tag.trim()).filter((tag) => tag !== "");
  return tags.length === 0 ? null : tags.join(",");
}

/** The entity names in `structured.entities`, given as strings or as objects. */
function declaredEntities(body: JsonObject): string[] {
  const listed = isObject(body.structured) && Array.isArray(body.structured.entities)
    ? body.structured.entities
    : [];
  return listed
    .flatMap((entity) =>
      isObject(entity) ? [text(entity.name), text(entity.source), text(entity.target)] : [text(entity)]
    )
    .filter((name) => name !== undefined);
}

/** Handles the body of `/api/memory/remember` and of the remember hook. */
export function remember(state: State, call: Call, body: JsonObject, raw: string): JsonObject {
  const { content, critical, tags } = readPrefix(raw);
  const memory: NewMemory = {
    content: content === "" ? raw.trim() : content,
    agentId: call.agentId,
    tags: readTags([...(readTags(body.tags)?.split(",") ?? []), ...tags]),
    pinned: critical || body.pinned === true,
    importance: critical ? 1 : Math.min(1, Math.max(0, number(body.importance) ?? 0.8)),
    who: text(body.who),
    project: text(body.project),
    scope: text(body.scope),
    visibility: VISIBILITIES.find((known) => known === body.visibility),
    sourceType: text(body.sourceType),
    sourceId: text(body.sourceId),
    idempotencyKey: text(body.idempotencyKey),
    createdAt: isoDate(body.createdAt),
    entities: declaredEntities(body),
  };
  if (memory.content.length > CHUNK_CHARS) return rememberInChunks(state, memory);
  const { memory: stored, deduped, entities } = state.memories.add(memory);
  const hints = Array.isArray(body.hints) ? body.hints.length : 0;
  return {
    id: stored.id,
    type: stored.type,
    tags: stored.tags,
    pinned: stored.pinned,
    importance: stored.importance,
    content: stored.content,
    // No embedding model runs here.
    embedded: false,
    entities_linked: entities.length,
    hints_written: deduped ? 0 : hints,
    ...(deduped ? { deduped: true } : {}),
  };
}

function rememberInChunks(state: State, memory: NewMemory): JsonObject {
  const group = crypto.randomUUID();
  const added = state.store.atomically(() =>
    chunks(memory.content).map((content, index) =>
      state.memories.add({
        ...memory,
        content,
        idempotencyKey: memory.idempotencyKey === undefined ? undefined : `${memory.idempotencyKey}#${index}`,
        sourceId: memory.sourceId ?? group,
      })
    )
  );
  const ids = added.map(({ memory: { id } }) => id);
  const deduped = added.every((result) => result.deduped) ? { deduped: true } : {};
  return { chunked: true, chunk_count: ids.length, ids, group_id: group, ...deduped };
}

function isoDate(value: unknown): string | undefined {
  const at = Date.parse(text(value) ?? "");
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

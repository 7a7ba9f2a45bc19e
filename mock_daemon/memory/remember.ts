import { isObject, type JsonObject, number, text } from "../json.ts";
import type { Call } from "../http/call.ts";
import type { State } from "../state.ts";
import { chunks, type NewMemory, readPrefix, VISIBILITIES } from "../store/memory.ts";

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
  const { memory: rules, access } = state.profile;
  const { content, critical, tags } = readPrefix(raw);
  const memory: NewMemory = {
    content: content === "" ? raw.trim() : content,
    agentId: call.agentId,
    tags: readTags([...(readTags(body.tags)?.split(",") ?? []), ...tags]),
    pinned: critical || body.pinned === true,
    importance: critical ? 1 : Math.min(1, Math.max(0, number(body.importance) ?? 0.8)),
    who: text(body.who) ?? "daemon",
    project: text(body.project),
    scope: text(body.scope),
    visibility: access.agents ? VISIBILITIES.find((known) => known === body.visibility) : undefined,
    sourceType: text(body.sourceType),
    sourceId: text(body.sourceId),
    idempotencyKey: rules.idempotency ? text(body.idempotencyKey) : undefined,
    createdAt: isoDate(body.createdAt),
    entities: declaredEntities(body),
  };
  if (memory.content.length > rules.chunkOver) return rememberInChunks(state, memory);
  const { memory: stored, deduped, entities } = state.memories.add(memory);
  const { id, type, pinned, importance } = stored;
  const answer = { id, type, tags: stored.tags, pinned, importance, content: stored.content };
  if (deduped) return { ...answer, tags: stored.tags ?? "", embedded: true, deduped };
  const linked = linkAttributes(state, body, memory.agentId, id);
  return rules.remembered({
    ...answer,
    // No embedding model runs here.
    embedded: false,
    entities_linked: linked + entities.length,
    hints_written: Array.isArray(body.hints) ? body.hints.length : 0,
    structured: isObject(body.structured),
  });
}

/** Stores what `structured.aspects` says of entities. Returns how many entities that were. */
function linkAttributes(state: State, body: JsonObject, agentId: string, memoryId: string): number {
  const aspects = isObject(body.structured) && Array.isArray(body.structured.aspects)
    ? body.structured.aspects.filter(isObject)
    : [];
  const labels = new Set<string>();
  for (const aspect of aspects) {
    const label = text(aspect.entityName);
    if (label === undefined) continue;
    labels.add(label);
    const attributes = Array.isArray(aspect.attributes) ? aspect.attributes.filter(isObject) : [];
    for (const attribute of attributes) {
      const keys = [text(attribute.groupKey), text(attribute.claimKey)].filter((key) => key !== undefined);
      state.attributes.add(agentId, {
        label,
        type: text(aspect.entityType) ?? "unknown",
        path: keys.length === 0 ? "" : [text(aspect.aspect) ?? "general", ...keys].join(" / "),
        content: text(attribute.content) ?? "",
        memoryId,
      });
    }
  }
  return labels.size;
}

function rememberInChunks(state: State, memory: NewMemory): JsonObject {
  const group = crypto.randomUUID();
  const added = state.store.atomically(() =>
    chunks(memory.content, state.profile.memory.chunkOver).map((content, index) =>
      state.memories.add({
        ...memory,
        content,
        idempotencyKey: memory.idempotencyKey === undefined ? undefined : `${memory.idempotencyKey}#${index}`,
        sourceType: "chunk",
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

import { isObject, number, text } from "../json.ts";
import { readTags } from "../memory/remember.ts";
import { type Call, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import type { Memory } from "../store/memory.ts";

interface Change {
  readonly id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** A memory that this caller may write: seen, and its own. */
function writable(state: State, call: Call, id: string): Memory | Change {
  const known = state.memories.find(id);
  if (known?.deleted_at) return { id, status: "already_deleted", error: "Memory is already deleted" };
  const found = state.memories.get(id, readerOf(call));
  if (found === undefined) return { id, status: "not_found", error: "Memory not found" };
  // What another agent shares may be read, not rewritten, by a key that is bound to its agent.
  if (
    call.principal.key !== undefined && call.principal.key.role !== "admin" && found.agent_id !== call.agentId
  ) {
    return { id, status: "forbidden", error: `scope restricted to agent '${call.agentId}'` };
  }
  return found;
}

function versions(old: Memory, now: Memory) {
  return { currentVersion: old.version, newVersion: now.version };
}

export function change(state: State, call: Call, patch: unknown, reason: string | undefined): Change {
  const fields = isObject(patch) ? patch : {};
  const id = text(fields.id) ?? "";
  if (id === "") return { id, status: "invalid", error: "id is required" };
  if ((text(fields.reason) ?? reason) === undefined) {
    return { id, status: "invalid", error: "reason is required" };
  }
  const found = writable(state, call, id);
  if ("status" in found) return found;
  const expected = number(fields.if_version);
  if (expected !== undefined && expected !== found.version) {
    return { id, status: "version_conflict", currentVersion: found.version };
  }
  const importance = number(fields.importance);
  const wanted = {
    content: text(fields.content),
    type: text(fields.type),
    tags: fields.tags === undefined ? undefined : readTags(fields.tags),
    importance: importance === undefined ? undefined : Math.min(1, Math.max(0, importance)),
    pinned: typeof fields.pinned === "boolean" ? fields.pinned : undefined,
  };
  if (Object.values(wanted).every((value) => value === undefined)) {
    return { id, status: "no_changes", error: "no changes provided" };
  }
  const now = state.memories.update(id, wanted);
  return {
    id,
    status: "updated",
    ...versions(found, now),
    contentChanged: now.content !== found.content,
    embedded: false,
  };
}

export function drop(
  state: State,
  call: Call,
  id: string,
  force: boolean,
  version: number | undefined,
): Change {
  const found = writable(state, call, id);
  if ("status" in found) return found;
  if (version !== undefined && version !== found.version) {
    return { id, status: "version_conflict", currentVersion: found.version };
  }
  if (found.pinned && !force) {
    return { id, status: "pinned_requires_force", error: "Pinned memory requires force=true" };
  }
  return { id, status: "deleted", ...versions(found, state.memories.forget(id)) };
}

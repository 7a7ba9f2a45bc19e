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

/** Returns a memory that the caller may change, or why it may not. */
function writable(state: State, call: Call, id: string): Memory | Change {
  const known = state.memories.find(id);
  if (known?.deleted_at) return { id, status: "already_deleted", currentVersion: known.version };
  const memory = state.memories.get(id, readerOf(call));
  if (memory === undefined) return { id, status: "not_found", error: "Not found" };
  // A key that is bound to its agent may read what other agents share, but not change it.
  if (
    state.profile.access.ownMemoriesOnly && call.principal.key !== undefined &&
    call.principal.key.role !== "admin" &&
    memory.agent_id !== call.agentId
  ) {
    return { id, status: "forbidden", error: `scope restricted to agent '${call.agentId}'` };
  }
  return memory;
}

function versions(old: Memory, now: Memory) {
  return { currentVersion: old.version, newVersion: now.version };
}

export function change(state: State, call: Call, patch: unknown, reason: string | undefined): Change {
  const fields = isObject(patch) ? patch : {};
  const id = text(fields.id) ?? "";
  if (id === "") return { id, status: "invalid_request", error: "id is required" };
  if ((text(fields.reason) ?? reason) === undefined) {
    return { id, status: "invalid_request", error: "reason is required" };
  }
  const memory = writable(state, call, id);
  if ("status" in memory) return memory;
  const expected = number(fields.if_version);
  if (expected !== undefined && expected !== memory.version) {
    return { id, status: "version_conflict", currentVersion: memory.version, error: "Version conflict" };
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
    return {
      id,
      status: "invalid_request",
      error: "at least one of content, type, tags, importance, pinned is required",
    };
  }
  if (
    wanted.content === memory.content &&
    Object.values(wanted).filter((value) => value !== undefined).length === 1
  ) {
    return { id, status: "no_changes", currentVersion: memory.version };
  }
  const now = state.memories.update(id, wanted);
  return {
    id,
    status: "updated",
    ...versions(memory, now),
    contentChanged: now.content !== memory.content,
  };
}

export function drop(
  state: State,
  call: Call,
  id: string,
  force: boolean,
  version: number | undefined,
): Change {
  const memory = writable(state, call, id);
  if ("status" in memory) return memory;
  if (version !== undefined && version !== memory.version) {
    return { id, status: "version_conflict", currentVersion: memory.version, error: "Version conflict" };
  }
  if (memory.pinned && !force) {
    return {
      id,
      status: "pinned_requires_force",
      currentVersion: memory.version,
      error: "Pinned memories require force=true",
    };
  }
  return { id, status: "deleted", ...versions(memory, state.memories.forget(id)) };
}

import { isObject } from "../json.ts";
import type { SpoolKind } from "./spool.ts";

/**
 * Whether an answer with status 200 is the daemon's confirmation of this kind of
 * event. A captive portal or another program on the same port may answer 200 with
 * JSON too; an event that counted as delivered because of that would be lost.
 */
export function acknowledged(kind: SpoolKind, body: unknown): boolean {
  if (!isObject(body)) return false;
  switch (kind) {
    case "session-end":
      return typeof body.memoriesSaved === "number";
    case "compaction-complete":
      return body.success === true;
    case "remember":
      // 0.58's hook route answers `saved`; a long text comes back as `ids`, without an `id`.
      return hasId(body.id) || body.saved === true || body.bypassed === true ||
        (Array.isArray(body.ids) && body.ids.some(hasId));
  }
}

function hasId(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

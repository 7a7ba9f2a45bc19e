import { same, type WireRow } from "./wire_row.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

function invalid(fact: string, path: string, body: unknown, error: string, method?: string): WireRow {
  return {
    fact,
    call: (run) => run.send({ path, method, body, ...(body === "{" ? { raw: "{" } : {}) }),
    expect: same(400, { error }, `400 {"error":"${error}"}`),
  };
}

/** What the memory routes answer to input that changes nothing. */
export const MEMORY_INPUT_ROWS: readonly WireRow[] = [
  invalid("remember needs content", "/api/memory/remember", { content: " " }, "content is required"),
  invalid("remember needs JSON", "/api/memory/remember", "{", "Invalid JSON body"),
  invalid("recall needs a query", "/api/memory/recall", {}, "query is required"),
  invalid("recall needs JSON", "/api/memory/recall", "{", "Invalid JSON body"),
  invalid("modify needs patches", "/api/memory/modify", {}, "patches[] is required"),
  invalid(
    "feedback needs a session and ratings",
    "/api/memory/feedback",
    {},
    "sessionKey and feedback required",
  ),
  invalid(
    "feedback needs numbers",
    "/api/memory/feedback",
    { sessionKey: "x", feedback: { x: "good" } },
    "Invalid feedback format — expected map of ID to number (-1 to 1)",
  ),
  invalid(
    "forget needs a selection",
    "/api/memory/forget",
    {},
    "query, ids, or at least one filter (type/tags/who/source_type/since/until) is required",
  ),
  invalid(
    "PATCH needs a reason",
    `/api/memory/${UNKNOWN}`,
    { content: "x" },
    "reason is required",
    "PATCH",
  ),
  {
    fact: "an unknown memory is 404",
    call: (run) => run.send({ path: `/api/memory/${UNKNOWN}` }),
    expect: same(404, { error: "not found" }, '404 {"error":"not found"}'),
  },
  {
    fact: "DELETE of an unknown memory is 404",
    call: (run) => run.send({ path: `/api/memory/${UNKNOWN}?reason=x`, method: "DELETE" }),
    expect: same(
      404,
      { status: "not_found", error: "Not found" },
      '404 {…,"status":"not_found","error":"Not found"}',
    ),
  },
];

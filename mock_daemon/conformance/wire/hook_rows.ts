import { ABSENT } from "../holds.ts";
import { type Expected, NO_ROUTE, older, same, type WireRow } from "./wire_row.ts";

const HOOKS = [
  "session-start",
  "user-prompt-submit",
  "session-end",
  "pre-compaction",
  "compaction-complete",
  "remember",
  "recall",
];

const failure = (hook: string) =>
  hook === "compaction-complete" ? "Failed to save summary" : "Hook execution failed";

/** The smallest rejected body of each hook, and the message. */
const REQUIRED: readonly (readonly [string, string])[] = [
  ["session-start", "harness is required"],
  ["user-prompt-submit", "harness and userMessage or userPrompt are required"],
  ["session-end", "harness is required"],
  ["pre-compaction", "harness is required"],
  ["compaction-complete", "harness and summary are required"],
  ["remember", "harness and content are required"],
  ["recall", "harness and query are required"],
];

const NO_OPS: readonly (readonly [string, unknown, string])[] = [
  ["session-start", { inject: "", memories: [], identity: ABSENT }, '{"inject":"","memories":[]}'],
  ["user-prompt-submit", { inject: "", memoryCount: 0 }, '{"inject":"","memoryCount":0}'],
  ["session-end", { memoriesSaved: 0, queued: ABSENT }, '{"memoriesSaved":0}'],
  ["remember", { success: true, memories: [] }, '{"success":true,"memories":[]}'],
];

function checkpoint(fact: string, raw: string, headers: Record<string, string>, now: Expected): WireRow {
  return {
    fact,
    call: (run) => run.send({ path: "/api/hooks/session-checkpoint-extract", raw, headers }),
    expect: older(now, NO_ROUTE),
  };
}

/** What hooks answer to input that changes nothing. */
export const HOOK_ROWS: readonly WireRow[] = [
  ...HOOKS.map((name): WireRow => ({
    fact: `malformed JSON on /api/hooks/${name} is 500`,
    call: (run) => run.send({ path: `/api/hooks/${name}`, raw: "{" }),
    expect: same(500, { error: failure(name) }, `500 {"error":"${failure(name)}"}`),
  })),
  ...REQUIRED.map(([name, error]): WireRow => ({
    fact: `/api/hooks/${name} without its fields is 400`,
    call: (run) => run.send({ path: `/api/hooks/${name}`, body: {} }),
    expect: same(400, { error }, `400 {"error":"${error}"}`),
  })),
  ...NO_OPS.map(([name, answer, seen]): WireRow => ({
    fact: `x-signet-no-hooks makes ${name} a no-op before the body is parsed`,
    call: (run) => run.send({ path: `/api/hooks/${name}`, raw: "{", headers: { "x-signet-no-hooks": "1" } }),
    expect: same(200, answer, `200 ${seen}`),
  })),
  {
    fact: "x-signet-no-hooks makes recall a no-op",
    call: (run) => run.send({ path: "/api/hooks/recall", raw: "{", headers: { "x-signet-no-hooks": "1" } }),
    expect: older({
      status: 200,
      answer: { results: [], memories: [], count: 0, method: "hybrid", internal: true },
      seen: '200 {"results":[],"memories":[],"count":0,"query":"","method":"hybrid",…,"internal":true}',
    }, {
      status: 200,
      answer: { memories: [], count: 0, results: ABSENT },
      seen: '200 {"memories":[],"count":0}',
    }),
  },
  checkpoint("a checkpoint needs a session key", "{}", {}, {
    status: 400,
    answer: { error: "harness and sessionKey are required" },
    seen: '400 {"error":"harness and sessionKey are required"}',
  }),
  checkpoint("x-signet-no-hooks makes a checkpoint a no-op", "{", { "x-signet-no-hooks": "1" }, {
    status: 200,
    answer: { skipped: true },
    seen: '200 {"skipped":true}',
  }),
];

import { ABSENT, hook, type Row } from "./row.ts";

/** The names of all hook routes. */
export const HOOKS = [
  "session-start",
  "user-prompt-submit",
  "session-end",
  "pre-compaction",
  "compaction-complete",
  "remember",
  "recall",
  "session-checkpoint-extract",
];

/** Rules for every route, request headers, and the health routes. */
export const COMMON: readonly Row[] = [
  ...HOOKS.map((name): Row => ({
    fact: `malformed JSON on /api/hooks/${name} is 500`,
    request: { path: `/api/hooks/${name}`, raw: "{" },
    status: 500,
    answer: { error: name === "compaction-complete" ? "Failed to save summary" : "Hook execution failed" },
  })),
  ...["remember", "recall"].map((name): Row => ({
    fact: `malformed JSON on /api/memory/${name} is 400`,
    request: { path: `/api/memory/${name}`, raw: "{" },
    status: 400,
    answer: { error: "Invalid JSON body" },
  })),
  {
    fact: "hook routes ignore Content-Type",
    request: { path: "/api/hooks/session-start", body: hook(), headers: { "content-type": "text/plain" } },
    status: 200,
  },
  {
    fact: "an unknown path is 404 in plain text",
    request: { path: "/api/nothing/here" },
    status: 404,
    answer: "404 Not Found",
    headers: { "content-type": /^text\/plain/ },
  },
  {
    fact: "snake_case session_key is ignored: no claim",
    given: [{
      path: "/api/hooks/session-start",
      body: { harness: "pyagent", session_key: "s1", runtimePath: "legacy" },
    }],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "pre-compaction accepts transcript_path",
    options: { strict: true },
    request: { path: "/api/hooks/pre-compaction", body: hook({ transcript_path: "/nowhere" }) },
    status: 200,
  },
  {
    fact: "recall accepts aggregate_budget and save_aggregate",
    options: { strict: true },
    request: {
      path: "/api/memory/recall",
      body: { query: "x", aggregate_budget: "small", save_aggregate: false, importance_min: 0.1 },
    },
    status: 200,
  },
  {
    fact: "the runtime path header overrides the body",
    given: [{
      path: "/api/hooks/session-start",
      body: hook({ runtimePath: "legacy" }),
      headers: { "x-signet-runtime-path": "plugin" },
    }],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { sessions: [{ key: "s1", runtimePath: "plugin" }] },
  },
  {
    fact: "an unknown runtime path is ignored",
    given: [{ path: "/api/hooks/session-start", body: hook({ runtimePath: "sidecar" }) }],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  ...([
    ["session-start", { inject: "", memories: [], identity: ABSENT }],
    ["user-prompt-submit", { inject: "", memoryCount: 0 }],
    ["session-end", { memoriesSaved: 0, queued: ABSENT }],
    ["remember", { success: true, memories: [] }],
    ["recall", { results: [], count: 0 }],
    ["session-checkpoint-extract", { skipped: true }],
  ] as const).map(([name, answer]): Row => ({
    fact: `x-signet-no-hooks makes ${name} a no-op before the body is parsed`,
    request: { path: `/api/hooks/${name}`, raw: "{", headers: { "x-signet-no-hooks": "1" } },
    status: 200,
    answer,
  })),
  ...["pre-compaction", "compaction-complete"].map((name): Row => ({
    fact: `x-signet-no-hooks is ignored by ${name}`,
    request: { path: `/api/hooks/${name}`, raw: "{", headers: { "x-signet-no-hooks": "1" } },
    status: 500,
  })),
  {
    fact: "x-signet-agent-id names the agent on recall",
    given: [
      {
        path: "/api/memory/remember",
        body: { content: "a secret of alice", agentId: "alice", visibility: "private" },
      },
    ],
    request: {
      path: "/api/memory/recall",
      body: { query: "secret" },
      headers: { "x-signet-agent-id": "alice" },
    },
    status: 200,
    answer: { results: [{ content: "a secret of alice" }] },
  },
  {
    fact: "x-signet-agent-id is ignored by session-start",
    given: [{ path: "/api/hooks/session-start", body: hook(), headers: { "x-signet-agent-id": "alice" } }],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { sessions: [{ key: "s1", agentId: "default" }] },
  },
  {
    fact: "x-signet-session-key sets the agent of remember",
    given: [{
      path: "/api/memory/remember",
      body: { content: "kept for carol", visibility: "private" },
      headers: { "x-signet-session-key": "agent:carol:9" },
    }],
    request: { path: "/api/memory/recall", body: { query: "kept", agentId: "carol" } },
    status: 200,
    answer: { results: [{ agent_id: "carol" }] },
  },
  {
    fact: "/health never requires a key",
    options: { auth: "team" },
    request: { path: "/health", peer: "10.0.0.9" },
    status: 200,
    answer: {
      status: "healthy",
      uptime: 0,
      pid: Deno.pid,
      version: /^0\.145/,
      port: 0,
      db: true,
      updateAvailable: false,
      pendingRestart: false,
      shuttingDown: false,
      pipeline: (value: unknown) => typeof value === "object",
      resources: (value: unknown) => typeof value === "object",
    },
  },
  {
    fact: "/api/status has the status and the number of sessions",
    given: [{ path: "/api/hooks/session-start", body: hook() }],
    request: { path: "/api/status" },
    status: 200,
    answer: {
      status: "running",
      activeSessions: 1,
      bypassedSessions: 0,
      networkMode: "localhost",
      agentId: "default",
      startedAt: "2026-03-01T12:00:00.000Z",
    },
  },
  {
    fact: "/api/harnesses is a fixed list without Codex or new harnesses",
    given: [{ path: "/api/hooks/session-start", body: hook() }],
    request: { path: "/api/harnesses" },
    status: 200,
    answer: {
      harnesses: ["claude-code", "opencode", "openclaw", "gemini"].map((id) => ({ id, exists: false })),
    },
  },
  {
    fact: "/api/harnesses/regenerate is 404",
    request: { path: "/api/harnesses/regenerate", method: "POST" },
    status: 404,
    answer: { success: false, error: "Regeneration script not found" },
  },
];

import { ABSENT, hook, type Row } from "./row.ts";

const HOOKS = [
  "session-start",
  "user-prompt-submit",
  "session-end",
  "pre-compaction",
  "compaction-complete",
  "remember",
  "recall",
  "session-checkpoint-extract",
];

/** Sections 1.1, 1.2 and 1.8. */
export const COMMON: readonly Row[] = [
  ...HOOKS.map((name): Row => ({
    fact: `1.1 malformed JSON on /api/hooks/${name} is 500`,
    ask: { path: `/api/hooks/${name}`, raw: "{" },
    status: 500,
    answer: { error: "Hook execution failed" },
  })),
  ...["remember", "recall"].map((name): Row => ({
    fact: `1.1 malformed JSON on /api/memory/${name} is 400`,
    ask: { path: `/api/memory/${name}`, raw: "{" },
    status: 400,
    answer: { error: "Invalid JSON body" },
  })),
  {
    fact: "1.1 hook routes do not look at Content-Type",
    ask: { path: "/api/hooks/session-start", body: hook(), headers: { "content-type": "text/plain" } },
    status: 200,
  },
  {
    fact: "1.1 an unknown path is 404 in plain text",
    ask: { path: "/api/nothing/here" },
    status: 404,
    answer: "404 Not Found",
    headers: { "content-type": /^text\/plain/ },
  },
  {
    fact: "1.1 snake_case session_key is ignored: no claim",
    given: [{
      path: "/api/hooks/session-start",
      body: { harness: "pyagent", session_key: "s1", runtimePath: "legacy" },
    }],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "1.1 pre-compaction accepts transcript_path",
    options: { strict: true },
    ask: { path: "/api/hooks/pre-compaction", body: hook({ transcript_path: "/nowhere" }) },
    status: 200,
  },
  {
    fact: "1.1 recall accepts aggregate_budget and save_aggregate",
    options: { strict: true },
    ask: {
      path: "/api/memory/recall",
      body: { query: "x", aggregate_budget: "small", save_aggregate: false, importance_min: 0.1 },
    },
    status: 200,
  },
  {
    fact: "1.2 the runtime path's header wins over the body",
    given: [{
      path: "/api/hooks/session-start",
      body: hook({ runtimePath: "legacy" }),
      headers: { "x-signet-runtime-path": "plugin" },
    }],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { sessions: [{ key: "s1", runtimePath: "plugin" }] },
  },
  {
    fact: "1.2 a runtime path of any other value counts as absent",
    given: [{ path: "/api/hooks/session-start", body: hook({ runtimePath: "sidecar" }) }],
    ask: { path: "/api/sessions" },
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
    fact: `1.2 x-signet-no-hooks makes ${name} a no-op before the body is parsed`,
    ask: { path: `/api/hooks/${name}`, raw: "{", headers: { "x-signet-no-hooks": "1" } },
    status: 200,
    answer,
  })),
  ...["pre-compaction", "compaction-complete"].map((name): Row => ({
    fact: `1.2 x-signet-no-hooks is not honoured by ${name}`,
    ask: { path: `/api/hooks/${name}`, raw: "{", headers: { "x-signet-no-hooks": "1" } },
    status: 500,
  })),
  {
    fact: "1.2 x-signet-agent-id names the agent on recall",
    given: [
      {
        path: "/api/memory/remember",
        body: { content: "a secret of alice", agentId: "alice", visibility: "private" },
      },
    ],
    ask: { path: "/api/memory/recall", body: { query: "secret" }, headers: { "x-signet-agent-id": "alice" } },
    status: 200,
    answer: { results: [{ content: "a secret of alice" }] },
  },
  {
    fact: "1.2 x-signet-agent-id is not read by session-start",
    given: [{ path: "/api/hooks/session-start", body: hook(), headers: { "x-signet-agent-id": "alice" } }],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { sessions: [{ key: "s1", agentId: "default" }] },
  },
  {
    fact: "1.2 x-signet-session-key gives remember its agent",
    given: [{
      path: "/api/memory/remember",
      body: { content: "kept for carol", visibility: "private" },
      headers: { "x-signet-session-key": "agent:carol:9" },
    }],
    ask: { path: "/api/memory/recall", body: { query: "kept", agentId: "carol" } },
    status: 200,
    answer: { results: [{ agent_id: "carol" }] },
  },
  {
    fact: "1.8 /health never needs a key",
    options: { auth: "team" },
    ask: { path: "/health", peer: "10.0.0.9" },
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
    fact: "1.8 /api/status says that it runs, and how many sessions there are",
    given: [{ path: "/api/hooks/session-start", body: hook() }],
    ask: { path: "/api/status" },
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
    fact: "1.8 /api/harnesses is a fixed list, without Codex and without newcomers",
    given: [{ path: "/api/hooks/session-start", body: hook() }],
    ask: { path: "/api/harnesses" },
    status: 200,
    answer: {
      harnesses: ["claude-code", "opencode", "openclaw", "gemini"].map((id) => ({ id, exists: false })),
    },
  },
  {
    fact: "1.8 /api/harnesses/regenerate has no script to run",
    ask: { path: "/api/harnesses/regenerate", method: "POST" },
    status: 404,
    answer: { success: false, error: "Regeneration script not found" },
  },
];

import { ABSENT, hook, type Row, UUID } from "./row.ts";

const HOUR = 60 * 60 * 1000;
const at = (name: string, more: Record<string, unknown> = {}) => ({
  path: `/api/hooks/${name}`,
  body: hook(more),
});
const TALK = `User: where is it?\n${"Assistant: In services/billing.\n".repeat(20)}`;
const plugin = at("session-start", { runtimePath: "plugin" });

/** The compaction, memory and checkpoint hooks. */
export const OTHER_HOOKS: readonly Row[] = [
  {
    fact: "pre-compaction returns a prompt and guidelines",
    request: at("pre-compaction", { sessionContext: "the parser", messageCount: 12 }),
    status: 200,
    answer: { summaryPrompt: /Summarize[^]*the parser/, guidelines: /decisions/ },
  },
  {
    fact: "pre-compaction needs a harness",
    request: at("pre-compaction", { harness: undefined }),
    status: 400,
    answer: { error: "harness is required" },
  },
  {
    fact: "pre-compaction of a session claimed by the other path is skipped",
    given: [plugin],
    request: at("pre-compaction"),
    status: 200,
    answer: { guidelines: "", instructions: "", summaryPrompt: "", skipped: true, claimedBy: "plugin" },
  },
  {
    fact: "pre-compaction of a bypassed session is empty",
    given: [at("session-start"), { path: "/api/sessions/s1/bypass", body: { enabled: true } }],
    request: at("pre-compaction"),
    status: 200,
    answer: { instructions: "", bypassed: true, summaryPrompt: ABSENT },
  },
  {
    fact: "compaction-complete stores the summary and increments the epoch",
    given: [at("compaction-complete", { summary: "First.", project: "/home/u/proj" })],
    request: at("compaction-complete", { summary: "Second.", project: "/home/u/proj" }),
    status: 200,
    answer: { success: true, memoryId: UUID, contextEpoch: 2 },
  },
  {
    fact: "compaction-complete needs a summary",
    request: at("compaction-complete"),
    status: 400,
    answer: { error: "harness and summary are required" },
  },
  {
    fact: "compaction-complete of a session claimed by the other path is skipped",
    given: [plugin],
    request: at("compaction-complete", { summary: "x" }),
    status: 200,
    answer: { success: true, skipped: true, duplicateRuntimePath: true },
  },
  ...([
    ["a project under /tmp", { project: "/tmp/x" }],
    ["a project under /private/tmp", { project: "/private/tmp/x" }],
    ["no project and a test- key", { sessionKey: "test-1" }],
    ["no project and a spec- key", { sessionKey: "spec-1" }],
    ["no project and a fixture- key", { sessionKey: "fixture-1" }],
    ["no project and a synthetic- key", { sessionKey: "synthetic-1" }],
    ["no project and a tmp- key", { sessionKey: "tmp-1" }],
    ["no project and harness test", { harness: "test" }],
  ] as const).map(([what, more]): Row => ({
    fact: `${what} is noise: the summary is dropped`,
    request: at("compaction-complete", { summary: "x", ...more }),
    status: 200,
    answer: { success: true, memoryId: null },
  })),
  {
    fact: "a test- key with a real project is not noise",
    request: at("compaction-complete", { summary: "x", sessionKey: "test-1", project: "/home/u/proj" }),
    status: 200,
    answer: { memoryId: UUID },
  },
  {
    fact: "the end of a noise session queues nothing",
    request: at("session-end", { cwd: "/tmp/x", transcript: TALK }),
    status: 200,
    answer: { queued: false },
  },
  {
    fact: "remember responds like /api/memory/remember",
    request: at("remember", { content: "a fact", who: "me" }),
    status: 200,
    answer: {
      id: UUID,
      type: "fact",
      content: "a fact",
      embedded: false,
      entities_linked: 0,
      hints_written: 0,
    },
  },
  {
    fact: "remember needs content",
    request: at("remember"),
    status: 400,
    answer: { error: "harness and content are required" },
  },
  {
    fact: "remember of a bypassed session stores nothing",
    given: [at("session-start"), { path: "/api/sessions/s1/bypass", body: { enabled: true } }],
    request: at("remember", { content: "x" }),
    status: 200,
    answer: { success: true, memories: [], bypassed: true },
  },
  {
    fact: "recall returns results, the same as memories, count and message",
    given: [at("remember", { content: "the deploy runs on fridays" })],
    request: at("recall", { query: "deploy" }),
    status: 200,
    answer: {
      results: [{ content: "the deploy runs on fridays" }],
      memories: [{ content: "the deploy runs on fridays" }],
      query: "deploy",
      method: "keyword",
      count: 1,
      meta: { totalReturned: 1 },
      message: /1/,
    },
  },
  {
    fact: "recall needs a query",
    request: at("recall"),
    status: 400,
    answer: { error: "harness and query are required" },
  },
  ...(["remember", "recall"] as const).map((name): Row => ({
    fact: `${name} in a session claimed by the other path is 409`,
    given: [plugin],
    request: at(name, { content: "x", query: "x" }),
    status: 409,
    answer: { error: "session claimed by plugin path" },
  })),
  {
    fact: "a checkpoint queues the transcript",
    request: at("session-checkpoint-extract", { transcript: TALK, project: "/home/u/proj" }),
    status: 200,
    answer: { queued: true, jobId: UUID },
  },
  {
    fact: "a checkpoint needs a session key",
    request: at("session-checkpoint-extract", { sessionKey: undefined }),
    status: 400,
    answer: { error: "harness and sessionKey are required" },
  },
  {
    fact: "a checkpoint renews the claim",
    given: [
      at("session-start"),
      { wait: 3 * HOUR },
      at("session-checkpoint-extract", { runtimePath: undefined }),
      { wait: 3 * HOUR },
    ],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { count: 1 },
  },
];

/** Session claims and the session routes. */
export const TRACKER: readonly Row[] = [
  {
    fact: "a claim needs a session key",
    given: [at("session-start", { sessionKey: undefined })],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { sessions: [], count: 0 },
  },
  {
    fact: "a claim needs a runtime path",
    given: [at("session-start", { runtimePath: undefined })],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "a claim has claimedAt and expiresAt",
    given: [at("session-start")],
    request: { path: "/api/sessions" },
    status: 200,
    answer: {
      sessions: [{
        key: "s1",
        agentId: "default",
        runtimePath: "legacy",
        claimedAt: "2026-03-01T12:00:00.000Z",
        expiresAt: "2026-03-01T16:00:00.000Z",
        bypassed: false,
      }],
      count: 1,
    },
  },
  {
    fact: "a claim expires after 4 hours",
    given: [at("session-start"), { wait: 4 * HOUR }],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "a call from the same path renews the claim",
    given: [at("session-start"), { wait: 3 * HOUR }, at("user-prompt-submit", { userMessage: "x" }), {
      wait: 3 * HOUR,
    }],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "the other path can take an expired claim",
    given: [plugin, { wait: 4 * HOUR }],
    request: at("session-start"),
    status: 200,
  },
  ...([
    ["user-prompt-submit", { userMessage: "x" }],
    ["pre-compaction", {}],
    ["compaction-complete", { summary: "x" }],
    ["session-checkpoint-extract", {}],
  ] as const).map(([name, more]): Row => ({
    fact: `${name} claims the session`,
    given: [at(name, more)],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { sessions: [{ key: "s1", runtimePath: "legacy" }] },
  })),
  {
    fact: "a leading session: is dropped from keys",
    given: [at("session-start", { sessionKey: "session:s1" })],
    request: { path: "/api/sessions/s1" },
    status: 200,
    answer: { key: "s1" },
  },
  {
    fact: "agent:<id>: in a key sets the agent",
    given: [at("session-start", { sessionKey: "agent:carol:s1" })],
    request: { path: "/api/sessions?agent_id=carol" },
    status: 200,
    answer: { sessions: [{ key: "agent:carol:s1", agentId: "carol" }] },
  },
  {
    fact: "sessions are listed per agent, `default` if none is named",
    given: [at("session-start", { agentId: "carol" })],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "an unknown session is 404",
    request: { path: "/api/sessions/nothing" },
    status: 404,
    answer: { error: "Session not found" },
  },
  {
    fact: "bypass returns the new state",
    given: [at("session-start")],
    request: { path: "/api/sessions/s1/bypass", body: { enabled: true } },
    status: 200,
    answer: { key: "s1", bypassed: true },
  },
  {
    fact: "bypass can be disabled",
    given: [
      at("session-start"),
      { path: "/api/sessions/s1/bypass", body: { enabled: true } },
      { path: "/api/sessions/s1/bypass", body: { enabled: false } },
    ],
    request: { path: "/api/sessions/s1" },
    status: 200,
    answer: { bypassed: false },
  },
  {
    fact: "bypass of an unknown session is 404",
    request: { path: "/api/sessions/s9/bypass", body: { enabled: true } },
    status: 404,
  },
  {
    fact: "bypass needs a boolean",
    given: [at("session-start")],
    request: { path: "/api/sessions/s1/bypass", body: { enabled: "yes" } },
    status: 400,
    answer: { error: "enabled (boolean) is required" },
  },
  {
    fact: "renew extends the claim to four hours",
    given: [at("session-start"), { wait: HOUR }],
    request: { path: "/api/sessions/s1/renew", method: "POST" },
    status: 200,
    answer: { key: "s1", renewed: true, expiresAt: "2026-03-01T17:00:00.000Z" },
  },
];

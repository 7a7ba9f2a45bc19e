import { ABSENT, hook, type Row, UUID } from "./row.ts";

const HOUR = 60 * 60 * 1000;
const at = (name: string, more: Record<string, unknown> = {}) => ({
  path: `/api/hooks/${name}`,
  body: hook(more),
});
const TALK = `User: where is it?\n${"Assistant: In services/billing.\n".repeat(20)}`;
const plugin = at("session-start", { runtimePath: "plugin" });

/** Section 1.6. */
export const OTHER_HOOKS: readonly Row[] = [
  {
    fact: "1.6 pre-compaction answers a prompt and guidelines",
    ask: at("pre-compaction", { sessionContext: "the parser", messageCount: 12 }),
    status: 200,
    answer: { summaryPrompt: /Summarize[^]*the parser/, guidelines: /decisions/ },
  },
  {
    fact: "1.6 pre-compaction needs a harness",
    ask: at("pre-compaction", { harness: undefined }),
    status: 400,
    answer: { error: "harness is required" },
  },
  {
    fact: "1.6 pre-compaction steps aside for the other path",
    given: [plugin],
    ask: at("pre-compaction"),
    status: 200,
    answer: { guidelines: "", instructions: "", summaryPrompt: "", skipped: true, claimedBy: "plugin" },
  },
  {
    fact: "1.6 pre-compaction of a bypassed session",
    given: [at("session-start"), { path: "/api/sessions/s1/bypass", body: { enabled: true } }],
    ask: at("pre-compaction"),
    status: 200,
    answer: { instructions: "", bypassed: true, summaryPrompt: ABSENT },
  },
  {
    fact: "1.6 compaction-complete keeps the summary, and counts epochs",
    given: [at("compaction-complete", { summary: "First.", project: "/home/u/proj" })],
    ask: at("compaction-complete", { summary: "Second.", project: "/home/u/proj" }),
    status: 200,
    answer: { success: true, memoryId: UUID, contextEpoch: 2 },
  },
  {
    fact: "1.6 compaction-complete needs a summary",
    ask: at("compaction-complete"),
    status: 400,
    answer: { error: "harness and summary are required" },
  },
  {
    fact: "1.6 compaction-complete of the other path is skipped",
    given: [plugin],
    ask: at("compaction-complete", { summary: "x" }),
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
    fact: `1.6 ${what} is noise: the summary is dropped`,
    ask: at("compaction-complete", { summary: "x", ...more }),
    status: 200,
    answer: { success: true, memoryId: null },
  })),
  {
    fact: "1.6 a test- key with a real project is no noise",
    ask: at("compaction-complete", { summary: "x", sessionKey: "test-1", project: "/home/u/proj" }),
    status: 200,
    answer: { memoryId: UUID },
  },
  {
    fact: "1.6 a noise session's end queues nothing",
    ask: at("session-end", { cwd: "/tmp/x", transcript: TALK }),
    status: 200,
    answer: { queued: false },
  },
  {
    fact: "1.6 remember answers as /api/memory/remember does",
    ask: at("remember", { content: "a fact", who: "me" }),
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
    fact: "1.6 remember needs content",
    ask: at("remember"),
    status: 400,
    answer: { error: "harness and content are required" },
  },
  {
    fact: "1.6 remember of a bypassed session",
    given: [at("session-start"), { path: "/api/sessions/s1/bypass", body: { enabled: true } }],
    ask: at("remember", { content: "x" }),
    status: 200,
    answer: { success: true, memories: [], bypassed: true },
  },
  {
    fact: "1.6 recall answers results, a copy as memories, count and message",
    given: [at("remember", { content: "the deploy runs on fridays" })],
    ask: at("recall", { query: "deploy" }),
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
    fact: "1.6 recall needs a query",
    ask: at("recall"),
    status: 400,
    answer: { error: "harness and query are required" },
  },
  ...(["remember", "recall"] as const).map((name): Row => ({
    fact: `1.6 ${name} of the other path is 409`,
    given: [plugin],
    ask: at(name, { content: "x", query: "x" }),
    status: 409,
    answer: { error: "session claimed by plugin path" },
  })),
  {
    fact: "1.6 a checkpoint queues what there is",
    ask: at("session-checkpoint-extract", { transcript: TALK, project: "/home/u/proj" }),
    status: 200,
    answer: { queued: true, jobId: UUID },
  },
  {
    fact: "1.6 a checkpoint needs a session key",
    ask: at("session-checkpoint-extract", { sessionKey: undefined }),
    status: 400,
    answer: { error: "harness and sessionKey are required" },
  },
  {
    fact: "1.6 a checkpoint renews the claim",
    given: [
      at("session-start"),
      { wait: 3 * HOUR },
      at("session-checkpoint-extract", { runtimePath: undefined }),
      { wait: 3 * HOUR },
    ],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { count: 1 },
  },
];

/** Section 1.7. */
export const TRACKER: readonly Row[] = [
  {
    fact: "1.7 a claim needs a session key",
    given: [at("session-start", { sessionKey: undefined })],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { sessions: [], count: 0 },
  },
  {
    fact: "1.7 a claim needs a runtime path",
    given: [at("session-start", { runtimePath: undefined })],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "1.7 a claim lists its times",
    given: [at("session-start")],
    ask: { path: "/api/sessions" },
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
    fact: "1.7 a claim ends after 4 hours",
    given: [at("session-start"), { wait: 4 * HOUR }],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "1.7 a call of the same path refreshes it",
    given: [at("session-start"), { wait: 3 * HOUR }, at("user-prompt-submit", { userMessage: "x" }), {
      wait: 3 * HOUR,
    }],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "1.7 a stale claim gives way to the other path",
    given: [plugin, { wait: 4 * HOUR }],
    ask: at("session-start"),
    status: 200,
  },
  ...([
    ["user-prompt-submit", { userMessage: "x" }],
    ["pre-compaction", {}],
    ["compaction-complete", { summary: "x" }],
    ["session-checkpoint-extract", {}],
  ] as const).map(([name, more]): Row => ({
    fact: `1.7 ${name} claims on its own`,
    given: [at(name, more)],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { sessions: [{ key: "s1", runtimePath: "legacy" }] },
  })),
  {
    fact: "1.7 a leading session: is dropped from keys",
    given: [at("session-start", { sessionKey: "session:s1" })],
    ask: { path: "/api/sessions/s1" },
    status: 200,
    answer: { key: "s1" },
  },
  {
    fact: "1.7 agent:<id>: in a key names the agent",
    given: [at("session-start", { sessionKey: "agent:carol:s1" })],
    ask: { path: "/api/sessions?agent_id=carol" },
    status: 200,
    answer: { sessions: [{ key: "agent:carol:s1", agentId: "carol" }] },
  },
  {
    fact: "1.7 sessions are listed per agent, `default` if none is named",
    given: [at("session-start", { agentId: "carol" })],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "1.7 an unknown session is 404",
    ask: { path: "/api/sessions/nothing" },
    status: 404,
    answer: { error: "Session not found" },
  },
  {
    fact: "1.7 bypass answers what it set",
    given: [at("session-start")],
    ask: { path: "/api/sessions/s1/bypass", body: { enabled: true } },
    status: 200,
    answer: { key: "s1", bypassed: true },
  },
  {
    fact: "1.7 bypass can be taken back",
    given: [
      at("session-start"),
      { path: "/api/sessions/s1/bypass", body: { enabled: true } },
      { path: "/api/sessions/s1/bypass", body: { enabled: false } },
    ],
    ask: { path: "/api/sessions/s1" },
    status: 200,
    answer: { bypassed: false },
  },
  {
    fact: "1.7 bypass of an unknown session is 404",
    ask: { path: "/api/sessions/s9/bypass", body: { enabled: true } },
    status: 404,
  },
  {
    fact: "1.7 bypass needs a boolean",
    given: [at("session-start")],
    ask: { path: "/api/sessions/s1/bypass", body: { enabled: "yes" } },
    status: 400,
    answer: { error: "enabled (boolean) is required" },
  },
  {
    fact: "1.7 renew gives four more hours",
    given: [at("session-start"), { wait: HOUR }],
    ask: { path: "/api/sessions/s1/renew", method: "POST" },
    status: 200,
    answer: { key: "s1", renewed: true, expiresAt: "2026-03-01T17:00:00.000Z" },
  },
];

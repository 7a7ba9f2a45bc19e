import { ABSENT, hook, type Row, START, UUID } from "./row.ts";

const HOUR = 60 * 60 * 1000;
const start = (more: Record<string, unknown> = {}) => ({
  path: "/api/hooks/session-start",
  body: hook({ project: "/home/u/proj", ...more }),
});
const prompt = (more: Record<string, unknown> = {}) => ({
  path: "/api/hooks/user-prompt-submit",
  body: hook({ userMessage: "hello", ...more }),
});
const end = (more: Record<string, unknown> = {}) => ({
  path: "/api/hooks/session-end",
  body: hook({ cwd: "/home/u/proj", ...more }),
});
const remember = (content: string, more: Record<string, unknown> = {}) => ({
  path: "/api/memory/remember",
  body: { content, ...more },
});
const bypass = { path: "/api/sessions/s1/bypass", body: { enabled: true } };
const FULL = /^\[signet active\]/;
const STUB = /^\[memory active \| \/remember \| \/recall\]\n# Current Date & Time\n/;
const TALK = `User: where is the billing code?\n${"Assistant: In services/billing.\n".repeat(20)}`;

/** session-start. */
export const SESSION_START: readonly Row[] = [
  {
    fact: "harness is required",
    request: { path: "/api/hooks/session-start", body: { sessionKey: "s1" } },
    status: 400,
    answer: { error: "harness is required" },
  },
  {
    fact: "the response has identity, memories and inject; ids are UUIDs",
    given: [remember("The deploy runs on Fridays.")],
    request: start(),
    status: 200,
    answer: {
      identity: { name: "Agent" },
      memories: [{
        id: UUID,
        content: "The deploy runs on Fridays.",
        type: "fact",
        importance: 0.8,
        created_at: new Date(START).toISOString(),
      }],
      inject: /# Current Date & Time\nSunday, March 1, 2026 at 12:00[^]*The deploy runs on Fridays\./,
      warnings: ABSENT,
    },
  },
  {
    fact: "recentContext is absent without MEMORY.md",
    request: start(),
    status: 200,
    answer: { recentContext: ABSENT },
  },
  {
    fact: "recentContext is the text of MEMORY.md",
    options: { identity: { "MEMORY.md": "We left off at the parser." } },
    request: start(),
    status: 200,
    answer: { recentContext: "We left off at the parser.", inject: /## Working Memory\n\nWe left off/ },
  },
  {
    fact: "a bypassed session gets neither inject nor identity",
    given: [start(), bypass],
    request: start(),
    status: 200,
    answer: { inject: "", memories: [], bypassed: true, identity: ABSENT },
  },
  {
    fact: "a repeated start of a session gets the stub",
    given: [remember("x"), start()],
    request: start(),
    status: 200,
    answer: { identity: { name: "Agent" }, memories: [], inject: STUB },
  },
  {
    fact: "a start after session-end still gets the stub",
    given: [start(), end()],
    request: start(),
    status: 200,
    answer: { inject: STUB },
  },
  ...([
    ["agent", { agentId: "alice" }],
    ["harness", { harness: "codex" }],
    ["project", { project: "/home/u/other" }],
    ["session", { sessionKey: "s2" }],
  ] as const).map(([what, more]): Row => ({
    fact: `another ${what} gets the full inject`,
    given: [start()],
    request: start(more),
    status: 200,
    answer: { inject: FULL },
  })),
  {
    fact: "a start within 7 days gets the stub",
    given: [start(), { wait: 7 * 24 * HOUR - 1 }],
    request: start(),
    status: 200,
    answer: { inject: STUB },
  },
  {
    fact: "a start after 7 days gets the full inject again",
    given: [start(), { wait: 7 * 24 * HOUR }],
    request: start(),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "session-end with reason clear clears the stub",
    given: [start(), end({ reason: "clear" })],
    request: start(),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "session-start with source clear clears the stub",
    given: [start()],
    request: start({ source: "clear" }),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "compaction-complete clears the stub",
    given: [start(), {
      path: "/api/hooks/compaction-complete",
      body: hook({ summary: "We did things.", project: "/home/u/proj" }),
    }],
    request: start({ source: "compact" }),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "a start after a compaction gets the stub until compaction-complete arrives",
    given: [start(), { path: "/api/hooks/pre-compaction", body: hook() }],
    request: start({ source: "compact" }),
    status: 200,
    answer: { inject: STUB },
  },
  {
    fact: "every start without a session key gets the full inject",
    given: [start({ sessionKey: undefined })],
    request: start({ sessionKey: undefined }),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "a session claimed by the other path is 409",
    given: [start({ runtimePath: "plugin" })],
    request: start({ runtimePath: "legacy" }),
    status: 409,
    answer: { error: "session claimed by plugin path" },
  },
  {
    fact: "a claim that expires within half an hour gives a warning",
    given: [start(), { wait: 4 * HOUR - 20 * 60_000 }],
    request: start({ runtimePath: undefined }),
    status: 200,
    answer: { warnings: [/20 minutes/] },
  },
];

/** user-prompt-submit. */
export const USER_PROMPT_SUBMIT: readonly Row[] = [
  ...([
    ["no prompt", {}],
    ["a blank prompt", { userMessage: "  " }],
    ["no harness", { harness: undefined, userMessage: "hi" }],
  ] as const).map(([what, more]): Row => ({
    fact: `${what} is 400`,
    request: { path: "/api/hooks/user-prompt-submit", body: hook(more) },
    status: 400,
    answer: { error: "harness and userMessage or userPrompt are required" },
  })),
  {
    fact: "userPrompt is used without userMessage",
    request: { path: "/api/hooks/user-prompt-submit", body: hook({ userPrompt: "hi" }) },
    status: 200,
    answer: { engine: "no-entity" },
  },
  {
    fact: "inject is empty if no entity is named, even if memories match",
    given: [remember("the deploy runs on fridays")],
    request: prompt({ userMessage: "when does the deploy run?" }),
    status: 200,
    answer: { inject: "", memoryCount: 0, engine: "no-entity" },
  },
  {
    fact: "a prompt that names a known entity gets its memories",
    given: [remember("We chose Postgres for Larkspur.")],
    request: prompt({ userMessage: "which database has larkspur?" }),
    status: 200,
    answer: { inject: /We chose Postgres/, memoryCount: 1, engine: "entity-context", queryTerms: "Larkspur" },
  },
  {
    fact: "entities can be seeded",
    options: { entities: { larkspur: "it bills customers" } },
    request: prompt({ userMessage: "what is Larkspur?" }),
    status: 200,
    answer: { inject: /it bills customers/, engine: "entity-context" },
  },
  {
    fact: "userMessage is preferred to userPrompt",
    options: { entities: { larkspur: "it bills customers" } },
    request: prompt({ userMessage: "hello", userPrompt: "what is Larkspur?" }),
    status: 200,
    answer: { inject: "" },
  },
  {
    fact: "another agent's private entity is not visible",
    given: [remember("Larkspur is alice's", { agentId: "alice", visibility: "private" })],
    request: prompt({ userMessage: "what is Larkspur?" }),
    status: 200,
    answer: { inject: "", engine: "no-entity" },
  },
  {
    fact: "sessionKnown is false before any claim",
    request: prompt(),
    status: 200,
    answer: { sessionKnown: false },
  },
  {
    fact: "sessionKnown is true after session-start",
    given: [start()],
    request: prompt(),
    status: 200,
    answer: { sessionKnown: true },
  },
  {
    fact: "a session claimed by the other path is skipped with 200",
    given: [start({ runtimePath: "plugin" })],
    request: prompt(),
    status: 200,
    answer: {
      inject: "",
      memoryCount: 0,
      sessionKnown: true,
      skipped: true,
      duplicateRuntimePath: true,
      claimedBy: "plugin",
    },
  },
  {
    fact: "a bypassed session gets nothing",
    options: { entities: { larkspur: "it bills customers" } },
    given: [start(), bypass],
    request: prompt({ userMessage: "what is Larkspur?" }),
    status: 200,
    answer: { inject: "", memoryCount: 0, bypassed: true },
  },
];

const jobs = { path: "/__mock/transcripts" };

/** session-end. */
export const SESSION_END: readonly Row[] = [
  {
    fact: "harness is required",
    request: { path: "/api/hooks/session-end", body: { sessionKey: "s1" } },
    status: 400,
    answer: { error: "harness is required" },
  },
  {
    fact: "an end without a transcript is not queued; memoriesSaved is 0",
    request: end(),
    status: 200,
    answer: { memoriesSaved: 0, queued: false, jobId: ABSENT },
  },
  {
    fact: "a transcript of 500 characters is queued",
    request: end({ transcript: TALK }),
    status: 200,
    answer: { memoriesSaved: 0, queued: true, jobId: UUID },
  },
  {
    fact: "a shorter transcript is not queued",
    request: end({ transcript: "x".repeat(499) }),
    status: 200,
    answer: { queued: false },
  },
  {
    fact: "the length is measured after normalising",
    request: end({ transcript: `{"role":"user","content":"hi","padding":"${"x".repeat(600)}"}` }),
    status: 200,
    answer: { queued: false },
  },
  {
    fact: "the last 100,000 characters of a transcript are kept",
    given: [end({ transcript: `${"x".repeat(150_000)}THE END` })],
    request: jobs,
    status: 200,
    answer: {
      transcripts: [{
        content: (text: unknown) => String(text).length === 100_000 && String(text).endsWith("THE END"),
      }],
    },
  },
  {
    fact: "sessionId is used without sessionKey",
    given: [start(), end({ sessionKey: undefined, sessionId: "s1" })],
    request: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "the project is taken from cwd",
    given: [end({ transcript: TALK })],
    request: jobs,
    status: 200,
    answer: { transcripts: [{ project: "/home/u/proj", session_key: "s1", harness: "pyagent" }] },
  },
  {
    fact: "reason clear discards the context",
    request: end({ transcript: TALK, reason: "clear" }),
    status: 200,
    answer: { memoriesSaved: 0, queued: ABSENT },
  },
  {
    fact: "the inline transcript is used if the path cannot be read",
    request: end({ transcript: TALK, transcriptPath: "/not/on/this/machine.jsonl" }),
    status: 200,
    answer: { queued: true },
  },
  {
    fact: "a second end is skipped",
    given: [start(), end({ transcript: TALK })],
    request: end({ transcript: TALK }),
    status: 200,
    answer: { memoriesSaved: 0, skipped: true, duplicateSessionEnd: true, endedBy: "legacy" },
  },
  {
    fact: "a second end stores nothing twice",
    given: [end({ transcript: TALK }), end({ transcript: TALK })],
    request: jobs,
    status: 200,
    answer: { transcripts: [{ session_key: "s1" }] },
  },
  {
    fact: "a second end is accepted after 30 minutes",
    given: [end(), { wait: 30 * 60_000 + 1 }],
    request: end(),
    status: 200,
    answer: { skipped: ABSENT, queued: false },
  },
  {
    fact: "a session that continues after its end can end again",
    given: [end(), prompt()],
    request: end(),
    status: 200,
    answer: { skipped: ABSENT },
  },
  {
    fact: "a session claimed by the other path is skipped and stays claimed",
    given: [start({ runtimePath: "plugin" })],
    request: end(),
    status: 200,
    answer: { memoriesSaved: 0, skipped: true, duplicateRuntimePath: true, claimedBy: "plugin" },
  },
  {
    fact: "a bypassed session is not stored",
    given: [start(), bypass],
    request: end({ transcript: TALK }),
    status: 200,
    answer: { memoriesSaved: 0, bypassed: true },
  },
  ...([
    ["Codex lines", "codex", [
      { type: "event_msg", payload: { type: "user_message", message: "find the bug" } },
      { type: "item.completed", item: { type: "agent_message", text: "a".repeat(600) } },
    ], /^User: find the bug\nAssistant: a+$/],
    ["role and content lines", "pyagent", [
      { role: "user", content: "find the bug" },
      { role: "assistant", content: "a".repeat(600) },
    ], /^User: find the bug\nAssistant: a+$/],
    ["speaker and text lines", "pyagent", [
      { speaker: "user", text: "find the bug" },
      { speaker: "model", text: "a".repeat(600) },
    ], /^User: find the bug\nAssistant: a+$/],
  ] as const).map(([what, harness, lines, wanted]): Row => ({
    fact: `${what} are parsed`,
    given: [end({ harness, transcript: lines.map((line) => JSON.stringify(line)).join("\n") })],
    request: jobs,
    status: 200,
    answer: { transcripts: [{ content: wanted }] },
  })),
  {
    fact: "a transcript that is not JSON lines is kept as text",
    given: [end({ transcript: TALK })],
    request: jobs,
    status: 200,
    answer: { transcripts: [{ content: TALK.trim() }] },
  },
];

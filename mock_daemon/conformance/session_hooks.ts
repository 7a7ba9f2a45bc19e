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

/** Section 1.3. */
export const SESSION_START: readonly Row[] = [
  {
    fact: "1.3 harness is required",
    ask: { path: "/api/hooks/session-start", body: { sessionKey: "s1" } },
    status: 400,
    answer: { error: "harness is required" },
  },
  {
    fact: "1.3 the answer holds identity, memories and inject; ids are UUID strings",
    given: [remember("The deploy runs on Fridays.")],
    ask: start(),
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
    fact: "1.3 recentContext is MEMORY.md, absent when there is none",
    ask: start(),
    status: 200,
    answer: { recentContext: ABSENT },
  },
  {
    fact: "1.3 recentContext is MEMORY.md's text",
    options: { identity: { "MEMORY.md": "We left off at the parser." } },
    ask: start(),
    status: 200,
    answer: { recentContext: "We left off at the parser.", inject: /## Working Memory\n\nWe left off/ },
  },
  {
    fact: "1.3 a bypassed session is told nothing, not even an identity",
    given: [start(), bypass],
    ask: start(),
    status: 200,
    answer: { inject: "", memories: [], bypassed: true, identity: ABSENT },
  },
  {
    fact: "1.3 a repeated start in a session is the stub",
    given: [remember("x"), start()],
    ask: start(),
    status: 200,
    answer: { identity: { name: "Agent" }, memories: [], inject: STUB },
  },
  {
    fact: "1.3 the stub stays across session-end",
    given: [start(), end()],
    ask: start(),
    status: 200,
    answer: { inject: STUB },
  },
  ...([
    ["agent", { agentId: "alice" }],
    ["harness", { harness: "codex" }],
    ["project", { project: "/home/u/other" }],
    ["session", { sessionKey: "s2" }],
  ] as const).map(([what, more]): Row => ({
    fact: `1.3 another ${what} is told in full`,
    given: [start()],
    ask: start(more),
    status: 200,
    answer: { inject: FULL },
  })),
  {
    fact: "1.3 the stub's memory lasts 7 days",
    given: [start(), { wait: 7 * 24 * HOUR - 1 }],
    ask: start(),
    status: 200,
    answer: { inject: STUB },
  },
  {
    fact: "1.3 after 7 days a session is told in full again",
    given: [start(), { wait: 7 * 24 * HOUR }],
    ask: start(),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "1.3 session-end with reason clear clears the stub",
    given: [start(), end({ reason: "clear" })],
    ask: start(),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "1.3 session-start with source clear clears the stub",
    given: [start()],
    ask: start({ source: "clear" }),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "1.3 compaction-complete clears the stub",
    given: [start(), {
      path: "/api/hooks/compaction-complete",
      body: hook({ summary: "We did things.", project: "/home/u/proj" }),
    }],
    ask: start({ source: "compact" }),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "1.9 after a compaction it is the stub until compaction-complete arrives",
    given: [start(), { path: "/api/hooks/pre-compaction", body: hook() }],
    ask: start({ source: "compact" }),
    status: 200,
    answer: { inject: STUB },
  },
  {
    fact: "1.3 without a session key every start is told in full",
    given: [start({ sessionKey: undefined })],
    ask: start({ sessionKey: undefined }),
    status: 200,
    answer: { inject: FULL },
  },
  {
    fact: "1.3 the other path's session is 409",
    given: [start({ runtimePath: "plugin" })],
    ask: start({ runtimePath: "legacy" }),
    status: 409,
    answer: { error: "session claimed by plugin path" },
  },
  {
    fact: "1.3 warnings come within half an hour of the claim's end",
    given: [start(), { wait: 4 * HOUR - 20 * 60_000 }],
    ask: start({ runtimePath: undefined }),
    status: 200,
    answer: { warnings: [/20 minutes/] },
  },
];

/** Section 1.4. */
export const USER_PROMPT_SUBMIT: readonly Row[] = [
  ...([
    ["no prompt", {}],
    ["a blank prompt", { userMessage: "  " }],
    ["no harness", { harness: undefined, userMessage: "hi" }],
  ] as const).map(([what, more]): Row => ({
    fact: `1.4 ${what} is 400`,
    ask: { path: "/api/hooks/user-prompt-submit", body: hook(more) },
    status: 400,
    answer: { error: "harness and userMessage or userPrompt are required" },
  })),
  {
    fact: "1.4 userPrompt does where there is no userMessage",
    ask: { path: "/api/hooks/user-prompt-submit", body: hook({ userPrompt: "hi" }) },
    status: 200,
    answer: { engine: "no-entity" },
  },
  {
    fact: "1.4 inject is normally empty, though memories would match",
    given: [remember("the deploy runs on fridays")],
    ask: prompt({ userMessage: "when does the deploy run?" }),
    status: 200,
    answer: { inject: "", memoryCount: 0, engine: "no-entity" },
  },
  {
    fact: "1.4 a prompt that names a known entity gets what is known of it",
    given: [remember("We chose Postgres for Larkspur.")],
    ask: prompt({ userMessage: "which database has larkspur?" }),
    status: 200,
    answer: { inject: /We chose Postgres/, memoryCount: 1, engine: "entity-context", queryTerms: "Larkspur" },
  },
  {
    fact: "1.4 entities can be given from the start",
    options: { entities: { larkspur: "it bills customers" } },
    ask: prompt({ userMessage: "what is Larkspur?" }),
    status: 200,
    answer: { inject: /it bills customers/, engine: "entity-context" },
  },
  {
    fact: "1.4 userMessage is preferred to userPrompt",
    options: { entities: { larkspur: "it bills customers" } },
    ask: prompt({ userMessage: "hello", userPrompt: "what is Larkspur?" }),
    status: 200,
    answer: { inject: "" },
  },
  {
    fact: "1.4 another agent's private entity stays unknown",
    given: [remember("Larkspur is alice's", { agentId: "alice", visibility: "private" })],
    ask: prompt({ userMessage: "what is Larkspur?" }),
    status: 200,
    answer: { inject: "", engine: "no-entity" },
  },
  {
    fact: "1.4 sessionKnown is false before any claim",
    ask: prompt(),
    status: 200,
    answer: { sessionKnown: false },
  },
  {
    fact: "1.4 sessionKnown is true after session-start",
    given: [start()],
    ask: prompt(),
    status: 200,
    answer: { sessionKnown: true },
  },
  {
    fact: "1.4 the other path's session is skipped with 200",
    given: [start({ runtimePath: "plugin" })],
    ask: prompt(),
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
    fact: "1.4 a bypassed session gets nothing",
    options: { entities: { larkspur: "it bills customers" } },
    given: [start(), bypass],
    ask: prompt({ userMessage: "what is Larkspur?" }),
    status: 200,
    answer: { inject: "", memoryCount: 0, bypassed: true },
  },
];

const jobs = { path: "/__mock/transcripts" };

/** Section 1.5. */
export const SESSION_END: readonly Row[] = [
  {
    fact: "1.5 harness is required",
    ask: { path: "/api/hooks/session-end", body: { sessionKey: "s1" } },
    status: 400,
    answer: { error: "harness is required" },
  },
  {
    fact: "1.5 nothing to summarise is not queued; memoriesSaved is 0",
    ask: end(),
    status: 200,
    answer: { memoriesSaved: 0, queued: false, jobId: ABSENT },
  },
  {
    fact: "1.5 a transcript of 500 characters is queued",
    ask: end({ transcript: TALK }),
    status: 200,
    answer: { memoriesSaved: 0, queued: true, jobId: UUID },
  },
  {
    fact: "1.5 a shorter transcript is not queued",
    ask: end({ transcript: "x".repeat(499) }),
    status: 200,
    answer: { queued: false },
  },
  {
    fact: "1.5 the length counts after normalising",
    ask: end({ transcript: `{"role":"user","content":"hi","padding":"${"x".repeat(600)}"}` }),
    status: 200,
    answer: { queued: false },
  },
  {
    fact: "1.5 a summary's input is capped at 100 000 characters, the newest kept",
    given: [end({ transcript: `${"x".repeat(150_000)}THE END` })],
    ask: jobs,
    status: 200,
    answer: {
      transcripts: [{
        content: (text: unknown) => String(text).length === 100_000 && String(text).endsWith("THE END"),
      }],
    },
  },
  {
    fact: "1.5 sessionId does where there is no sessionKey",
    given: [start(), end({ sessionKey: undefined, sessionId: "s1" })],
    ask: { path: "/api/sessions" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "1.5 the project is cwd",
    given: [end({ transcript: TALK })],
    ask: jobs,
    status: 200,
    answer: { transcripts: [{ project: "/home/u/proj", session_key: "s1", harness: "pyagent" }] },
  },
  {
    fact: "1.5 reason clear discards the context",
    ask: end({ transcript: TALK, reason: "clear" }),
    status: 200,
    answer: { queued: false },
  },
  {
    fact: "1.5 an inline transcript counts where the path is on another machine",
    ask: end({ transcript: TALK, transcriptPath: "/not/on/this/machine.jsonl" }),
    status: 200,
    answer: { queued: true },
  },
  {
    fact: "1.5 a second end is skipped by its tombstone",
    given: [start(), end({ transcript: TALK })],
    ask: end({ transcript: TALK }),
    status: 200,
    answer: { memoriesSaved: 0, skipped: true, duplicateSessionEnd: true, endedBy: "legacy" },
  },
  {
    fact: "1.5 a second end stores nothing twice",
    given: [end({ transcript: TALK }), end({ transcript: TALK })],
    ask: jobs,
    status: 200,
    answer: { transcripts: [{ session_key: "s1" }] },
  },
  {
    fact: "1.5 the tombstone lasts 30 minutes",
    given: [end(), { wait: 30 * 60_000 + 1 }],
    ask: end(),
    status: 200,
    answer: { skipped: ABSENT, queued: false },
  },
  {
    fact: "1.5 a session that goes on after its end can end again",
    given: [end(), prompt()],
    ask: end(),
    status: 200,
    answer: { skipped: ABSENT },
  },
  {
    fact: "1.5 the other path's live session is skipped, and stays",
    given: [start({ runtimePath: "plugin" })],
    ask: end(),
    status: 200,
    answer: { memoriesSaved: 0, skipped: true, duplicateRuntimePath: true, claimedBy: "plugin" },
  },
  {
    fact: "1.5 a bypassed session is not kept",
    given: [start(), bypass],
    ask: end({ transcript: TALK }),
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
    fact: `1.5 ${what} are understood`,
    given: [end({ harness, transcript: lines.map((line) => JSON.stringify(line)).join("\n") })],
    ask: jobs,
    status: 200,
    answer: { transcripts: [{ content: wanted }] },
  })),
  {
    fact: "1.5 what is not JSON lines is taken as text",
    given: [end({ transcript: TALK })],
    ask: jobs,
    status: 200,
    answer: { transcripts: [{ content: TALK.trim() }] },
  },
];

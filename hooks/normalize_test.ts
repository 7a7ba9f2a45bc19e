import { assertEquals } from "@std/assert";
import type { EventName, HookEvent } from "./event.ts";
import { normalize, workingDirectory } from "./normalize.ts";

const CASES: [string, EventName, Record<string, unknown>, Partial<HookEvent>][] = [
  [
    "Claude Code's start",
    "session-start",
    {
      session_id: "950f",
      transcript_path: "/h/.claude/projects/p/950f.jsonl",
      hook_event_name: "SessionStart",
      source: "startup",
    },
    {
      sessionKey: "950f",
      transcriptPath: "/h/.claude/projects/p/950f.jsonl",
      nativeName: "SessionStart",
      source: "startup",
    },
  ],
  ["a harness's own agent id is no scope", "session-start", { agent_id: "sub-1" }, {
    harnessAgentId: "sub-1",
  }],
  ["session_key before session_id", "session-start", { session_id: "b", session_key: "a" }, {
    sessionKey: "a",
  }],
  ["a blank key is none", "session-start", { session_key: " ", sessionId: "c" }, { sessionKey: "c" }],
  ["a number as key", "session-start", { session_id: 17 }, { sessionKey: "17" }],
  ["PyAgent's message", "user-prompt-submit", { message: "hi" }, { prompt: "hi" }],
  ["a cleaned message before the raw one", "user-prompt-submit", { prompt: "raw", user_message: "clean" }, {
    prompt: "clean",
  }],
  ["wrong types are nothing", "user-prompt-submit", { prompt: { a: 1 }, session_id: ["x"] }, {}],
  ["the last answer", "user-prompt-submit", { prompt: "p", last_assistant_message: "done" }, {
    prompt: "p",
    lastAssistant: "done",
  }],
  [
    "the last answer in messages",
    "user-prompt-submit",
    {
      messages: [
        { role: "assistant", content: "one" },
        { role: "model", content: [{ type: "text", text: "two" }] },
        { role: "user", content: "three" },
      ],
    },
    { lastAssistant: "two" },
  ],
  ["a compaction's summary", "compaction-complete", { compact_summary: "S", trigger: "manual" }, {
    summary: "S",
    trigger: "manual",
  }],
  [
    "a transcript as messages",
    "session-end",
    {
      transcript: [{ role: "user", content: "q" }, { role: "system", content: "s" }, {
        role: "assistant",
        content: "a",
      }],
    },
    { transcript: "User: q\n\nAssistant: a" },
  ],
  [
    "a plugin's own parts are not the conversation",
    "session-end",
    {
      transcript: [{
        role: "user",
        parts: [{ type: "text", text: "memory", synthetic: true }, { type: "text", text: "q" }],
      }],
    },
    { transcript: "User: q" },
  ],
];

for (const [name, event, raw, expected] of CASES) {
  Deno.test(`normalize() ${name}`, () => {
    const { event: _, cwd: __, lastAssistant, ...rest } = normalize({}, event, raw, "/p");
    assertEquals(lastAssistant === undefined ? rest : { lastAssistant, ...rest }, expected);
  });
}

Deno.test("normalize() strips the harness's markup from the prompt", () => {
  const raw = { prompt: "<hook_context>memory</hook_context>\n\nhello" };
  const event = normalize({ injectedTags: ["hook_context"] }, "user-prompt-submit", raw, "/p");
  assertEquals(event.prompt, "hello");
});

Deno.test("workingDirectory() uses the flag, then stdin, then the process", () => {
  assertEquals(workingDirectory({ cwd: "/b" }, "/a"), "/a");
  assertEquals(workingDirectory({ cwd: "/b" }, undefined), "/b");
  assertEquals(workingDirectory({}, ""), Deno.cwd());
});

Deno.test("normalize() reads a prompt that is a list of parts, as Kimi Code sends it", () => {
  const read = (prompt: unknown) =>
    normalize({}, "user-prompt-submit", { prompt, is_steer: false }, "/p").prompt;
  assertEquals(read([{ type: "text", text: "hello world" }]), "hello world");
  assertEquals(
    read([{ type: "text", text: "one" }, { type: "image_url", image_url: {} }, {
      type: "text",
      text: "two",
    }]),
    "one\ntwo",
  );
  for (const prompt of [[], [{ type: "image_url" }], [7, null], {}, 7, null]) {
    assertEquals(read(prompt), undefined);
  }
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import type { TranscriptFormat } from "../profile.ts";
import { cleanTranscript, MAX_TRANSCRIPT_CHARS, readTranscript } from "./transcript.ts";

/** A line per message, as each program writes them (contracts), with its noise between. */
const FILES: [TranscriptFormat, unknown[]][] = [
  ["claude-code", [
    { type: "queue-operation", operation: "enqueue", content: "NOISE" },
    { type: "user", message: { role: "user", content: "first question" }, uuid: "1" },
    { type: "attachment", attachment: { type: "hook_success", content: "NOISE injected memory" } },
    { type: "api-request", request: { system: "NOISE" } },
    { type: "user", isMeta: true, message: { role: "user", content: "NOISE meta" } },
    { type: "user", isCompactSummary: true, message: { role: "user", content: "NOISE summary" } },
    {
      type: "assistant",
      isSidechain: true,
      message: { role: "assistant", content: [{ type: "text", text: "NOISE" }] },
    },
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "NOISE" },
          { type: "text", text: "first answer" },
          { type: "tool_use", name: "Bash", input: { command: "NOISE" } },
        ],
      },
    },
    { type: "user", message: { role: "user", content: [{ type: "tool_result", content: "NOISE" }] } },
    {
      type: "user",
      message: { role: "user", content: "<system-reminder>\nNOISE\n</system-reminder>\nsecond question" },
    },
    { type: "user", message: { role: "user", content: "<command-name>/compact NOISE" } },
    { type: "assistant", message: { role: "assistant", content: "second answer" } },
    { type: "system", subtype: "stop_hook_summary", content: "NOISE" },
  ]],
  ["codex", [
    { type: "session_meta", payload: { id: "x", instructions: "NOISE" } },
    message("developer", "NOISE memory"),
    message("user", "# AGENTS.md instructions for /p\nNOISE"),
    message("user", "<environment_context>NOISE</environment_context>"),
    message("user", "first question"),
    { type: "event_msg", payload: { type: "user_message", message: "NOISE" } },
    message("assistant", "first answer", "output_text"),
    { type: "response_item", payload: { type: "function_call_output", output: "NOISE" } },
    message("user", "second question"),
    message("assistant", "second answer", "output_text"),
  ]],
  ["gemini", [
    { sessionId: "s", projectHash: "NOISE", kind: "main" },
    { id: "0", type: "user", content: [{ text: "<session_context>NOISE</session_context>" }] },
    { id: "1", type: "user", content: [{ text: "<hook_context>NOISE</hook_context>\n\nfirst question" }] },
    { id: "2", type: "gemini", content: "first ans" },
    { $set: { lastUpdated: "NOISE" } },
    { id: "2", type: "gemini", content: "first answer", toolCalls: [{ name: "NOISE" }] },
    { id: "3", type: "user", content: "second question" },
    { id: "4", type: "gemini", content: [{ text: "second answer" }] },
    { id: "5", type: "info", content: "NOISE" },
  ]],
  ["copilot", [
    { type: "session.start", data: { sessionId: "s", context: { cwd: "/NOISE" } } },
    { type: "hook.end", data: { hookType: "sessionStart", output: { additionalContext: "NOISE memory" } } },
    {
      type: "user.message",
      data: { content: "first question", transformedContent: "first question <system_reminder>NOISE" },
    },
    { type: "system.message", data: { role: "system", content: "NOISE" } },
    {
      type: "assistant.message",
      data: { content: "", toolRequests: [{ name: "bash", arguments: "NOISE" }] },
    },
    { type: "tool.execution_complete", data: { result: { content: "NOISE" } } },
    { type: "user.message", agentId: "a1", data: { content: "NOISE for a sub-agent" } },
    { type: "assistant.message", agentId: "a1", data: { content: "NOISE of a sub-agent" } },
    { type: "assistant.message", data: { content: "first answer", toolRequests: [] } },
    { type: "user.message", data: { content: "NOISE of a skill", source: "skill-pdf" } },
    { type: "user.message", data: { content: "NOISE", isAutopilotContinuation: true } },
    { type: "session.compaction_complete", data: { summaryContent: "NOISE" } },
    { type: "user.message", data: { content: "second question" } },
    { type: "assistant.message", data: { content: "second answer" } },
    { type: "session.shutdown", data: { totalUserRequests: 2 } },
  ]],
  ["qwen", [
    {
      type: "user",
      provenance: "real_user",
      message: {
        role: "user",
        parts: [
          { text: "first question" },
          { text: "<qwen:user-prompt-submit-context>\nNOISE\n</qwen:user-prompt-submit-context>" },
        ],
      },
      systemPayload: { displayText: "first question", hookContext: "NOISE" },
    },
    { type: "system", subtype: "ui_telemetry", systemPayload: { uiEvent: { response_text: "NOISE" } } },
    {
      type: "assistant",
      message: {
        role: "model",
        parts: [{ text: "NOISE", thought: true }, { functionCall: { name: "NOISE" } }],
      },
    },
    { type: "tool_result", message: { role: "user", parts: [{ functionResponse: { output: "NOISE" } }] } },
    { type: "assistant", message: { role: "model", parts: [{ text: "first answer" }] } },
    { type: "user", provenance: "system", message: { role: "user", parts: [{ text: "NOISE" }] } },
    {
      type: "user",
      provenance: "real_user",
      message: { role: "user", parts: [{ text: "second question" }] },
    },
    { type: "assistant", message: { role: "model", parts: [{ text: "second answer" }] } },
  ]],
  ["kimi", [
    { type: "metadata", protocol_version: "1.5" },
    { type: "profile.bind", agentId: "main", systemPrompt: "NOISE" },
    kimiMessage('<hook_result hook_event="UserPromptSubmit">\nNOISE\n</hook_result>', "hook_result"),
    { type: "turn.prompt", input: [{ type: "text", text: "NOISE" }], origin: { kind: "user" } },
    kimiMessage("first question", "user"),
    {
      type: "agent.message.appended",
      message: { message: { role: "user", content: "NOISE" } },
      kind: "event",
    },
    kimiMessage("<system-reminder>\nNOISE\n</system-reminder>", "injection"),
    { type: "llm.tools_snapshot", tools: [{ name: "NOISE" }] },
    kimiPart({ type: "think", think: "NOISE" }),
    kimiPart({ type: "text", text: "first answer" }),
    {
      type: "context.append_loop_event",
      event: { type: "tool.call", name: "NOISE", args: { text: "NOISE" } },
    },
    { type: "context.append_loop_event", event: { type: "tool.result", result: { output: "NOISE" } } },
    { type: "context.apply_compaction", summary: "NOISE" },
    kimiMessage("second question", "user"),
    kimiPart({ type: "text", text: "second answer" }),
    { type: "context.append_loop_event", event: { type: "step.end", finishReason: "NOISE" } },
  ]],
  ["pi", [
    { type: "session", version: 3, id: "s", cwd: "/NOISE" },
    { type: "message", message: { role: "system", content: "NOISE" } },
    { type: "message", message: { role: "user", content: [{ type: "text", text: "first question" }] } },
    { type: "custom_message", customType: "signet", content: "NOISE memory" },
    { type: "message", message: { role: "assistant", content: [{ type: "text", text: "first answer" }] } },
    { type: "message", message: { role: "toolResult", content: [{ type: "text", text: "NOISE" }] } },
    { type: "model_change", model: "NOISE" },
    { type: "message", message: { role: "user", content: "second question" } },
    { type: "message", message: { role: "assistant", content: [{ type: "text", text: "second answer" }] } },
  ]],
];

function message(role: string, text: string, type = "input_text"): unknown {
  return { type: "response_item", payload: { type: "message", role, content: [{ type, text }] } };
}

function kimiMessage(text: string, kind: string): unknown {
  const message = { role: "user", content: [{ type: "text", text }], toolCalls: [], origin: { kind } };
  return { type: "context.append_message", agentId: "main", message };
}

function kimiPart(part: unknown): unknown {
  return { type: "context.append_loop_event", agentId: "main", event: { type: "content.part", part } };
}

const TALK =
  "User: first question\n\nAssistant: first answer\n\nUser: second question\n\nAssistant: second answer";

/** The two kinds of lines that daemons keep of a Codex conversation. */
const CODEX_TALK = [
  { type: "event_msg", payload: { type: "user_message", message: "first question" } },
  { type: "item.completed", item: { type: "agent_message", text: "first answer" } },
  { type: "event_msg", payload: { type: "user_message", message: "second question" } },
  { type: "item.completed", item: { type: "agent_message", text: "second answer" } },
].map((line) => JSON.stringify(line)).join("\n");

async function withFile(text: string | Uint8Array, test: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, typeof text === "string" ? new TextEncoder().encode(text) : text);
    await test(path);
  } finally {
    await Deno.remove(path);
  }
}

for (const [format, lines] of FILES) {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  Deno.test(`readTranscript() of ${format} has the conversation and nothing else`, async () => {
    for (const end of ["\n", "", '\n{"type":"user","mess', "\n\n\u0000\u0001\n"]) {
      await withFile(text + end, async (path) => {
        const expected = format === "codex" ? CODEX_TALK : TALK;
        assertEquals(await readTranscript(path, { transcript: format }), expected, JSON.stringify(end));
      });
    }
  });
}

Deno.test("readTranscript() takes Gemini's replaced messages for the whole story before them", async () => {
  const lines = [
    { id: "1", type: "user", content: "rewound" },
    {
      $set: {
        messages: [{ id: "2", type: "user", content: "kept" }, { id: "3", type: "gemini", content: "old" }],
      },
    },
    { id: "3", type: "gemini", content: "new" },
  ];
  await withFile(lines.map((line) => JSON.stringify(line)).join("\n"), async (path) => {
    assertEquals(await readTranscript(path, { transcript: "gemini" }), "User: kept\n\nAssistant: new");
  });
});

Deno.test("readTranscript() reads a chat that Gemini CLI keeps as one document", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/session-2026-11-17T10-43-a7c57a89.json`;
  const chat = {
    sessionId: "a7c57a89",
    startTime: "2026-11-17T10:43:08.440Z",
    messages: [
      { id: "1", type: "user", content: [{ text: "a question" }] },
      { id: "2", type: "gemini", content: "an answer", thoughts: [], model: "gemini-2.5-flash" },
      { id: "3", type: "info", content: "NOISE" },
    ],
    kind: "main",
  };
  for (const text of [JSON.stringify(chat), JSON.stringify(chat, null, 2)]) {
    await Deno.writeTextFile(path, text);
    assertEquals(
      await readTranscript(path, { transcript: "gemini" }),
      "User: a question\n\nAssistant: an answer",
    );
  }
  // The program may be in the middle of a write.
  for (const text of ["", '{"messages":[', "[]", '{"messages":{}}']) {
    await Deno.writeTextFile(path, text);
    assertEquals(await readTranscript(path, { transcript: "gemini" }), undefined, text);
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("readTranscript() keeps the newest part of a huge file, and skips lines that are no messages", async () => {
  const line = (i: number) =>
    JSON.stringify({ type: "user", message: { role: "user", content: `${i} ${"ä".repeat(400)}` } });
  const blob = JSON.stringify({ type: "api-request", prompt: "P".repeat(3_000_000) });
  const lines = Array.from({ length: 3000 }, (_, i) => i % 1000 === 999 ? blob : line(i));
  await withFile(lines.join("\n"), async (path) => {
    const text = await readTranscript(path, { transcript: "claude-code" }) ?? "";
    assertEquals(text.length <= MAX_TRANSCRIPT_CHARS, true);
    assertEquals(text.length > MAX_TRANSCRIPT_CHARS * 0.95, true);
    assertStringIncludes(text.slice(-420), "User: 2998 ");
    assertEquals(text.isWellFormed() && text.startsWith("User: "), true);
  });
});

Deno.test("readTranscript() cuts a Codex conversation between messages, so that each line stays JSON", async () => {
  const text = (i: number) => `${i} "quoted"\n${"ä".repeat(30_000)}`;
  const lines = [1, 2, 3, 4, 5].map((i) => JSON.stringify(message("user", text(i))));
  await withFile(lines.join("\n"), async (path) => {
    const sent = await readTranscript(path, { transcript: "codex" }) ?? "";
    const messages = sent.split("\n").map((line) => JSON.parse(line).payload.message);
    assertEquals(messages.length, 4);
    assertEquals(messages.slice(1), [text(3), text(4), text(5)]);
    assertEquals(messages.join("").length <= MAX_TRANSCRIPT_CHARS, true);
  });
});

Deno.test("readTranscript() leaves out text that Signet injected, in every form", async () => {
  const injected = 'You are "Ada".\nYou like tea.';
  const lines = [message("user", `${injected}\n\nhello`), message("assistant", injected, "output_text")];
  await withFile(lines.map((line) => JSON.stringify(line)).join("\n"), async (path) => {
    assertEquals(
      await readTranscript(path, { transcript: "codex", injected }),
      JSON.stringify({ type: "event_msg", payload: { type: "user_message", message: "hello" } }),
    );
  });
});

Deno.test("readTranscript() reads plain text, newest part, from the start of a line", async () => {
  await withFile("User: hi\nAssistant: hello\n", async (path) => {
    assertEquals(await readTranscript(path, { transcript: "text" }), "User: hi\nAssistant: hello");
  });
  await withFile("User: äöü 🎉\n".repeat(60_000), async (path) => {
    const text = await readTranscript(path, { transcript: "text" }) ?? "";
    assertEquals([text.length <= MAX_TRANSCRIPT_CHARS, text.startsWith("User: äöü 🎉\n")], [true, true]);
  });
});

Deno.test("readTranscript() returns undefined for anything that is not a conversation", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await new Deno.Command("mkfifo", { args: [`${dir}/fifo`] }).output();
    await Deno.writeTextFile(`${dir}/empty`, "");
    for (
      const path of [`${dir}/missing`, `${dir}/fifo`, `${dir}/empty`, dir, "/dev/zero", "/dev/null", "\u0000"]
    ) {
      for (const transcript of ["claude-code", "text"] as const) {
        assertEquals(await readTranscript(path, { transcript }), undefined, path);
      }
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("readTranscript() of a file that grows ends where the file did at first", async () => {
  const line = `${JSON.stringify({ type: "user", message: { content: "x".repeat(900) } })}\n`;
  await withFile(line.repeat(5000), async (path) => {
    using file = await Deno.open(path, { append: true });
    const bytes = new TextEncoder().encode(line.repeat(20));
    let grown = 0;
    const text = await readTranscript(path, { transcript: "claude-code" }, () => {
      grown += file.writeSync(bytes);
      return false;
    });
    assertEquals([(text?.length ?? 0) <= MAX_TRANSCRIPT_CHARS, grown > 1_000_000], [true, true]);
  });
});

Deno.test("readTranscript() keeps what it has when time is up", async () => {
  const line = (i: number) => JSON.stringify({ type: "user", message: { content: `message ${i}` } });
  await withFile(Array.from({ length: 100 }, (_, i) => line(i)).join("\n"), async (path) => {
    let looks = 0;
    const text = await readTranscript(path, { transcript: "claude-code" }, () => ++looks > 2);
    assertEquals(text, "User: message 98\n\nUser: message 99");
  });
});

Deno.test("cleanTranscript() bounds and cleans what came inline", () => {
  assertEquals(cleanTranscript("<mem>x</mem>\nUser: hi", { injectedTags: ["mem"] }), "User: hi");
  assertEquals(cleanTranscript(" \n", {}), undefined);
  assertEquals(
    cleanTranscript("User: a\nb\nAssistant: c", { transcript: "codex" }),
    [
      { type: "event_msg", payload: { type: "user_message", message: "a\nb" } },
      { type: "item.completed", item: { type: "agent_message", text: "c" } },
    ].map((line) => JSON.stringify(line)).join("\n"),
  );
  assertEquals(
    (cleanTranscript("User: hello\n".repeat(20_000), {}) ?? "").length <= MAX_TRANSCRIPT_CHARS,
    true,
  );
});

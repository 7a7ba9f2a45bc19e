import { assertEquals, assertRejects } from "@std/assert";
import { Recorder } from "../base/testing/plugin_recorder.ts";
import { pi } from "./harness.ts";
import source from "./signet.ts" with { type: "text" };

type Handler = (event: Record<string, unknown>, ctx: unknown) => Promise<unknown>;
interface Tool {
  name: string;
  execute(id: string, params: Record<string, string>): Promise<unknown>;
}
interface Loaded {
  on: Record<string, Handler>;
  tools: Record<string, Tool>;
}

/** The extension as pi 0.x loads it; `more` is what other versions have besides. */
async function load(recorder: Recorder, more: Record<string, unknown> = {}): Promise<Loaded> {
  const { default: extension } = await recorder.load(source, pi, "signet.ts") as {
    default(api: unknown): void;
  };
  const loaded: Loaded = { on: {}, tools: {} };
  extension({
    on: (name: string, handler: Handler) => void (loaded.on[name] = handler),
    registerTool: (tool: Tool) => void (loaded.tools[tool.name] = tool),
    ...more,
  });
  return loaded;
}

const entry = (role: string, text: string) => ({
  type: "message",
  message: { role, content: [{ type: "text", text }] },
});

function context(id: string, entries: unknown[] = []) {
  return { cwd: "/home/u/proj", sessionManager: { getSessionId: () => id, getBranch: () => entries } };
}

const BASE = { session_id: "s1", cwd: "/home/u/proj" };

Deno.test("pi extension injects both texts, and ends with a transcript without them", async () => {
  await using recorder = await Recorder.create();
  const { on } = await load(recorder);
  await on.session_start?.({ reason: "startup" }, context("s1"));
  assertEquals(
    await on.before_agent_start?.({ prompt: "hello", systemPrompt: "You are pi" }, context("s1")),
    {
      systemPrompt: "You are pi\n\nSTART-TEXT",
      message: { customType: "signet", content: "PROMPT-TEXT", display: false },
    },
  );
  const branch = [
    entry("user", "hello"),
    { type: "custom_message", customType: "signet", content: "PROMPT-TEXT" },
    entry("toolResult", "output"),
    entry("assistant", "hi"),
  ];
  await on.session_shutdown?.({ reason: "quit" }, context("s1", branch));
  await on.session_shutdown?.({ reason: "quit" }, context("s1", branch));
  assertEquals(await recorder.records(), [
    { event: "session-start", ...BASE, source: "startup" },
    { event: "user-prompt-submit", ...BASE, prompt: "hello" },
    { event: "session-end", ...BASE, reason: "session_shutdown", transcript: "User: hello\n\nAssistant: hi" },
  ]);
});

Deno.test("pi extension recognises a continued session by its replies, and does not end it on reload", async () => {
  await using recorder = await Recorder.create();
  const { on } = await load(recorder);
  const branch = [entry("user", "hello"), entry("assistant", "hi")];
  await on.before_agent_start?.({ prompt: "more", systemPrompt: "" }, context("s1", branch));
  await on.session_shutdown?.({ reason: "reload" }, context("s1", branch));
  const calls = await recorder.calls();
  assertEquals(calls.map((call) => call.event), ["session-start", "user-prompt-submit"]);
  assertEquals(calls[0]?.input.source, "resume");
  assertEquals(calls[1]?.input.last_assistant_message, "hi");
});

Deno.test("pi extension starts a new session when pi changes it", async () => {
  await using recorder = await Recorder.create();
  const { on } = await load(recorder);
  for (const id of ["s1", "s2"]) {
    await on.session_start?.({ reason: "new" }, context(id));
    await on.before_agent_start?.({ prompt: "hello", systemPrompt: "" }, context(id));
    await on.session_shutdown?.({ reason: "new" }, context(id));
  }
  const ends = (await recorder.calls()).filter((call) => call.event === "session-end");
  assertEquals(ends.map((call) => call.input.session_id), ["s1", "s2"]);
});

Deno.test("pi extension reports a compaction before and after", async () => {
  await using recorder = await Recorder.create();
  const { on } = await load(recorder);
  await on.before_agent_start?.({ prompt: "hello", systemPrompt: "" }, context("s1"));
  assertEquals(await on.session_before_compact?.({ reason: "threshold" }, context("s1")), undefined);
  await on.session_compact?.({ reason: "threshold", compactionEntry: { summary: "SUM" } }, context("s1"));
  const [, , before, after] = await recorder.calls();
  assertEquals([before?.event, before?.input.trigger], ["pre-compaction", "auto"]);
  assertEquals([after?.event, after?.input.summary], ["compaction-complete", "SUM"]);
});

Deno.test("pi extension's tools call our binary, and throw if it does not answer", async () => {
  await using recorder = await Recorder.create();
  const { tools } = await load(recorder);
  assertEquals(await tools.memory_search?.execute("1", { query: "-bike" }), {
    content: [{ type: "text", text: "RECALLED" }],
    details: undefined,
  });
  assertEquals(await recorder.events(), ["recall --json -- -bike"]);
  const unanswered = tools.memory_store?.execute("2", { content: "a fact" }) ?? Promise.resolve();
  await assertRejects(() => unanswered, Error, "Signet did not answer memory_store");
});

Deno.test("pi extension's tools store with the project, and name the failure", async () => {
  const error = "The daemon at http://127.0.0.1:1 rejected the API key.";
  const printed = JSON.stringify({ error, code: 6, next: "signet-pi install --api-key-stdin" });
  await using recorder = await Recorder.create(
    `#!/bin/sh
printf '%s\\t{}\\n' "$*" >> "$(dirname "$0")/calls"
if [ "$1" = hook ]; then exit 0; fi
echo '${printed}'
exit 6
`,
  );
  const { on, tools } = await load(recorder);
  await on.before_agent_start?.({ prompt: "hello", systemPrompt: "" }, context("s1"));
  const refused = tools.memory_store?.execute("2", { content: "a fact" }) ?? Promise.resolve();
  await assertRejects(
    () => refused,
    Error,
    `memory_store: ${error} Run: signet-pi install --api-key-stdin`,
  );
  assertEquals((await recorder.events()).at(-1), "remember --json --project /home/u/proj -- a fact");
});

Deno.test("pi extension never throws, whatever pi passes", async () => {
  await using recorder = await Recorder.create();
  const { on } = await load(recorder);
  for (const handler of Object.values(on)) {
    for (const value of [undefined, null, {}] as never[]) await handler(value, value);
  }
});

Deno.test("pi extension leaves out a run that an extension's message starts, and keeps the session's text in it", async () => {
  await using recorder = await Recorder.create();
  const { on } = await load(recorder);
  // The shape of pi 1.5: `messageType` and `message` in place of `prompt`.
  const custom = {
    messageType: "custom",
    message: { customType: "x", content: "done" },
    systemPrompt: "You",
  };
  assertEquals(await on.before_agent_start?.(custom, context("s1")), undefined);
  assertEquals(await recorder.events(), []);
  await on.before_agent_start?.({ messageType: "user", prompt: "hello", systemPrompt: "You" }, context("s1"));
  assertEquals(await on.before_agent_start?.(custom, context("s1")), { systemPrompt: "You\n\nSTART-TEXT" });
  assertEquals(await recorder.events(), ["session-start", "user-prompt-submit"]);
});

Deno.test("pi extension reports the same prompt in a later run again", async () => {
  await using recorder = await Recorder.create();
  const { on } = await load(recorder);
  for (let run = 0; run < 2; run++) {
    await on.before_agent_start?.({ prompt: "hello", systemPrompt: "" }, context("s1"));
    await on.agent_start?.({}, context("s1"));
  }
  assertEquals(await recorder.events(), ["session-start", "user-prompt-submit", "user-prompt-submit"]);
});

Deno.test("pi extension registers the MCP server in place of its tools where pi has MCP", async () => {
  await using recorder = await Recorder.create();
  const servers: unknown[] = [];
  const registerMcpServer = (...given: unknown[]) => void servers.push(given);
  const { tools } = await load(recorder, { registerMcpServer });
  assertEquals(servers, [["signet", { command: recorder.program, args: ["mcp"], exposure: "direct" }]]);
  assertEquals(Object.keys(tools), []);
});

Deno.test("pi extension falls back to its tools where another extension has a server named signet", async () => {
  await using recorder = await Recorder.create();
  const registerMcpServer = () => {
    throw new Error("signet is registered already");
  };
  const { tools } = await load(recorder, { registerMcpServer });
  assertEquals(Object.keys(tools), ["memory_search", "memory_store"]);
});

Deno.test("pi extension does nothing in oh-my-pi, which has an extension of its own", async () => {
  await using recorder = await Recorder.create();
  assertEquals(await load(recorder, { pi: {} }), { on: {}, tools: {} });
});

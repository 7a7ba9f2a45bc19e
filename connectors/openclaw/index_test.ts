import { assertEquals, assertObjectMatch } from "@std/assert";
import { sessionName } from "../../hooks/agents/dir.ts";
import { Recorder } from "../base/testing/plugin_recorder.ts";
import { until } from "../base/testing/until.ts";
import { openclaw } from "./harness.ts";
import source from "./index.js" with { type: "text" };

type Handler = (event: Record<string, unknown>, ctx: Record<string, unknown>) => Promise<unknown>;
interface Plugin {
  id: string;
  register(api: { on(name: string, handler: Handler): void; runtime?: object }): void;
}

/** One copy of the plugin: OpenClaw loads two into a process. */
async function load(recorder: Recorder, name: string): Promise<Record<string, Handler>> {
  const { default: plugin } = await recorder.load(source, openclaw, name) as { default: Plugin };
  const handlers: Record<string, Handler> = {};
  plugin.register({ on: (event, handler) => void (handlers[event] = handler) });
  return handlers;
}

const user = (text: string) => ({ role: "user", content: text });
const assistant = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });
const context = (sessionId: string, extra = {}) => ({
  sessionId,
  sessionKey: `agent:main:${sessionId}`,
  workspaceDir: "/home/u/claw",
  trigger: "user",
  ...extra,
});

async function turn(handlers: Record<string, Handler>, id: string, prompt: string, history: unknown[] = []) {
  const result = await handlers.before_prompt_build?.({ prompt, messages: history }, context(id));
  const messages = [...history, user(prompt), assistant(`re: ${prompt}`)];
  await handlers.agent_end?.({ messages, success: true }, context(id));
  return { result, messages };
}

Deno.test("OpenClaw plugin injects both texts, and checkpoints each turn without session events", async () => {
  await using recorder = await Recorder.create();
  const handlers = await load(recorder, "index.js");
  const { result } = await turn(handlers, "local", "hello");
  assertEquals(result, { appendSystemContext: "START-TEXT", prependContext: "PROMPT-TEXT" });
  const base = { session_id: "local", cwd: "/home/u/claw" };
  assertEquals(await recorder.records(), [
    { event: "session-start", ...base, source: "startup" },
    { event: "user-prompt-submit", ...base, prompt: "hello" },
    { event: "checkpoint", ...base, transcript: "User: hello\n\nAssistant: re: hello" },
  ]);
});

Deno.test("OpenClaw plugin starts another session after /new, even with the same id", async () => {
  await using recorder = await Recorder.create();
  // Session events reach one copy of the module, prompts the other.
  const sessions = await load(recorder, "sessions.js");
  const prompts = await load(recorder, "prompts.js");
  const id = { sessionId: "same", sessionKey: "agent:main:same" };
  await sessions.session_start?.(id, id);
  await turn(prompts, "same", "first");
  await sessions.session_end?.({ ...id, reason: "new", nextSessionId: "same" }, id);
  await sessions.session_start?.({ ...id, resumedFrom: "same" }, id);
  await turn(prompts, "same", "second");
  await sessions.session_end?.({ ...id, reason: "shutdown" }, id);
  await sessions.session_end?.({ ...id, reason: "shutdown" }, id);
  const calls = await recorder.calls();
  assertEquals(calls.map((call) => call.event), [
    "session-start",
    "user-prompt-submit",
    "session-end",
    "session-start",
    "user-prompt-submit",
    "session-end",
  ]);
  assertEquals(new Set(calls.map((call) => call.input.session_id)).size, 2);
  const ends = calls.filter((call) => call.event === "session-end").map((call) => call.input);
  assertEquals(ends.map(({ reason, transcript }) => ({ reason, transcript })), [
    { reason: "session_switch", transcript: "User: first\n\nAssistant: re: first" },
    { reason: "session_shutdown", transcript: "User: second\n\nAssistant: re: second" },
  ]);
});

Deno.test("OpenClaw plugin keeps the turn that /new interrupts, and no turn twice", async () => {
  await using recorder = await Recorder.create();
  const handlers = await load(recorder, "index.js");
  const id = { sessionId: "reset", sessionKey: "agent:main:reset" };
  await handlers.session_start?.(id, id);
  const { messages } = await turn(handlers, "reset", "first");
  await handlers.before_reset?.({ messages, reason: "new" }, context("reset"));
  await handlers.before_prompt_build?.({ prompt: "second", messages }, context("reset"));
  await handlers.before_reset?.({ messages: [...messages, user("second")], reason: "new" }, context("reset"));
  await handlers.session_end?.({ ...id, reason: "new", nextSessionId: "next" }, id);
  assertEquals(
    (await recorder.calls()).at(-1)?.input.transcript,
    "User: first\n\nAssistant: re: first\n\nUser: second",
  );
});

Deno.test("OpenClaw plugin sends a compaction's summary once, and ends with the full transcript", async () => {
  await using recorder = await Recorder.create();
  const handlers = await load(recorder, "index.js");
  const id = { sessionId: "compact", sessionKey: "agent:main:compact" };
  await handlers.session_start?.(id, id);
  await turn(handlers, "compact", "first");
  await handlers.before_compaction?.({ messageCount: 2 }, context("compact"));
  await handlers.after_compaction?.({ compactedCount: 1 }, context("compact"));
  const kept = [{ role: "compactionSummary", summary: "SUM" }, assistant("re: first")];
  const { messages } = await turn(handlers, "compact", "second", kept);
  await turn(handlers, "compact", "third", messages);
  await handlers.session_end?.({ ...id, reason: "shutdown" }, id);
  const calls = await recorder.calls();
  const summaries = calls.filter((call) => call.event === "compaction-complete").map((call) =>
    call.input.summary
  );
  assertEquals(summaries, ["SUM"]);
  assertEquals(
    calls.at(-1)?.input.transcript,
    ["first", "second", "third"].map((word) => `User: ${word}\n\nAssistant: re: ${word}`).join("\n\n"),
  );
});

Deno.test("OpenClaw plugin keeps a session whose id changes in a compaction", async () => {
  await using recorder = await Recorder.create();
  const handlers = await load(recorder, "index.js");
  await handlers.session_start?.({ sessionId: "old" }, { sessionId: "old" });
  await turn(handlers, "old", "first");
  await handlers.session_end?.({ sessionId: "old", reason: "compaction", nextSessionId: "next" }, {
    sessionId: "old",
  });
  await handlers.session_start?.({ sessionId: "next" }, { sessionId: "next" });
  await turn(handlers, "next", "second");
  const calls = await recorder.calls();
  assertEquals(calls.map((call) => call.event), [
    "session-start",
    "user-prompt-submit",
    "user-prompt-submit",
  ]);
  assertEquals(new Set(calls.map((call) => call.input.session_id)).size, 1);
});

Deno.test("OpenClaw plugin searches only for messages from a person", async () => {
  await using recorder = await Recorder.create();
  const handlers = await load(recorder, "index.js");
  const result = await handlers.before_prompt_build?.(
    { prompt: "HEARTBEAT", messages: [] },
    context("beat", { trigger: "heartbeat" }),
  );
  assertEquals(result, { appendSystemContext: "START-TEXT" });
});

Deno.test("OpenClaw plugin names a sub-agent's parent", async () => {
  await using recorder = await Recorder.create();
  const handlers = await load(recorder, "index.js");
  await turn(handlers, "parent", "go");
  await handlers.subagent_spawned?.(
    { childSessionKey: "agent:main:child" },
    { requesterSessionKey: "agent:main:parent" },
  );
  await turn(handlers, "child", "work");
  const child = (await recorder.calls()).find((call) => call.input.session_id === "child");
  assertEquals(child?.input.parent_session_key, "parent");
});

Deno.test("OpenClaw plugin never throws, whatever OpenClaw passes", async () => {
  await using recorder = await Recorder.create();
  const handlers = await load(recorder, "index.js");
  for (const name of Object.keys(handlers)) {
    for (const value of [undefined, null, {}, { messages: "none" }] as never[]) {
      await handlers[name]?.(value, value);
    }
  }
});

/** What a new process of OpenClaw has: nothing in memory. */
function forgetProcess(): void {
  Reflect.deleteProperty(globalThis, Symbol.for("signet-connector"));
}

Deno.test("OpenClaw plugin keeps a conversation's key when the gateway restarts", async () => {
  await using recorder = await Recorder.create();
  const id = { sessionId: "kept", sessionKey: "agent:main:kept" };
  forgetProcess();
  const first = await load(recorder, "before.js");
  await first.session_start?.(id, id);
  await turn(first, "kept", "one");
  await first.session_end?.({ ...id, reason: "restart" }, id);
  // A restarted gateway reports no start of a conversation that goes on.
  forgetProcess();
  await turn(await load(recorder, "after.js"), "kept", "two");
  assertEquals(new Set((await recorder.calls()).map(({ input }) => input.session_id)), new Set(["kept"]));
});

Deno.test("OpenClaw plugin does not bring a state directory back that an uninstall has removed", async () => {
  await using recorder = await Recorder.create();
  forgetProcess();
  const handlers = await load(recorder, "open.js");
  const id = { sessionId: "open", sessionKey: "agent:main:open" };
  await turn(handlers, "open", "one");
  await Deno.remove(recorder.stateDir, { recursive: true });
  await handlers.session_end?.({ ...id, reason: "compaction", nextSessionId: "next" }, id);
  await turn(handlers, "next", "two");
  await handlers.session_end?.({ sessionId: "next", reason: "new" }, id);
  assertEquals(await Deno.stat(recorder.stateDir).catch(() => "none"), "none");
  forgetProcess();
});

Deno.test("OpenClaw plugin keeps the key after /new or a compaction when the gateway restarts", async () => {
  await using recorder = await Recorder.create();
  forgetProcess();
  const first = await load(recorder, "before.js");
  const id = { sessionId: "again", sessionKey: "agent:main:again" };
  await first.session_start?.(id, id);
  await turn(first, "again", "one");
  await first.session_end?.({ ...id, reason: "new", nextSessionId: "again" }, id);
  await first.session_start?.({ ...id, resumedFrom: "again" }, id);
  await turn(first, "again", "two");
  await first.session_end?.({ ...id, reason: "compaction", nextSessionId: "next" }, id);
  forgetProcess();
  await turn(await load(recorder, "after.js"), "next", "three");
  const prompts = (await recorder.calls()).filter(({ event }) => event === "user-prompt-submit");
  const [one, two, three] = prompts.map(({ input }) => input.session_id);
  assertEquals([one === two, two === three], [false, true]);
  forgetProcess();
});

Deno.test("OpenClaw plugin wakes an idle session of a gateway with a heartbeat, and not one without a gateway", async () => {
  await using recorder = await Recorder.create();
  const agents = {
    harness: "openclaw",
    dir: `${recorder.dir}/agents`,
    configs: [],
    doorbell: "RING",
    tools: [],
    timeouts: {},
  };
  const { default: plugin } = await recorder.load(source, openclaw, "wakes.js", { agents }) as {
    default: Plugin;
  };
  const handlers: Record<string, Handler> = {};
  const rung: unknown[][] = [];
  const system = {
    enqueueSystemEvent: (...args: unknown[]) => void rung.push(args),
    requestHeartbeat: (...args: unknown[]) => void rung.push(args),
  };
  plugin.register({ on: (event, handler) => void (handlers[event] = handler), runtime: { system } });
  const ctx = context("gate", { agentId: "main" });
  const local = context("local-2", { agentId: "main" });
  for (const each of [ctx, local]) {
    const inbox = `${agents.dir}/inbox/${sessionName("openclaw", each.sessionId)}/new`;
    await Deno.mkdir(inbox, { recursive: true });
    await Deno.writeTextFile(`${inbox}/m_1-3.json`, "{}");
  }
  // A timer of this one would outlive the test, which fails then.
  await handlers.agent_end?.({ messages: [user("a"), assistant("b")] }, local);
  await handlers.session_start?.(ctx, ctx);
  await handlers.agent_end?.({ messages: [user("a"), assistant("b")] }, ctx);
  await until("it rang", () => rung.length === 2);
  const at = { agentId: "main", sessionKey: "agent:main:gate" };
  assertEquals(rung[0], ["RING", at]);
  assertObjectMatch(Object(rung[1]?.[0]), { ...at, intent: "immediate", heartbeat: { target: "none" } });
  await handlers.before_prompt_build?.({ prompt: "RING", messages: [] }, { ...ctx, trigger: "heartbeat" });
});

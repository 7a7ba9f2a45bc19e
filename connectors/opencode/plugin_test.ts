import { assertEquals } from "@std/assert";
import { Recorder } from "../base/testing/plugin_recorder.ts";
import { opencode } from "./harness.ts";
import source from "./plugin.mjs" with { type: "text" };

interface Part {
  id: string;
  type: string;
  text: string;
  synthetic?: boolean;
}
interface Message {
  info: { id: string; role: string; sessionID: string; summary?: unknown };
  parts: Part[];
}
interface Hooks {
  event(input: { event: { type: string; properties: unknown } }): Promise<void>;
  "chat.message"(
    input: { sessionID: string },
    output: { message: { id: string }; parts: Part[] },
  ): Promise<void>;
  "experimental.chat.system.transform"(
    input: { sessionID?: string },
    output: { system: string[] },
  ): Promise<void>;
  "experimental.chat.messages.transform"(input: unknown, output: { messages: Message[] }): Promise<void>;
  "experimental.session.compacting"(
    input: { sessionID: string },
    output: { context: string[] },
  ): Promise<void>;
  dispose(): Promise<void>;
}

const ID = "ses_1";
const text = (id: string, words: string, extra = {}): Part => ({ id, type: "text", text: words, ...extra });
const message = (id: string, role: string, words: string, extra = {}): Message => ({
  info: { id, role, sessionID: ID, ...extra },
  parts: [text(`prt_${id}`, words)],
});

/** The plugin, loaded by a stand-in for OpenCode that has these messages. */
async function start(recorder: Recorder, messages: Message[], info: unknown = { id: ID }): Promise<Hooks> {
  const session = {
    get: () => Promise.resolve({ data: info }),
    messages: () => Promise.resolve({ data: messages }),
  };
  const exported = await recorder.load(source, opencode, "signet.mjs");
  const { Signet } = exported as { Signet(input: unknown): Promise<Hooks> };
  assertEquals(Object.keys(exported as object), ["Signet"], "OpenCode accepts only functions");
  return await Signet({ client: { session }, directory: "/home/u/proj" });
}

const send = (hooks: Hooks, words: string, id = "msg_1") =>
  hooks["chat.message"]({ sessionID: ID }, { message: { id }, parts: [text("prt_1", words)] });

Deno.test("OpenCode plugin starts a resumed session at its first message, and ends it with the conversation", async () => {
  await using recorder = await Recorder.create();
  const history = [
    message("m1", "user", "hello", { summary: { title: "t" } }),
    message("m2", "assistant", "hi"),
    message("m3", "assistant", "a summary", { summary: true }),
    { ...message("m4", "user", "x"), parts: [text("p", "put in by a plugin", { synthetic: true })] },
  ];
  const hooks = await start(recorder, history, { id: ID, directory: "/home/u/other", parentID: "ses_0" });
  await send(hooks, "hello");
  await Promise.all([hooks.dispose(), hooks.dispose()]);
  const base = { session_id: ID, cwd: "/home/u/other", parent_session_key: "ses_0" };
  assertEquals(await recorder.records(), [
    { event: "session-start", ...base, source: "resume" },
    { event: "user-prompt-submit", ...base, prompt: "hello" },
    { event: "session-end", ...base, reason: "session_shutdown", transcript: "User: hello\n\nAssistant: hi" },
  ]);
});

Deno.test("OpenCode plugin adds the session's text and the prompt's to each request once", async () => {
  await using recorder = await Recorder.create();
  const hooks = await start(recorder, []);
  await send(hooks, "hello", "m1");
  for (let request = 0; request < 2; request++) {
    const system = ["You are opencode"];
    await hooks["experimental.chat.system.transform"]({ sessionID: ID }, { system });
    assertEquals(system, ["You are opencode", "START-TEXT"]);
    const stored = message("m1", "user", "hello");
    const messages = [stored];
    await hooks["experimental.chat.messages.transform"]({}, { messages });
    assertEquals(messages[0]?.parts.map((part) => part.text), ["hello", "PROMPT-TEXT"]);
    assertEquals(stored.parts.length, 1, "what OpenCode stores stays as it is");
  }
  assertEquals(await recorder.events(), ["session-start", "user-prompt-submit"]);
});

Deno.test("OpenCode plugin keeps its text out of titles, summaries and new agents", async () => {
  await using recorder = await Recorder.create();
  const hooks = await start(recorder, []);
  await send(hooks, "hello", "m1");
  const context: string[] = [];
  await hooks["experimental.session.compacting"]({ sessionID: ID }, { context });
  assertEquals(context, ["GUIDE-TEXT"]);
  const messages = [message("m1", "user", "hello")];
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  assertEquals(messages[0]?.parts.length, 1);
  for (
    const [sessionID, first] of [[ID, "You summarize"], ["ses_2", "You are a title generator. x"], [
      undefined,
      "x",
    ]]
  ) {
    const system = [String(first)];
    await hooks["experimental.chat.system.transform"]({ sessionID }, { system });
    assertEquals(system.length, 1);
  }
});

Deno.test("OpenCode plugin sends the summary of a compaction, and waits for it at the end", async () => {
  await using recorder = await Recorder.create();
  const hooks = await start(recorder, [
    message("m1", "user", "hello"),
    message("m2", "assistant", "SUM", { summary: true }),
  ]);
  await hooks.event({
    event: { type: "session.created", properties: { info: { id: ID, directory: "/home/u/p" } } },
  });
  await send(hooks, "hello");
  hooks.event({ event: { type: "session.compacted", properties: { sessionID: ID } } });
  await hooks.dispose();
  const calls = await recorder.calls();
  assertEquals(calls.map((call) => call.event), [
    "session-start",
    "user-prompt-submit",
    "compaction-complete",
    "session-end",
  ]);
  assertEquals(calls[0]?.input.source, "startup");
  assertEquals(calls[2]?.input.summary, "SUM");
});

Deno.test("OpenCode plugin ends a deleted session once", async () => {
  await using recorder = await Recorder.create();
  const hooks = await start(recorder, [message("m1", "user", "hello")]);
  await send(hooks, "hello");
  hooks.event({ event: { type: "session.deleted", properties: { info: { id: ID } } } });
  await hooks.dispose();
  const ends = (await recorder.calls()).filter((call) => call.event === "session-end");
  assertEquals(ends.map((call) => call.input.reason), ["session.deleted"]);
});

Deno.test("OpenCode plugin checkpoints every tenth turn", async () => {
  await using recorder = await Recorder.create();
  const hooks = await start(recorder, [message("m1", "user", "hello")]);
  await send(hooks, "hello");
  for (let turn = 0; turn < 10; turn++) {
    hooks.event({ event: { type: "session.idle", properties: { sessionID: ID } } });
  }
  await hooks.dispose();
  const points = (await recorder.calls()).filter((call) => call.event === "checkpoint");
  assertEquals(points.map((call) => call.input.transcript), ["User: hello"]);
});

Deno.test("OpenCode plugin never throws, whatever OpenCode passes", async () => {
  await using recorder = await Recorder.create();
  const hooks = await start(recorder, [], undefined);
  const odd = [undefined, null, {}, { sessionID: 7 }, []] as never[];
  for (const value of odd) {
    await hooks["chat.message"](value, value);
    await hooks["experimental.chat.system.transform"](value, value);
    await hooks["experimental.chat.messages.transform"](value, value);
    await hooks["experimental.session.compacting"](value, value);
    await hooks.event({ event: { type: "session.deleted", properties: value } });
  }
  await hooks.dispose();
});

Deno.test("OpenCode plugin ends its sessions before an older OpenCode exits, with what it heard since", async () => {
  await using recorder = await Recorder.create();
  const history = [message("m1", "user", "hello"), message("m2", "assistant", "hi")];
  const hooks = await start(recorder, history);
  await send(hooks, "hello", "m1");
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: ID } } });
  await send(hooks, "more", "m3");
  const part = { id: "p4", sessionID: ID, type: "text", text: "answer", time: { end: 1 } };
  await hooks.event({ event: { type: "message.part.updated", properties: { part } } });
  // The process is gone as soon as this returns.
  hooks.event({ event: { type: "server.instance.disposed", properties: {} } });
  const end = (await recorder.records()).at(-1);
  assertEquals([end?.event, end?.reason], ["session-end", "session_shutdown"]);
  const transcript = String(end?.transcript);
  assertEquals(transcript.endsWith("User: more\n\nAssistant: answer"), true, transcript);
  assertEquals(transcript.split("User: hello").length, 2, transcript);
  await hooks.dispose();
  assertEquals((await recorder.events()).filter((event) => event === "session-end").length, 1);
});

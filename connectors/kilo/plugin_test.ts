import { assertEquals } from "@std/assert";
import { Recorder } from "../base/testing/plugin_recorder.ts";
import { kilo } from "./harness.ts";
import source from "./plugin.js" with { type: "text" };

interface Hooks {
  config(config: unknown): Promise<void>;
  "chat.message"(input: unknown, output: unknown): Promise<void>;
  "experimental.chat.system.transform"(input: unknown, output: { system: string[] }): Promise<void>;
  dispose(): Promise<void>;
}

/** The plugin, loaded by a stand-in for Kilo with one message in its session. */
async function load(recorder: Recorder): Promise<Hooks> {
  const messages = [{
    info: { id: "m1", role: "user", sessionID: "ses_1" },
    parts: [{ id: "p1", type: "text", text: "hello" }],
  }];
  const session = {
    get: () => Promise.resolve({ data: { id: "ses_1" } }),
    messages: () => Promise.resolve({ data: messages }),
  };
  const exported = await recorder.load(source, kilo, "signet.js");
  assertEquals(Object.keys(exported as object), ["Signet"], "Kilo accepts only functions");
  const { Signet } = exported as { Signet(input: unknown): Promise<Hooks> };
  return await Signet({ client: { session }, directory: "/home/u/proj" });
}

Deno.test("Kilo plugin injects the session's text, and ends the session with the conversation", async () => {
  await using recorder = await Recorder.create();
  const hooks = await load(recorder);
  const parts = [{ id: "p1", type: "text", text: "hello" }];
  await hooks["chat.message"]({ sessionID: "ses_1" }, { message: { id: "m1" }, parts });
  const system = ["You are Kilo"];
  await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system });
  assertEquals(system, ["You are Kilo", "START-TEXT"]);
  await hooks.dispose();
  const base = { session_id: "ses_1", cwd: "/home/u/proj" };
  assertEquals(await recorder.records(), [
    { event: "session-start", ...base, source: "resume" },
    { event: "user-prompt-submit", ...base, prompt: "hello" },
    { event: "session-end", ...base, reason: "session_shutdown", transcript: "User: hello" },
  ]);
});

Deno.test("Kilo plugin adds the MCP server to the config, and replaces none of the user's", async () => {
  await using recorder = await Recorder.create();
  const { config } = await load(recorder);
  const signet = { type: "local", command: [recorder.program, "mcp"], enabled: true };
  const notes = { type: "local", command: ["/bin/notes"] };
  const off = { type: "local", command: ["/bin/x"], enabled: false };
  const cases: [Record<string, unknown>, unknown][] = [
    [{}, { signet }],
    [{ mcp: { notes } }, { notes, signet }],
    [{ mcp: { signet: off } }, { signet: off }],
  ];
  for (const [given, servers] of cases) {
    await config(given);
    assertEquals(given.mcp, servers);
  }
});

Deno.test("Kilo plugin adds no server to a config that is no object, and does not throw", async () => {
  await using recorder = await Recorder.create();
  const { config } = await load(recorder);
  for (const value of [undefined, null, "text", Object.freeze({})]) await config(value);
});

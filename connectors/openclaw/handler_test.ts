import { assertEquals } from "@std/assert";
import { Recorder } from "../base/testing/plugin_recorder.ts";
import { openclaw } from "./harness.ts";
import source from "./handler.js" with { type: "text" };

type Handle = (event: Record<string, unknown>) => Promise<void>;

async function load(recorder: Recorder): Promise<Handle> {
  return (await recorder.load(source, openclaw, "handler.js") as { default: Handle }).default;
}

const event = (type: string, action: string, context: Record<string, unknown> = {}) => ({
  type,
  action,
  sessionKey: "agent:main:main",
  context: { sessionId: "s1", workspaceDir: "/home/u/claw", ...context },
});

Deno.test("OpenClaw hook injects the session's text into each turn, and requests it once", async () => {
  await using recorder = await Recorder.create();
  const handle = await load(recorder);
  for (let turn = 0; turn < 2; turn++) {
    const bootstrapFiles: unknown[] = [];
    await handle(event("agent", "bootstrap", { bootstrapFiles }));
    assertEquals(bootstrapFiles, [
      { name: "SIGNET.md", path: "SIGNET.md", content: "START-TEXT", missing: false },
    ]);
  }
  await handle(event("command", "new"));
  await handle(event("gateway", "shutdown"));
  assertEquals(await recorder.events(), ["session-start", "session-end"]);
});

Deno.test("OpenClaw hook never throws, whatever OpenClaw passes", async () => {
  await using recorder = await Recorder.create();
  const handle = await load(recorder);
  for (const value of [undefined, null, {}, { type: "agent", action: "bootstrap" }] as never[]) {
    await handle(value);
  }
});

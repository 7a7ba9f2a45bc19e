import { assertEquals } from "@std/assert";
import { Recorder } from "../base/testing/plugin_recorder.ts";
import { omp } from "./harness.ts";
import source from "./signet.ts" with { type: "text" };

type Handlers = Record<string, (event: unknown, ctx?: unknown) => Promise<unknown>>;

/** The extension as oh-my-pi loads it: `pi` is its own exports, which pi has not. */
async function load(recorder: Recorder, api: Record<string, unknown> = { pi: {} }): Promise<Handlers> {
  const { default: extension } = await recorder.load(source, omp, "signet-omp.ts") as {
    default(api: unknown): void;
  };
  const on: Handlers = {};
  extension({ ...api, on: (name: string, handler: Handlers[string]) => void (on[name] = handler) });
  return on;
}

const entry = (role: string, text: string) => ({
  type: "message",
  message: { role, content: [{ type: "text", text }] },
});
const TALK = [
  entry("user", "hello"),
  { type: "custom_message", customType: "signet", content: "PROMPT-TEXT" },
  entry("assistant", "hi"),
];

function context(id: string, entries: unknown[] = []) {
  return { cwd: "/home/u/proj", sessionManager: { getSessionId: () => id, getBranch: () => entries } };
}

const BASE = { session_id: "s1", cwd: "/home/u/proj" };
const start = (on: Handlers, prompt = "hello", id = "s1") =>
  on.before_agent_start?.(
    { type: "before_agent_start", prompt, systemPrompt: ["You", "Rules"] },
    context(id),
  );

Deno.test("oh-my-pi extension adds a section to the system prompt, and ends on a shutdown without a reason", async () => {
  await using recorder = await Recorder.create();
  const on = await load(recorder);
  await on.session_start?.({ type: "session_start" }, context("s1"));
  assertEquals(await start(on), {
    systemPrompt: ["You", "Rules", "START-TEXT"],
    message: { customType: "signet", content: "PROMPT-TEXT", display: false },
  });
  await on.session_shutdown?.({ type: "session_shutdown" }, context("s1", TALK));
  assertEquals(await recorder.records(), [
    { event: "session-start", ...BASE, source: "startup" },
    { event: "user-prompt-submit", ...BASE, prompt: "hello" },
    { event: "session-end", ...BASE, reason: "session_shutdown", transcript: "User: hello\n\nAssistant: hi" },
  ]);
});

Deno.test("oh-my-pi extension gives the same answer where oh-my-pi drops the first one", async () => {
  await using recorder = await Recorder.create();
  const on = await load(recorder);
  const [first, second] = [await start(on), await start(on)];
  assertEquals(second, first);
  assertEquals(await recorder.events(), ["session-start", "user-prompt-submit"]);
});

for (
  const [event, reason] of [
    [{ type: "session_switch", reason: "new" }, "session_switch"],
    [{ type: "session_switch", reason: "fork" }, "session_fork"],
    [{ type: "session_branch" }, "session_fork"],
  ] as const
) {
  const title = Object.values(event).join(", ");
  Deno.test(`oh-my-pi extension ends the session that the user leaves: ${title}`, async () => {
    await using recorder = await Recorder.create();
    const on = await load(recorder);
    await start(on);
    await on.agent_end?.({ type: "agent_end" }, context("s1", TALK));
    await on[event.type]?.(event, context("s2"));
    await start(on, "hello", "s2");
    await on.session_shutdown?.({ type: "session_shutdown" }, context("s2"));
    const ends = (await recorder.calls()).filter((call) => call.event === "session-end");
    assertEquals(ends.map(({ input }) => [input.session_id, input.reason]), [
      ["s1", reason],
      ["s2", "session_shutdown"],
    ]);
    assertEquals(ends[0]?.input.transcript, "User: hello\n\nAssistant: hi");
    assertEquals((await recorder.events()).filter((name) => name === "user-prompt-submit").length, 2);
  });
}

Deno.test("oh-my-pi extension gives a compaction what Signet wants kept, and reports its summary", async () => {
  await using recorder = await Recorder.create();
  const on = await load(recorder);
  await start(on);
  const compacting = { type: "session.compacting", sessionId: "s1", messages: [] };
  assertEquals(await on["session.compacting"]?.(compacting, context("s1")), { context: ["GUIDE-TEXT"] });
  await on.session_compact?.({ compactionEntry: { summary: "SUM" } }, context("s1"));
  const [, , before, after] = await recorder.calls();
  assertEquals([before?.event, before?.input.trigger], ["pre-compaction", "auto"]);
  assertEquals([after?.event, after?.input.summary], ["compaction-complete", "SUM"]);
});

Deno.test("oh-my-pi extension does nothing in pi, which has an extension of its own", async () => {
  await using recorder = await Recorder.create();
  assertEquals(await load(recorder, {}), {});
});

Deno.test("oh-my-pi extension never throws, whatever oh-my-pi passes", async () => {
  await using recorder = await Recorder.create();
  for (const handler of Object.values(await load(recorder))) {
    for (const value of [undefined, null, {}]) await handler(value, value);
  }
});

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { serve } from "../../mock_daemon/mod.ts";
import { DIST } from "../worlds/built.ts";
import { CONNECT } from "../worlds/connected.ts";
import { World } from "../worlds/world.ts";

/** A machine with one harness that takes part in the mesh, and a session that has begun. */
async function machine(url: string, harness: string, agentId: string, key: string) {
  const world = await World.create();
  const connect = (args: string[], input?: string) => world.run(CONNECT, args, { input });
  const flags = ["--agents", "--yes", "--url", url, "--agent-id", agentId];
  const installed = await connect(["install", harness, ...flags]);
  assertEquals(installed.code, 0, installed.err);
  const hook = (event: string) => {
    const input = { session_id: key, cwd: "/home/u/app", source: "startup", prompt: "go on" };
    return connect(["hook", event, "-H", harness], JSON.stringify(input));
  };
  assertEquals((await hook("session-start")).code, 0);
  return { world, connect, hook, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

Deno.test("signet-connect: two machines talk through a daemon, from the hook to the answer", async () => {
  const daemon = serve();
  try {
    await using claude = await machine(daemon.url, "claude-code", "alice", crypto.randomUUID());
    await using codex = await machine(daemon.url, "codex", "bob", "019a8f3e-7b1c-7d2e-9f00-3f9a00c0ffee");
    assertMatch((await claude.connect(["agents"])).out, /^codex-3f9a +bob +\/home\/u\/app +live /m);
    const sent = await claude.connect(["send", "codex", "--as", "person", "Which tests fail?"]);
    assertEquals(sent.code, 0, sent.err);
    const id = /m_\w{26}/.exec(sent.out)?.[0] ?? "";
    // The sender is another agent in another directory: that is held until the user allows it.
    assertStringIncludes((await codex.hook("user-prompt-submit")).out, "1 message was held");
    const held = await codex.connect(["inbox", "--as", "codex"]);
    assertStringIncludes(
      held.out,
      '1 held by your policy, from alice: to show it, add the agent to "allow" in',
    );
    await codex.world.write(".config/signet/agents.json", '{"allow":["alice"]}');
    const shown = await codex.hook("user-prompt-submit");
    assertStringIncludes(shown.out, `id=\\"${id}\\"`);
    const replied = await codex.connect(["reply", "--as", "codex", id, "None."]);
    assertEquals(replied.code, 0, replied.err);
    const waited = await claude.connect(["wait", id, "--as", "person"]);
    assertEquals([waited.code, waited.out], [0, "None.\n"]);
    const nobody = await claude.connect(["send", "gemini", "--as", "person", "hello"]);
    assertEquals(nobody.code, 4);
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("signet-connect and a connector load the NATS library, and say that nobody is there", async () => {
  await using world = await World.create();
  const run = (program: string, ...args: string[]) => world.run(program, args);
  const set = await run(CONNECT, "agents", "config", "set", "transport", "nats://127.0.0.1:9");
  assertEquals(set.code, 0, set.err);
  assertStringIncludes(set.out, "agents login");
  for (const program of [CONNECT, `${DIST}/signet-pyagent`]) {
    const inbox = await run(program, "inbox");
    assertMatch(
      inbox.err,
      /The NATS server at nats:\/\/127\.0\.0\.1:9 is not reachable: .*refused/i,
      program,
    );
  }
});

import { assert, assertEquals, assertMatch } from "@std/assert";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { HOSTILE_TEXTS } from "../../connectors/base/testing/hostile_texts.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { serve } from "../../mock_daemon/mod.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";

/** A machine with two agents in two projects, a lock and a message. */
async function busyMachine(): Promise<AgentMachine> {
  const machine = await AgentMachine.make();
  const claude = machine.begin("claude-code", { key: "aaaa1111" });
  machine.sessions.update(claude, { status: "working", tool: "Edit", file: "/home/u/app/a.ts" });
  const codex = machine.begin("codex", { key: "3f9a0000", project: "/home/u/docs" });
  await new Locks(machine.dir).take("/home/u/app/a.ts", "/", {
    owner: { agentId: "me", harness: "claude-code", session: claude.key, machine: "m" },
    intent: "rename fields",
  });
  const from = { agentId: "me", session: claude.key, harness: "claude-code" };
  machine.inbox.put(codex, sampleMessage({ from, to: { session: codex.key }, text: "Please review." }));
  return machine;
}

Deno.test("monitor without a terminal prints agents, locks and messages once", async () => {
  await using machine = await busyMachine();
  const { code, out, err } = await machine.run("monitor");
  assertEquals([code, err], [0, ""]);
  const lines = out.split("\n").map((line) => line.replaceAll(/ +/g, " "));
  const has = (pattern: RegExp) => assert(lines.some((line) => pattern.test(line)), `${pattern}\n${out}`);
  // In 80 columns, each agent is a block.
  has(/^handle claude-aaaa$/);
  has(/^status working \(Edit \/home\/u\/app\/a\.ts\)$/);
  has(/\/home\/u\/app\/a\.ts/);
  has(/rename fields/);
  has(/Please review\./);
});

Deno.test("monitor --json has everything, with ISO times; --project selects", async () => {
  await using machine = await busyMachine();
  const { code, data } = await machine.json("monitor");
  assertEquals(code, 0);
  const { agents, locks, messages } = data;
  assert(Array.isArray(agents) && Array.isArray(locks) && Array.isArray(messages));
  assertEquals(agents.map(({ handle }) => handle).toSorted(), ["claude-aaaa", "codex-3f9a"]);
  assertEquals([locks[0].holder, locks[0].intent], ["claude-aaaa", "rename fields"]);
  assertEquals([messages[0].from.name, messages[0].state], ["claude-aaaa", "waiting"]);
  for (const time of [agents[0].since, locks[0].until, messages[0].at]) {
    assertMatch(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  }
  const docs = (await machine.json("monitor", "--project", "docs")).data;
  assert(Array.isArray(docs.agents) && Array.isArray(docs.locks) && Array.isArray(docs.messages));
  assertEquals(docs.agents.map(({ handle }) => handle), ["codex-3f9a"]);
  assertEquals([docs.locks.length, docs.messages.length], [0, 1]);
});

Deno.test("monitor shows agents of other machines, and says when a daemon is down", async () => {
  const daemon = serve();
  await using other = await AgentMachine.make();
  try {
    await other.connect("codex", { url: daemon.url, agentId: "me" });
    const there = { sessionKey: "bbbb2222", harness: "codex", project: "/srv/app" };
    const response = await fetch(`${daemon.url}/api/hooks/session-start`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...there, agentId: "server" }),
    });
    await response.body?.cancel();
    const { data } = await other.json("monitor");
    assert(Array.isArray(data.agents));
    assertEquals(data.agents.map(({ handle, here, status }) => [handle, here, status]), [
      ["codex-bbbb", false, "live"],
    ]);
  } finally {
    await daemon.shutdown();
  }
  const { out, err } = await other.run("monitor");
  assertMatch(out, /No agent is live/);
  assertMatch(err, /not reachable/);
});

// deno-lint-ignore no-control-regex -- this is what must not be there
const ACTS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

Deno.test("monitor prints no text of others that acts on a terminal", async () => {
  await using machine = await AgentMachine.make();
  for (const [i, text] of HOSTILE_TEXTS.entries()) {
    const session = machine.begin("codex", {
      key: `s${i}`,
      agentId: text.slice(0, 200),
      project: text.slice(0, 200),
    });
    machine.inbox.put(session, sampleMessage({ text: text.slice(0, 1000), to: { session: session.key } }));
  }
  const { out } = await machine.run("monitor");
  assert(!ACTS.test(out), JSON.stringify(ACTS.exec(out)));
});

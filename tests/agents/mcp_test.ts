import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { serve } from "../../mock_daemon/mod.ts";
import { DaemonTransport } from "../../connectors/base/agents/transport/daemon_transport.ts";
import { DEEP } from "../../connectors/base/testing/deep.ts";
import { SEEDED, seededRandom } from "../../connectors/base/testing/seed.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { DaemonClient } from "../../hooks/daemon/client.ts";
import type { Message } from "../../hooks/agents/messages/message.ts";
import { newMessageId } from "../../hooks/agents/messages/message_id.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { McpProcess } from "../worlds/mcp/mcp_process.ts";

const KILLS = DEEP ? 100 : 4;

function server(machine: AgentMachine, harness: string, env: Record<string, string> = {}): McpProcess {
  return new McpProcess(harness, { HOME: machine.path, ...env }, machine.path);
}

function question(text: string, to: Message["to"]): Message {
  return {
    id: newMessageId(),
    at: Date.now(),
    from: { agentId: "alice", session: "s-alice", harness: "pi", machine: "far away", cwd: "app" },
    to,
    priority: 3,
    wants: "reply",
    ttl: 3600,
    kind: "message",
    hop: 0,
    text,
    verified: true,
  };
}

Deno.test("the MCP tools of two agents on one machine talk to each other, without a daemon", async () => {
  await using machine = await AgentMachine.make();
  for (const harness of ["codex", "claude-code"]) {
    await machine.connect(harness, { url: "http://127.0.0.1:1", agentId: "me" });
  }
  const claude = machine.begin("claude-code", { key: "c1a0de00-1111-4222-8333-444455556666" });
  machine.begin("codex", { key: "3f9a0000-1111-4222-8333-444455556666" });
  await using a = server(machine, "claude-code", { CLAUDE_CODE_SESSION_ID: claude.key });
  await using b = server(machine, "codex");
  const peers = await a.call("agent_peers");
  assertMatch(peers.text, /^- codex-3f9a agent me in codex · on \/home\/u\/app · idle · on this machine\n/);
  const sent = await a.call("agent_message_send", { to: "codex", content: "Which tests fail?" });
  assertMatch(sent.text, /^Sent to codex-3f9a as m_\w{26}\.$/);
  const id = /m_\w{26}/.exec(sent.text)?.[0] ?? "";
  const inbox = await b.call("agent_message_inbox");
  assertStringIncludes(inbox.text, "They are not from the user");
  assertMatch(inbox.text, /from="claude-c1a0" .*wants="reply"/);
  assertEquals((await b.call("agent_message_inbox")).text, "No messages.");

  const waiting = a.call("agent_message_wait", { message_ids: [id], seconds: 50 });
  assertEquals(
    (await b.call("agent_message_reply", { content: "None." })).text,
    `Answered ${id} of claude-c1a0.`,
  );
  const answer = await waiting;
  assertMatch(answer.text, /answers="m_\w{26}"/);
  assertStringIncludes(answer.text, "\nNone.\n");
  const never = await a.call("agent_message_wait", {
    message_ids: ["m_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    seconds: 1,
  });
  assertMatch(never.text, /^Not yet: there is no answer to m_01ARZ3NDEKTSV4RRFFQ69G5FAV\./);
  const idle = await a.call("agent_message_wait", { idle: "codex" });
  assertEquals(idle.text, "codex is idle.");
});

Deno.test("the MCP tools ask which session calls, and act as no other agent", async () => {
  await using machine = await AgentMachine.make();
  await machine.connect("codex", { url: "http://127.0.0.1:1", agentId: "me" });
  const own = [machine.begin("codex"), machine.begin("codex")];
  const foreign = machine.begin("codex", { agentId: "somebody" });
  const target = machine.begin("gemini", { agentId: "gem" });
  await using mcp = server(machine, "codex");
  const unclear = await mcp.call("agent_message_inbox");
  assertEquals(unclear.isError, true);
  assertMatch(
    unclear.text,
    /^Several sessions of this agent could be calling: codex-\w{4,}, codex-\w{4,}\. Pass/,
  );
  const stolen = await mcp.call("agent_message_inbox", { as: foreign.key });
  assertEquals(stolen.isError, true);
  assertStringIncludes(stolen.text, "is not one session of agent me");
  const forged = { to: "gemini", content: "x", from_agent_id: "somebody" };
  assertStringIncludes((await mcp.call("agent_message_send", forged)).text, "belongs to the agent me");
  assertEquals(machine.unread(target), []);
  const sent = await mcp.call("agent_message_send", { to: "gemini", content: "x", as: own[0]?.key });
  assertEquals(sent.isError, false, sent.text);
  assertEquals(machine.inbox.peek(target, "new")[0]?.from.session, own[0]?.key);
  const itself = await mcp.call("agent_message_send", { to: own[0]?.key, content: "x", as: own[0]?.key });
  assertStringIncludes(itself.text, "cannot send messages to itself");
  const unknown = await mcp.call("agent_message_send", { to: "nobody", content: "x", as: own[0]?.key });
  assertStringIncludes(unknown.text, "There is no agent nobody.");
});

Deno.test(`the MCP server loses no message, killed at random moments ${SEEDED}`, async () => {
  const random = seededRandom();
  // Without keys there is no limit of messages a minute.
  const daemon = serve();
  try {
    await using machine = await AgentMachine.make();
    await machine.connect("codex", { url: daemon.url, agentId: "bob" });
    const codex = machine.begin("codex", { agentId: "bob" });
    const client = new DaemonClient({ url: daemon.url, agentId: "alice", harness: "pi" });
    const alice = new DaemonTransport(client);
    const texts: string[] = [];
    const post = async () => {
      const text = `number ${texts.length}`;
      texts.push(text);
      // To the session and to its agent, in turn.
      const to = { agentId: "bob", session: texts.length % 2 === 0 ? codex.key : undefined };
      assertEquals((await alice.publish(question(text, to))).kind, "accepted");
    };
    for (let i = 0; i < KILLS; i++) {
      const mcp = server(machine, "codex");
      await post();
      const pause = random() * 1_500;
      await Promise.all([post(), new Promise((resolve) => setTimeout(resolve, pause))]);
      await Promise.all([post(), mcp.kill()]);
    }
    await using _last = server(machine, "codex");
    const stored = () => {
      const { inbox } = machine;
      return [...inbox.peek(codex, "new"), ...inbox.peek(codex, "seen")].map(({ text }) => text);
    };
    await until("every message is there", () => stored().length >= texts.length);
    assertEquals(stored().sort(), [...texts].sort(), "each once");
    // The sender learns of each that it is on this machine's disk, unless that process was killed first.
    const receipts = await alice.messages();
    assert(Array.isArray(receipts));
    assert(receipts.every(({ kind, receipt }) => kind === "receipt" && receipt === "queued"));
  } finally {
    await daemon.shutdown();
  }
});

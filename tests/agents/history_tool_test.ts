import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { searchHistory } from "../../connectors/base/history/search_history.ts";
import { UserError } from "../../connectors/base/cli/command.ts";
import { HOSTILE_TEXTS } from "../../connectors/base/testing/hostile_texts.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import type { Message } from "../../hooks/agents/messages/message.ts";
import { NOTICE } from "../../hooks/agents/messages/wrap.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { McpProcess } from "../worlds/mcp/mcp_process.ts";

const KNOWN_TO = { agentId: "me", session: "mine" };
const from = { agentId: "other", harness: "codex", session: "theirs", cwd: "app" };

/** Puts a message into a session's inbox, and shows it. */
function deliver(machine: AgentMachine, harness: string, message: Partial<Message>): Message {
  const sent = sampleMessage({ from, to: { agentId: "me", session: "mine" }, ...message });
  const box = {
    harness,
    key: sent.to.session ?? "mine",
    agentId: sent.to.agentId ?? "me",
    project: "/x/app",
  };
  machine.inbox.put(box, sent);
  const { messages } = machine.inbox.take(box, "asked", { policy: "none" });
  machine.inbox.shown(box, messages);
  return sent;
}

function search(machine: AgentMachine, words: string, more: object = {}): string {
  return searchHistory(machine.dir, { words, limit: 5, knownTo: KNOWN_TO, ...more });
}

Deno.test("searchHistory() finds what an agent wrote and was shown, and nothing else", async () => {
  await using machine = await AgentMachine.make();
  assertEquals(search(machine, "zebra"), "No message matches.");
  const shown = deliver(machine, "codex", { text: "zebra shown to me" });
  const written = deliver(machine, "pi", {
    text: "zebra that I wrote",
    from: { agentId: "me", harness: "codex", session: "earlier", cwd: "app" },
    to: { agentId: "other", session: "theirs" },
  });
  // Waits, or is held.
  machine.inbox.put({ harness: "codex", key: "mine" }, sampleMessage({ from, text: "zebra that waits" }));
  deliver(machine, "pi", { text: "zebra of others", to: { agentId: "other", session: "theirs" } });
  deliver(machine, "agent", { text: "zebra in a mailbox", to: { agentId: "me", session: "me" } });
  deliver(machine, "person", { text: "zebra for a person", to: { agentId: "me", session: "person:x" } });
  deliver(machine, "pi", {
    text: "zebra that claims to be mine",
    from: { agentId: "me", harness: "codex", session: "fake", cwd: "app" },
    to: { agentId: "other", session: "theirs" },
    verified: false,
  });
  const text = search(machine, "zebra");
  assertEquals([...text.matchAll(/^- \S+ (m_\w+): \w+$/gm)].map(([, id]) => id), [shown.id, written.id]);
  assertMatch(text, /from="codex-thei" agent="other"/);
  assertStringIncludes(text, NOTICE);
  assert(!/waits|others|mailbox|person|claims/.test(text.replace(NOTICE, "")), text);
  assertEquals(search(machine, "zebra", { agent: "nobody" }), "No message matches.");
  assertEquals(search(machine, "zebra", { project: "/home/u/elsewhere" }), "No message matches.");
  assertStringIncludes(search(machine, "zebra", { project: "/home/u/app", since: "1d" }), shown.id);
  await assertRejects(async () => await search(machine, "zebra", { since: "soon" }), UserError, "--since");
  await assertRejects(async () => await search(machine, "…"), UserError, "no word");
});

Deno.test("searchHistory() keeps other agents' words inside their marks", async () => {
  await using machine = await AgentMachine.make();
  for (const hostile of HOSTILE_TEXTS) {
    const text = `zebra ${hostile}`;
    deliver(machine, "codex", { text, from: { ...from, harness: `x\n${hostile}`.slice(0, 60) } });
  }
  for (const limit of [1, 20]) {
    const found = search(machine, "zebra", { limit });
    const [, nonce = ""] = /<agent-message-([0-9a-f]{16}) /.exec(found) ?? [];
    const open = found.split(`<agent-message-${nonce} `).length - 1;
    assertEquals([open, found.split(`</agent-message-${nonce}>`).length - 1], [limit, limit]);
    const outside = found.slice(0, found.indexOf(`<agent-message-${nonce}`));
    assertMatch(outside, /^Earlier messages that match, oldest first:\n(- \S+ m_\w+: \w+\n)+\n/);
    assertEquals(outside.endsWith(`${NOTICE}\n`), true);
    assert(found.endsWith(`</agent-message-${nonce}>`));
  }
});

Deno.test("the MCP tool agent_history_search searches as the calling session", async () => {
  await using machine = await AgentMachine.make();
  await machine.connect("codex", { url: "http://127.0.0.1:1", agentId: "me" });
  await using mcp = new McpProcess("codex", { HOME: machine.path }, machine.path);
  const early = await mcp.call("agent_history_search", { query: "zebra" });
  assertEquals(early.isError, true);
  assertStringIncludes(early.text, "does not take part yet");
  machine.begin("codex", { key: "mine" });
  deliver(machine, "codex", { text: "the zebra is fixed" });
  const { text, isError } = await mcp.call("agent_history_search", { query: "zebra fix*" });
  assertEquals(isError ?? false, false);
  assertStringIncludes(text, "\nthe zebra is fixed\n");
  const nothing = await mcp.call("agent_history_search", { query: "***" });
  assertEquals(nothing.isError, true);
});

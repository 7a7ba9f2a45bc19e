import { hook, type Row, UUID } from "./row.ts";

const remember = (content: string, agentId: string, visibility?: string) => ({
  path: "/api/memory/remember",
  body: { content, agentId, visibility },
});
const recall = (agentId: string) => ({ path: "/api/memory/recall", body: { query: "apple", agentId } });
const agent = (name: string, read_policy?: string, policy_group?: string) => ({
  path: "/api/agents",
  body: { name, read_policy, policy_group },
});
const message = (more: Record<string, unknown>) => ({
  path: "/api/cross-agent/messages",
  body: { content: "hello", ...more },
});

/** Section 1.11, and the read policies of section 6. */
export const AGENTS: readonly Row[] = [
  {
    fact: "1.11 there is always the default agent",
    ask: { path: "/api/agents" },
    status: 200,
    answer: { agents: [{ id: "default", name: "default", policy_group: null }] },
  },
  {
    fact: "1.11 an agent is made with 201, isolated unless said otherwise",
    ask: agent("nicholai/pi"),
    status: 201,
    answer: { id: "nicholai/pi", name: "nicholai/pi", read_policy: "isolated", policy_group: null },
  },
  {
    fact: "1.11 an agent needs a name",
    ask: { path: "/api/agents", body: {} },
    status: 400,
    answer: { error: "name is required" },
  },
  {
    fact: "1.11 GET /api/agents/:name",
    given: [agent("nicholai/pi", "group", "house")],
    ask: { path: "/api/agents/nicholai/pi" },
    status: 200,
    answer: { id: "nicholai/pi", read_policy: "group", policy_group: "house" },
  },
  { fact: "1.11 an unknown agent is 404", ask: { path: "/api/agents/nobody" }, status: 404 },
  {
    fact: "1.11 the default agent cannot be deleted",
    ask: { path: "/api/agents/default", method: "DELETE" },
    status: 400,
  },
  {
    fact: "1.11 an agent can be deleted with what it remembers",
    given: [
      agent("alice"),
      remember("apple", "alice"),
      { path: "/api/agents/alice?purge=true", method: "DELETE" },
    ],
    ask: recall("alice"),
    status: 200,
    answer: { results: [] },
  },
  {
    fact: "1.11 a hook registers its agent, shared",
    given: [{ path: "/api/hooks/session-start", body: hook({ agentId: "alice" }) }],
    ask: { path: "/api/agents/alice" },
    status: 200,
    answer: { read_policy: "shared" },
  },
  ...([
    ["isolated reads its own", agent("alice"), 1],
    ["shared reads what is global", agent("alice", "shared"), 3],
    ["group reads its group's", agent("alice", "group", "house"), 2],
  ] as const).map(([what, made, count]): Row => ({
    fact: `6 ${what}`,
    given: [
      made,
      agent("bob", "group", "house"),
      remember("apple of alice", "alice", "private"),
      remember("apple of bob", "bob"),
      remember("apple of carol", "carol"),
      remember("private apple of carol", "carol", "private"),
      remember("archived apple of alice", "alice", "archived"),
    ],
    ask: recall("alice"),
    status: 200,
    answer: { results: (list: unknown) => Array.isArray(list) && list.length === count },
  })),
  {
    fact: "1.11 presence is what hooks told, without oneself",
    given: [
      { path: "/api/hooks/session-start", body: hook({ agentId: "alice", project: "/home/u/p" }) },
      { path: "/api/hooks/session-start", body: hook({ agentId: "bob" }) },
    ],
    ask: { path: "/api/cross-agent/presence?agent_id=bob" },
    status: 200,
    answer: {
      sessions: [{ agentId: "alice", harness: "pyagent", sessionKey: "s1", project: "/home/u/p" }],
      count: 1,
    },
  },
  {
    fact: "1.11 presence with include_self",
    given: [{ path: "/api/hooks/session-start", body: hook({ agentId: "bob" }) }],
    ask: { path: "/api/cross-agent/presence?agent_id=bob&include_self=true" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "1.11 presence can be told and taken back",
    given: [{
      path: "/api/cross-agent/presence",
      body: { harness: "pi", sessionKey: "s7", agentId: "alice" },
    }],
    ask: { path: "/api/cross-agent/presence/s7", method: "DELETE" },
    status: 200,
    answer: { removed: true },
  },
  {
    fact: "1.11 presence needs a harness",
    ask: { path: "/api/cross-agent/presence", body: {} },
    status: 400,
    answer: { error: "harness is required" },
  },
  {
    fact: "1.11 a message arrives",
    given: [message({ fromAgentId: "alice", toAgentId: "bob", type: "question" })],
    ask: { path: "/api/cross-agent/messages?agent_id=bob" },
    status: 200,
    answer: {
      items: [{ id: UUID, fromAgentId: "alice", toAgentId: "bob", type: "question", content: "hello" }],
      count: 1,
    },
  },
  {
    fact: "1.11 a broadcast reaches the others",
    given: [message({ fromAgentId: "alice", broadcast: true })],
    ask: { path: "/api/cross-agent/messages?agent_id=carol" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "1.11 a broadcast can be left out",
    given: [message({ fromAgentId: "alice", broadcast: true })],
    ask: { path: "/api/cross-agent/messages?agent_id=carol&include_broadcast=false" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "1.11 another's message does not arrive",
    given: [message({ fromAgentId: "alice", toAgentId: "bob" })],
    ask: { path: "/api/cross-agent/messages?agent_id=carol" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "1.11 what was sent is shown on request",
    given: [message({ fromAgentId: "alice", toAgentId: "bob" })],
    ask: { path: "/api/cross-agent/messages?agent_id=alice&include_sent=true" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "1.11 a message needs a target",
    ask: message({}),
    status: 400,
    answer: { error: /local target required/ },
  },
  {
    fact: "1.11 a message's type is one of four",
    ask: message({ broadcast: true, type: "shout" }),
    status: 400,
    answer: { error: "unsupported message type 'shout'" },
  },
  {
    fact: "1.11 a message has at most 65 536 characters",
    ask: message({ broadcast: true, content: "x".repeat(65_537) }),
    status: 400,
    answer: { error: /too large/ },
  },
];

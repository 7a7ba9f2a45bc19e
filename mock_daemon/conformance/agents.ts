import { ABSENT, hook, type Row, START, UUID } from "./row.ts";

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

/** Agents, their read policies, presence and messages. */
export const AGENTS: readonly Row[] = [
  {
    fact: "the default agent always exists",
    request: { path: "/api/agents" },
    status: 200,
    answer: { agents: [{ id: "default", name: "default", policy_group: null }] },
  },
  {
    fact: "creating an agent answers 201; the default policy is isolated",
    request: agent("nicholai/pi"),
    status: 201,
    answer: { id: "nicholai/pi", name: "nicholai/pi", read_policy: "isolated", policy_group: null },
  },
  {
    fact: "an agent needs a name",
    request: { path: "/api/agents", body: {} },
    status: 400,
    answer: { error: "name is required" },
  },
  {
    fact: "GET /api/agents/:name",
    given: [agent("nicholai/pi", "group", "house")],
    request: { path: "/api/agents/nicholai/pi" },
    status: 200,
    answer: { id: "nicholai/pi", read_policy: "group", policy_group: "house" },
  },
  { fact: "an unknown agent is 404", request: { path: "/api/agents/nobody" }, status: 404 },
  {
    fact: "the default agent cannot be deleted",
    request: { path: "/api/agents/default", method: "DELETE" },
    status: 400,
  },
  {
    fact: "purge deletes an agent together with its memories",
    given: [
      agent("alice"),
      remember("apple", "alice"),
      { path: "/api/agents/alice?purge=true", method: "DELETE" },
    ],
    request: recall("alice"),
    status: 200,
    answer: { results: [] },
  },
  {
    fact: "a hook registers its agent with the shared policy",
    given: [{ path: "/api/hooks/session-start", body: hook({ agentId: "alice" }) }],
    request: { path: "/api/agents/alice" },
    status: 200,
    answer: { read_policy: "shared" },
  },
  ...([
    ["isolated reads its own", agent("alice"), 1],
    ["shared reads what is global", agent("alice", "shared"), 3],
    ["group reads its group's", agent("alice", "group", "house"), 2],
  ] as const).map(([what, made, count]): Row => ({
    fact: `${what}`,
    given: [
      made,
      agent("bob", "group", "house"),
      remember("apple of alice", "alice", "private"),
      remember("apple of bob", "bob"),
      remember("apple of carol", "carol"),
      remember("private apple of carol", "carol", "private"),
      remember("archived apple of alice", "alice", "archived"),
    ],
    request: recall("alice"),
    status: 200,
    answer: { results: (list: unknown) => Array.isArray(list) && list.length === count },
  })),
  {
    fact: "presence lists the other agents that sent hooks",
    given: [
      { path: "/api/hooks/session-start", body: hook({ agentId: "alice", project: "/home/u/p" }) },
      { path: "/api/hooks/session-start", body: hook({ agentId: "bob", sessionKey: "s2" }) },
    ],
    request: { path: "/api/cross-agent/presence?agent_id=bob" },
    status: 200,
    answer: {
      sessions: [{
        key: "session:s1",
        sessionKey: "s1",
        agentId: "alice",
        harness: "pyagent",
        project: "/home/u/p",
        runtimePath: "legacy",
        provider: "pyagent",
      }],
      count: 1,
    },
  },
  {
    fact: "presence with include_self lists the caller too",
    given: [{ path: "/api/hooks/session-start", body: hook({ agentId: "bob" }) }],
    request: { path: "/api/cross-agent/presence?agent_id=bob&include_self=true" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "presence can be set and removed",
    given: [{
      path: "/api/cross-agent/presence",
      body: { harness: "pi", sessionKey: "s7", agentId: "alice" },
    }],
    request: { path: "/api/cross-agent/presence/s7", method: "DELETE" },
    status: 200,
    answer: { removed: true },
  },
  {
    fact: "presence needs a harness",
    request: { path: "/api/cross-agent/presence", body: {} },
    status: 400,
    answer: { error: "harness is required" },
  },
  {
    fact: "a message reaches its agent",
    given: [message({ fromAgentId: "alice", toAgentId: "bob", type: "question" })],
    request: { path: "/api/cross-agent/messages?agent_id=bob" },
    status: 200,
    answer: {
      items: [{ id: UUID, fromAgentId: "alice", toAgentId: "bob", type: "question", content: "hello" }],
      count: 1,
    },
  },
  {
    fact: "a broadcast reaches the other agents",
    given: [message({ fromAgentId: "alice", broadcast: true })],
    request: { path: "/api/cross-agent/messages?agent_id=carol" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "a broadcast also reaches its sender",
    given: [message({ fromAgentId: "alice", broadcast: true })],
    request: { path: "/api/cross-agent/messages?agent_id=alice" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "a message to a session also reaches the agent that owns it",
    given: [
      { path: "/api/hooks/session-start", body: hook({ agentId: "bob" }) },
      message({ fromAgentId: "alice", toSessionKey: "s1" }),
    ],
    request: { path: "/api/cross-agent/messages?agent_id=bob" },
    status: 200,
    answer: { items: [{ toSessionKey: "s1", toSessionAgentId: "bob", toAgentId: ABSENT }] },
  },
  {
    fact: "since is inclusive",
    given: [message({ fromAgentId: "alice", toAgentId: "bob" })],
    request: { path: `/api/cross-agent/messages?agent_id=bob&since=${new Date(START).toISOString()}` },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "a message has no fields that were not given",
    request: message({ fromAgentId: "alice", toAgentId: "bob" }),
    status: 200,
    answer: { message: { fromSessionKey: ABSENT, toSessionKey: ABSENT, toSessionAgentId: ABSENT } },
  },
  {
    fact: "with keys, a message from a session that is not running is 403",
    options: { auth: "team" },
    request: { ...message({ toAgentId: "alice", fromSessionKey: "ghost" }), key: "bob" },
    status: 403,
    answer: { error: "fromSessionKey is not an active session" },
  },
  {
    fact: "with keys, the 121st message in a minute is 429, with a moment in milliseconds",
    options: { auth: "team" },
    given: Array.from({ length: 120 }, () => ({ ...message({ toAgentId: "alice" }), key: "bob" } as const)),
    request: { ...message({ toAgentId: "alice" }), key: "bob" },
    status: 429,
    answer: { error: "rate limit exceeded", retryAfter: START + 60_000 },
    headers: { "retry-after": "60" },
  },
  {
    fact: "include_broadcast=false leaves broadcasts out",
    given: [message({ fromAgentId: "alice", broadcast: true })],
    request: { path: "/api/cross-agent/messages?agent_id=carol&include_broadcast=false" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "a message for another agent is not delivered",
    given: [message({ fromAgentId: "alice", toAgentId: "bob" })],
    request: { path: "/api/cross-agent/messages?agent_id=carol" },
    status: 200,
    answer: { count: 0 },
  },
  {
    fact: "include_sent lists sent messages",
    given: [message({ fromAgentId: "alice", toAgentId: "bob" })],
    request: { path: "/api/cross-agent/messages?agent_id=alice&include_sent=true" },
    status: 200,
    answer: { count: 1 },
  },
  {
    fact: "a message needs a target",
    request: message({}),
    status: 400,
    answer: { error: /local target required/ },
  },
  {
    fact: "a message of an unknown type is rejected",
    request: message({ broadcast: true, type: "shout" }),
    status: 400,
    answer: { error: "unsupported message type 'shout'" },
  },
  {
    fact: "a message over 65,536 characters is rejected",
    request: message({ broadcast: true, content: "x".repeat(65_537) }),
    status: 400,
    answer: { error: /too large/ },
  },
];

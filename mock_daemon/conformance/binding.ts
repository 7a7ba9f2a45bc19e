import { isObject } from "../json.ts";
import { hook, type Row } from "./row.ts";

const team = { auth: "team" } as const;

/** A route, and a body that it accepts. */
const ROUTES: readonly (readonly [string, string, Record<string, unknown> | undefined])[] = [
  ["POST", "/api/hooks/session-start", { harness: "h" }],
  ["POST", "/api/hooks/user-prompt-submit", { harness: "h", userMessage: "m" }],
  ["POST", "/api/hooks/session-end", { harness: "h" }],
  ["POST", "/api/hooks/pre-compaction", { harness: "h" }],
  ["POST", "/api/hooks/compaction-complete", { harness: "h", summary: "s" }],
  ["POST", "/api/hooks/remember", { harness: "h", content: "c" }],
  ["POST", "/api/hooks/recall", { harness: "h", query: "q" }],
  ["POST", "/api/hooks/session-checkpoint-extract", { harness: "h", sessionKey: "s" }],
  ["POST", "/api/memory/remember", { content: "c" }],
  ["POST", "/api/memory/recall", { query: "q" }],
  ["POST", "/api/memory/modify", { patches: [{ id: "x", reason: "r" }] }],
  ["POST", "/api/memory/forget", { query: "q" }],
  ["POST", "/api/memory/feedback", { sessionKey: "s", feedback: {} }],
  ["GET", "/api/memory/search?q=x", undefined],
  ["GET", "/api/memories", undefined],
  ["GET", "/api/sessions", undefined],
  ["GET", "/api/agents", undefined],
  ["POST", "/api/cross-agent/presence", { harness: "h" }],
  ["GET", "/api/cross-agent/presence", undefined],
  ["POST", "/api/cross-agent/messages", { content: "c", broadcast: true }],
  ["GET", "/api/cross-agent/messages", undefined],
  ["GET", "/api/status", undefined],
  ["GET", "/api/harnesses", undefined],
];

const with_ = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

/** The ways to name another agent, each as a change to a request. */
const SPELLINGS = [
  ["agentId", (path: string, body: object) => ({ path, body: { ...body, agentId: "alice" } })],
  ["agent_id", (path: string, body: object) => ({ path, body: { ...body, agent_id: "alice" } })],
  [
    "requestContext.agentId",
    (path: string, body: object) => ({ path, body: { ...body, requestContext: { agentId: "alice" } } }),
  ],
  [
    "a session key's prefix",
    (path: string, body: object) => ({ path, body: { ...body, sessionKey: "agent:alice:s1" } }),
  ],
  [
    "a session key's prefix behind session:",
    (path: string, body: object) => ({ path, body: { ...body, sessionKey: "session:agent:alice:s1" } }),
  ],
  [
    "x-signet-agent-id",
    (path: string, body?: object) => ({ path, body, headers: { "x-signet-agent-id": "alice" } }),
  ],
  [
    "x-signet-session-key",
    (path: string, body?: object) => ({ path, body, headers: { "x-signet-session-key": "agent:alice:1" } }),
  ],
  ["the query's agent_id", (path: string, body?: object) => ({ path: with_(path, "agent_id=alice"), body })],
  [
    "the query's agent_id, given twice",
    (path: string, body?: object) => ({ path: with_(path, "agent_id=bob&agent_id=alice"), body }),
  ],
  [
    "the query's session_key",
    (path: string, body?: object) => ({ path: with_(path, "session_key=agent:alice:1"), body }),
  ],
] as const;

const bound: Row[] = ROUTES.flatMap(([method, path, body]) =>
  SPELLINGS.filter(([name]) => body !== undefined || /x-signet|query/.test(name)).map((
    [name, change],
  ): Row => ({
    fact: `bob's key is 403 for alice on ${method} ${path} by ${name}`,
    options: team,
    request: {
      method,
      key: "bob",
      ...change(path, body ?? {}),
      ...(body === undefined ? { body: undefined } : {}),
    },
    status: 403,
    answer: { error: "scope restricted to agent 'bob'" },
  }))
);

/** A key that is bound to an agent acts for that agent only. */
export const BINDING: readonly Row[] = [
  ...bound,
  ...([
    ["GET", "/api/agents/alice"],
    ["GET", "/api/sessions/agent:alice:s1"],
    ["GET", "/api/sessions/agent%3Aalice%3As1"],
    ["DELETE", "/api/cross-agent/presence/agent:alice:s1"],
  ] as const).map(([method, path]): Row => ({
    fact: `bob's key is 403 for alice on ${method} ${path}`,
    options: team,
    request: { path, method, key: "bob" },
    status: 403,
  })),
  {
    fact: "agentId alone binds a key",
    options: team,
    request: { path: "/api/hooks/session-start", key: "bobByIdAlone", body: hook({ agentId: "alice" }) },
    status: 403,
  },
  {
    fact: "bob's key may not send a message as alice",
    options: team,
    request: {
      path: "/api/cross-agent/messages",
      key: "bob",
      body: { content: "x", broadcast: true, fromAgentId: "alice" },
    },
    status: 403,
  },
  {
    fact: "bob's key may send a message to alice",
    options: team,
    request: { path: "/api/cross-agent/messages", key: "bob", body: { content: "x", toAgentId: "alice" } },
    status: 200,
    answer: { message: { fromAgentId: "bob", toAgentId: "alice" } },
  },
  {
    fact: "bob's key acts for bob if no agent is named",
    options: team,
    given: [{ path: "/api/hooks/session-start", key: "bob", body: hook() }],
    request: { path: "/api/sessions", key: "bob" },
    status: 200,
    answer: { sessions: [{ agentId: "bob" }] },
  },
  {
    fact: "bob's key may not change alice's shared memory",
    options: team,
    given: [
      { path: "/api/memory/remember", key: "admin", body: { content: "hers", agentId: "alice" } },
      { path: "/api/hooks/session-start", key: "bob", body: hook() },
    ],
    request: ([made]) => ({
      path: `/api/memory/${isObject(made) ? made.id : ""}`,
      method: "PATCH",
      key: "bob",
      body: { content: "his", reason: "mine now" },
    }),
    status: 403,
  },
  {
    fact: "an admin key acts for any agent",
    options: team,
    request: { path: "/api/hooks/session-start", key: "admin", body: hook({ agentId: "alice" }) },
    status: 200,
  },
];

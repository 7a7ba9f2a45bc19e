import { isObject } from "../../json.ts";
import { ABSENT, parse } from "../holds.ts";
import type { Run } from "./run.ts";
import { type Answer, NO_ROUTE, older, same, type WireRow } from "./wire_row.ts";

const CONTENT = "conformance check, please ignore";
const messages = "/api/cross-agent/messages";

const send = (run: Run, more: Record<string, unknown>) =>
  run.send({ path: messages, body: { content: CONTENT, fromAgentId: run.other, ...more } });

/** The first event of each of these types. */
async function events(run: Run, path: string, types: readonly string[]): Promise<Answer> {
  const headers = run.target.credential === undefined
    ? undefined
    : { authorization: `Bearer ${run.target.credential}` };
  const stop = AbortSignal.timeout(10_000);
  const response = await fetch(run.target.url + path, { headers, signal: stop });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  const found = () =>
    seen.split("\n\n").map((part) => part.trim()).filter((part) => part.startsWith("data: "))
      .map((part) => parse(part.slice("data: ".length)))
      .filter((event) => isObject(event) && types.includes(String(event.type)));
  try {
    while (found().length < types.length) {
      const { value, done } = await reader?.read() ?? { done: true, value: undefined };
      if (done) break;
      seen += value;
    }
  } finally {
    await reader?.cancel();
  }
  return { status: response.status, headers: response.headers, body: found().slice(0, types.length) };
}

function invalid(fact: string, body: Record<string, unknown>, error: string): WireRow {
  return {
    fact,
    call: (run) => run.send({ path: messages, body: { fromAgentId: run.agent, ...body } }),
    expect: same(400, { error }, `400 {"error":"${error}"}`),
  };
}

/** Agents, presence and messages between them. */
export const AGENT_ROWS: readonly WireRow[] = [
  {
    fact: "GET /api/agents",
    call: (run) => run.send({ path: "/api/agents" }),
    expect: older({ status: 200, answer: { agents: Array.isArray }, seen: '200 {"agents":[…]}' }, NO_ROUTE),
  },
  {
    fact: "an unknown agent is 404",
    call: (run) => run.send({ path: `/api/agents/${run.agent}-none` }),
    expect: older({
      status: 404,
      answer: { error: "Agent not found" },
      seen: '404 {"error":"Agent not found"}',
    }, NO_ROUTE),
  },
  {
    fact: "the default agent cannot be removed",
    call: (run) => run.send({ path: "/api/agents/default", method: "DELETE" }),
    expect: older({
      status: 400,
      answer: { error: "Cannot remove the default agent" },
      seen: '400 {"error":"Cannot remove the default agent"}',
    }, NO_ROUTE),
  },
  {
    fact: "creating an agent",
    writes: true,
    call: (run) => {
      run.created(`${run.agent}-new`);
      return run.send({ path: "/api/agents", body: { name: `${run.agent}-new`, read_policy: "isolated" } });
    },
    expect: older({
      status: 201,
      answer: { read_policy: "isolated", policy_group: null },
      seen: '201 {"id":"bob","name":"bob","read_policy":"isolated","policy_group":null,…}',
    }, NO_ROUTE),
  },
  {
    fact: "creating an agent that exists",
    writes: true,
    call: async (run) => {
      const body = { name: `${run.agent}-again`, read_policy: "isolated" };
      run.created(body.name);
      await run.send({ path: "/api/agents", body });
      return await run.send({ path: "/api/agents", body });
    },
    expect: {
      design: { status: 201 },
      "0.145": {
        status: 500,
        answer: "Internal Server Error",
        seen: "500 text/plain `Internal Server Error`",
      },
      "0.58": NO_ROUTE,
    },
  },
  {
    fact: "a hook registers its agent as shared",
    writes: true,
    call: async (run) => {
      const agentId = `${run.agent}-hook`;
      await run.hook("session-start", "register", { agentId });
      return await run.send({ path: `/api/agents/${agentId}` });
    },
    expect: older({
      status: 200,
      answer: { read_policy: "shared" },
      seen: '200 {…,"read_policy":"shared",…}',
    }, NO_ROUTE),
  },
  invalid(
    "a message needs a target",
    { content: "x" },
    "local target required (toAgentId, toSessionKey, or broadcast=true)",
  ),
  invalid(
    "a message of an unknown type",
    { content: "x", toAgentId: "x", type: "shout" },
    "unsupported message type 'shout'",
  ),
  invalid("a message needs content", { toAgentId: "x" }, "content is required"),
  invalid(
    "a message over 65,536 characters",
    { toAgentId: "x", content: "x".repeat(65_537) },
    "content too large (max 65536 chars)",
  ),
  {
    fact: "presence of an unknown session is not removed",
    call: (run) => run.send({ path: `/api/cross-agent/presence/${run.agent}-none`, method: "DELETE" }),
    expect: same(200, { removed: false }, '200 {"removed":false}'),
  },
  {
    fact: "presence needs a harness",
    call: (run) => run.send({ path: "/api/cross-agent/presence", body: {} }),
    expect: same(400, { error: "harness is required" }, '400 {"error":"harness is required"}'),
  },
  {
    fact: "a message is answered with 200 and without fields that were not given",
    writes: true,
    call: (run) => send(run, { toAgentId: run.agent }),
    expect: same(200, {
      message: {
        id: /./,
        content: CONTENT,
        type: "info",
        broadcast: false,
        deliveryPath: "local",
        deliveryStatus: "delivered",
        fromSessionKey: ABSENT,
        toSessionKey: ABSENT,
        toSessionAgentId: ABSENT,
      },
    }, '200 {"message":{"id":…,"createdAt":…,"fromAgentId":…,"toAgentId":…,"content":…,"type":"info",…}}'),
  },
  {
    fact: "since is inclusive",
    writes: true,
    call: async (run) => {
      const made = await send(run, { toAgentId: `${run.agent}-inbox` });
      const message = isObject(made.body) && isObject(made.body.message) ? made.body.message : {};
      const since = encodeURIComponent(String(message.createdAt));
      return await run.send({ path: `${messages}?agent_id=${run.agent}-inbox&since=${since}` });
    },
    expect: same(200, { items: [{ content: CONTENT }], count: 1 }, '200 {"items":[…the newest…],"count":1}'),
  },
  {
    fact: "a message to a session also reaches the agent that owns it",
    writes: true,
    call: async (run) => {
      const agentId = `${run.agent}-owner`;
      await run.hook("session-start", "owner", { agentId });
      await send(run, { toSessionKey: run.session("owner") });
      return await run.send({ path: `${messages}?agent_id=${agentId}` });
    },
    expect: same(200, {
      items: [{ toSessionKey: /-owner$/, toSessionAgentId: /-owner$/, toAgentId: ABSENT }],
      count: 1,
    }, '200 {"items":[{…,"toSessionKey":"cc-2","toSessionAgentId":"default",…}],…}'),
  },
  {
    fact: "a session-start makes a session present",
    writes: true,
    call: async (run) => {
      await run.hook("session-start", "present");
      const path = `/api/cross-agent/presence?agent_id=${run.agent}&include_self=true&limit=500`;
      const answer = await run.send({ path });
      const list = isObject(answer.body) && Array.isArray(answer.body.sessions) ? answer.body.sessions : [];
      return {
        ...answer,
        body: list.find((entry) => isObject(entry) && /-present$/.test(String(entry.key))),
      };
    },
    expect: same(
      200,
      {
        key: /^session:/,
        agentId: /./,
        harness: "pyagent",
        provider: "pyagent",
        runtimePath: "plugin",
        startedAt: /Z$/,
      },
      '200 {"sessions":[{"key":"session:bob-2","sessionKey":"bob-2",…,"provider":"opencode","startedAt":…}],…}',
    ),
  },
  {
    fact: "the stream opens with connected and a snapshot",
    writes: true,
    call: async (run) => {
      await send(run, { toAgentId: `${run.agent}-stream` });
      const path = `/api/cross-agent/stream?agent_id=${run.agent}-stream`;
      return await events(run, path, ["connected", "snapshot"]);
    },
    expect: same(200, [
      { type: "connected", agentId: /-stream$/, timestamp: /Z$/ },
      { type: "snapshot", presence: Array.isArray, messages: [{ content: CONTENT }], timestamp: /Z$/ },
    ], 'data: {"type":"connected",…} data: {"type":"snapshot","presence":[…],"messages":[…],…}'),
  },
];

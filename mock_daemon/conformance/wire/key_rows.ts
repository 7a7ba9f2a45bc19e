import { isObject } from "../../json.ts";
import type { Run, WireRequest } from "./run.ts";
import { type Answer, type Expected, NO_ROUTE, type WireRow } from "./wire_row.ts";

const keys = "/api/auth/api-keys";
const forbidden = (run: RegExp): Expected => ({
  status: 403,
  answer: { error: run },
  seen: '403 {"error":"scope restricted to agent \'bob\'"}',
});
const SCOPED = forbidden(/^scope restricted to agent 'conformance-/);
const OK = (seen: string): Expected => ({ status: 200, seen });
const FAILED: Expected = {
  status: 500,
  answer: "Internal Server Error",
  seen: "500 text/plain `Internal Server Error`, no Retry-After",
};

/** A request with the key that is bound to the run's agent. */
function bound(
  fact: string,
  request: (run: Run) => WireRequest,
  design: Expected,
  v145: Expected,
  v058: Expected,
): WireRow {
  return {
    fact,
    needs: "keys",
    writes: true,
    call: async (run) => run.send({ ...request(run), auth: await run.bound() }),
    expect: { design, "0.145": v145, "0.58": v058 },
  };
}

const hook = (run: Run, session: string, agentId: string, more: Record<string, unknown> = {}) => ({
  harness: "pyagent",
  sessionKey: run.session(session, agentId),
  agentId,
  runtimePath: "plugin",
  ...more,
});

async function exhaust(run: Run): Promise<Answer> {
  let answer = await run.send({ path: keys });
  for (let call = 2; call <= 6 && answer.status === 200; call++) answer = await run.send({ path: keys });
  return answer;
}

/** Keys, and what a key that is bound to one agent may do as another. */
export const KEY_ROWS: readonly WireRow[] = [
  bound(
    "a bound key remembers as its agent",
    (run) => ({ path: "/api/memory/remember", body: { content: `Key of ${run.word}`, agentId: run.agent } }),
    { status: 200 },
    OK("200, stored"),
    OK("200, stored"),
  ),
  bound(
    "a bound key remembers as another agent",
    (run) => ({ path: "/api/memory/remember", body: { content: `Forged ${run.word}`, agentId: run.other } }),
    SCOPED,
    SCOPED,
    OK("200, stored"),
  ),
  bound(
    "a bound key remembers without naming an agent",
    (run) => ({ path: "/api/memory/remember", body: { content: `Unnamed ${run.word}` } }),
    { status: 200 },
    SCOPED,
    OK("200, stored"),
  ),
  bound(
    "a bound key recalls as another agent",
    (run) => ({ path: "/api/memory/recall", body: { query: run.word, agentId: run.other } }),
    SCOPED,
    OK("200, the other agent's memories"),
    OK("200, the other agent's memories"),
  ),
  bound(
    "a bound key starts a session as another agent",
    (run) => ({ path: "/api/hooks/session-start", body: hook(run, "key-start", run.other) }),
    SCOPED,
    OK("200, the full text with the other agent's memories"),
    OK("200, the full text with the other agent's memories"),
  ),
  bound(
    "a bound key ends a session as another agent",
    (run) => ({ path: "/api/hooks/session-end", body: hook(run, "key-end", run.other) }),
    SCOPED,
    OK('200 {"memoriesSaved":0,"queued":false}, kept for the other agent'),
    OK('200 {"memoriesSaved":0}'),
  ),
  ...(["sessions", "cross-agent/presence", "cross-agent/messages"] as const).map((route): WireRow =>
    bound(
      `a bound key reads /api/${route} of another agent`,
      (run) => ({ path: `/api/${route}?agent_id=${run.other}` }),
      SCOPED,
      SCOPED,
      route === "sessions" ? OK('200 {"sessions":[…],"count":1}') : SCOPED,
    )
  ),
  bound(
    "a bound key sends a message as another agent",
    (run) => ({
      path: "/api/cross-agent/messages",
      body: { fromAgentId: run.other, toAgentId: run.agent, content: "conformance check, please ignore" },
    }),
    SCOPED,
    SCOPED,
    SCOPED,
  ),
  bound(
    "a bound key sends a message from a session that is not running",
    (run) => ({
      path: "/api/cross-agent/messages",
      body: { fromSessionKey: `${run.agent}-ghost`, toAgentId: run.agent, content: "please ignore" },
    }),
    { status: 403, answer: { error: "fromSessionKey is not an active session" } },
    {
      status: 403,
      answer: { error: "fromSessionKey is not an active session" },
      seen: '403 {"error":"fromSessionKey is not an active session"}',
    },
    { status: 403, answer: { error: "fromSessionKey is not an active session" }, seen: "403, by its source" },
  ),
  bound("whoami with a bound key", () => ({ path: "/api/auth/whoami" }), {
    status: 200,
    answer: { authenticated: true, effectiveAccess: true },
  }, {
    status: 200,
    answer: { authenticated: false, effectiveAccess: false, claims: null },
    seen:
      '200 {"authenticated":false,"trustedLocal":false,"effectiveAccess":false,"claims":null,"mode":"team",…}',
  }, {
    status: 200,
    answer: { authenticated: true, claims: isObject },
    seen: '200 {"authenticated":true,"claims":{…,"scope":{"agent":"bob"},"role":"agent",…},"mode":"team"}',
  }),
  {
    fact: "a connector key lacks modify",
    needs: "keys",
    writes: true,
    call: async (run) => {
      const made = await run.remember(`Modify ${run.word} by key`);
      const path = `/api/memory/${isObject(made.body) ? made.body.id : ""}`;
      const body = { content: `Modified ${run.word} by key`, reason: "check" };
      return await run.send({ path, method: "PATCH", body, auth: await run.bound() });
    },
    expect: {
      design: { status: 403, answer: { error: "credential lacks 'modify' permission" } },
      "0.145": {
        status: 403,
        answer: { error: "credential lacks 'modify' permission" },
        seen: '403 {"error":"credential lacks \'modify\' permission"}',
      },
      "0.58": { status: 200, answer: { status: "updated" }, seen: "200: a token has all that its role has" },
    },
  },
  bound(
    "a bound key lists API keys",
    () => ({ path: keys }),
    { status: 403, answer: { error: "role 'agent' lacks 'admin' permission" } },
    FAILED,
    NO_ROUTE,
  ),
  bound(
    "a bound key makes a token",
    () => ({ path: "/api/auth/token", body: { role: "admin" } }),
    { status: 403, answer: { error: "role 'agent' lacks 'admin' permission" } },
    FAILED,
    FAILED,
  ),
  bound(
    "a bound key registers its agent as isolated",
    (run) => {
      run.created(`${run.agent}-key`);
      return { path: "/api/agents", body: { name: `${run.agent}-key`, read_policy: "isolated" } };
    },
    { status: 403 },
    { status: 201, seen: "201, for any new name" },
    NO_ROUTE,
  ),
  {
    fact: "the list of keys has their ids, prefixes and permissions",
    needs: "keys",
    writes: true,
    call: async (run) => {
      await run.bound();
      const answer = await run.send({ path: keys });
      const list = isObject(answer.body) && Array.isArray(answer.body.apiKeys)
        ? answer.body.apiKeys
        : undefined;
      const own = list?.find((key) => isObject(key) && key.name === run.target.name);
      return list === undefined ? answer : { ...answer, body: own };
    },
    expect: (() => {
      const listed: Expected = {
        status: 200,
        answer: {
          id: /^key_[A-Za-z0-9_-]{16}$/,
          prefix: /^[0-9a-f]{12}$/,
          permissions: ["recall", "remember", "documents"],
          harness: "pyagent",
          allowedProjects: [],
        },
        seen:
          '200 {"apiKeys":[{"id":"key_o8EPMOuMUKZyp1TQ","prefix":"bb5f25abc159",…,"permissions":["recall",…]}]}',
      };
      return { design: listed, "0.145": listed, "0.58": NO_ROUTE };
    })(),
  },
  {
    fact: "a revoked key is 401",
    needs: "keys",
    writes: true,
    call: async (run) => {
      const auth = await run.bound();
      await run.revokeBound();
      return await run.send({ path: `/api/sessions?agent_id=${run.agent}`, auth });
    },
    expect: {
      design: { status: 401, answer: { error: "api key revoked" } },
      "0.145": { status: 401, answer: { error: "api key revoked" }, seen: '401 {"error":"api key revoked"}' },
      "0.58": { status: 200, seen: "200: a token cannot be revoked" },
    },
  },
  {
    fact: "the sixth admin call in a minute",
    needs: "keys",
    writes: true,
    call: exhaust,
    expect: {
      design: { status: 200 },
      "0.145": {
        status: 500,
        answer: "Internal Server Error",
        headers: { "retry-after": /^\d+$/ },
        seen: "500 text/plain `Internal Server Error`, retry-after: 60",
      },
      "0.58": NO_ROUTE,
    },
  },
];

import { isObject } from "../../json.ts";
import { ABSENT } from "../holds.ts";
import { NO_ROUTE, older, same, type WireRow } from "./wire_row.ts";

const isRecord = (value: unknown) => isObject(value);
const unauthorized = (error: string) => ({ error });
const PLAIN = { "content-type": /^text\/plain/ };

/** Health, status, who one is, and what needs a key. */
export const HEALTH_ROWS: readonly WireRow[] = [
  {
    fact: "GET /health",
    call: (run) => run.send({ path: "/health" }),
    expect: older({
      status: 200,
      answer: { status: "healthy", db: true, shuttingDown: false, pipeline: isRecord, resources: isRecord },
      seen: '200 {"status":"healthy",…,"db":true,"shuttingDown":false,…,"pipeline":{…},"resources":{…}}',
    }, {
      status: 200,
      answer: { status: "healthy", db: true, shuttingDown: ABSENT, pipeline: ABSENT, resources: ABSENT },
      seen: '200 {"status":"healthy",…,"db":true,"updateAvailable":false,"pendingRestart":false}',
    }),
  },
  {
    fact: "GET /health without a key",
    needs: "keys",
    call: (run) => run.send({ path: "/health", auth: null }),
    expect: older({ status: 200, answer: { status: "healthy" }, seen: '200 {"status":"healthy",…}' }, {
      status: 401,
      answer: unauthorized("authentication required"),
      seen: '401 {"error":"authentication required"}',
    }),
  },
  {
    fact: "GET /api/status",
    call: (run) => run.send({ path: "/api/status" }),
    expect: older(
      { status: 200, answer: { status: "running", networkMode: /./ }, seen: '200 {"status":"running",…}' },
      { status: 200, answer: { status: "running", networkMode: ABSENT }, seen: '200 {"status":"running",…}' },
    ),
  },
  {
    fact: "GET /api/auth/methods",
    call: (run) => run.send({ path: "/api/auth/methods" }),
    expect: older({
      status: 200,
      answer: { mode: /./, providers: [{ id: "password" }, { id: "sso" }, { id: "saml" }] },
      seen: '200 {"mode":"local","providers":[{"id":"password",…},{"id":"sso",…},{"id":"saml",…}]}',
    }, NO_ROUTE),
  },
  {
    fact: "whoami without a key, where none is needed",
    needs: "no keys",
    call: (run) => run.send({ path: "/api/auth/whoami" }),
    expect: older({
      status: 200,
      answer: {
        authenticated: false,
        trustedLocal: false,
        effectiveAccess: true,
        claims: null,
        mode: "local",
      },
      seen:
        '200 {"authenticated":false,"trustedLocal":false,"effectiveAccess":true,"claims":null,"mode":"local",…}',
    }, {
      status: 200,
      answer: {
        authenticated: false,
        claims: null,
        mode: "local",
        effectiveAccess: ABSENT,
        providers: ABSENT,
      },
      seen: '200 {"authenticated":false,"claims":null,"mode":"local"}',
    }),
  },
  {
    fact: "an invented key is ignored where none is needed",
    needs: "no keys",
    call: (run) => run.send({ path: "/api/sessions", auth: `Bearer sig_sk_000000000000_${"x".repeat(43)}` }),
    expect: same(200, { sessions: Array.isArray }, '200 {"sessions":[…],"count":…}'),
  },
  {
    fact: "a token cannot be made where no key is needed",
    needs: "no keys",
    call: (run) => run.send({ path: "/api/auth/token", body: { role: "agent" } }),
    expect: same(
      400,
      { error: "auth secret not available (local mode?)" },
      '400 {"error":"auth secret not available (local mode?)"}',
    ),
  },
  {
    fact: "a login where no key is needed",
    needs: "no keys",
    call: (run) => run.send({ path: "/api/auth/login", body: { username: "admin", password: "x" } }),
    expect: older({
      status: 400,
      answer: { error: "auth secret not available" },
      seen: '400 {"error":"auth secret not available"}',
    }, NO_ROUTE),
  },
  {
    fact: "API keys can be listed where none is needed",
    needs: "no keys",
    call: (run) => run.send({ path: "/api/auth/api-keys" }),
    expect: older({ status: 200, answer: { apiKeys: Array.isArray }, seen: '200 {"apiKeys":[]}' }, NO_ROUTE),
  },
  ...([
    ["no key", null, "authentication required", "authentication required"],
    ["a key that is not Bearer", "Basic abc", "authentication required", "authentication required"],
    ["a malformed token", "Bearer garbage", "malformed token", "malformed token"],
    ["an invented key", `Bearer sig_sk_000000000000_${"x".repeat(43)}`, "invalid api key", "malformed token"],
  ] as const).map(([what, auth, now, old]): WireRow => ({
    fact: `GET /api/sessions with ${what} is 401`,
    needs: "keys",
    call: (run) => run.send({ path: "/api/sessions", auth }),
    expect: older({
      status: 401,
      answer: unauthorized(now),
      headers: { "www-authenticate": "Bearer" },
      seen: `401 {"error":"${now}"}, www-authenticate: Bearer`,
    }, {
      status: 401,
      answer: unauthorized(old),
      headers: { "www-authenticate": "Bearer" },
      seen: `401 {"error":"${old}"}, www-authenticate: Bearer`,
    }),
  })),
  {
    fact: "x-signet-no-hooks does not replace a key",
    needs: "keys",
    call: (run) =>
      run.send({
        path: "/api/hooks/session-start",
        raw: "{}",
        auth: null,
        headers: { "x-signet-no-hooks": "1" },
      }),
    expect: same(
      401,
      unauthorized("authentication required"),
      '401 {"error":"authentication required"}',
    ),
  },
  {
    fact: "an unknown path is 404 in plain text",
    call: (run) => run.send({ path: "/api/nothing-here" }),
    expect: older({ ...NO_ROUTE, headers: PLAIN }, { ...NO_ROUTE, headers: PLAIN }),
  },
  {
    fact: "GET /api/harnesses is a fixed list",
    call: (run) => run.send({ path: "/api/harnesses" }),
    expect: older({
      status: 200,
      answer: { harnesses: ["claude-code", "opencode", "openclaw", "gemini"].map((id) => ({ id })) },
      seen: "200, ids claude-code, opencode, openclaw, gemini",
    }, {
      status: 200,
      answer: { harnesses: ["claude-code", "opencode", "openclaw"].map((id) => ({ id })) },
      seen: "200, ids claude-code, opencode, openclaw",
    }),
  },
];

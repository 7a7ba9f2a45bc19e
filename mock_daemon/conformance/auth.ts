import { isObject } from "../json.ts";
import { ABSENT, hook, type Row } from "./row.ts";

const ELSEWHERE = "10.0.0.9";
const team = { auth: "team" } as const;
const keys = "/api/auth/api-keys";

/** Authentication, API keys and what a key may do. */
export const AUTH: readonly Row[] = [
  { fact: "local mode requires no key", request: { path: "/api/status", peer: ELSEWHERE }, status: 200 },
  { fact: "team mode always requires a key", options: team, request: { path: "/api/status" }, status: 401 },
  {
    fact: "401 has an error and WWW-Authenticate",
    options: team,
    request: { path: "/api/status" },
    status: 401,
    answer: { error: "authentication required" },
    headers: { "www-authenticate": "Bearer" },
  },
  {
    fact: "hybrid mode requires no key from this machine",
    options: { auth: "hybrid" },
    request: { path: "/api/status", peer: "127.0.0.1" },
    status: 200,
  },
  {
    fact: "hybrid mode accepts an IPv4-mapped loopback address",
    options: { auth: "hybrid" },
    request: { path: "/api/status", peer: "::ffff:127.0.0.1" },
    status: 200,
  },
  {
    fact: "hybrid mode requires a key from other machines",
    options: { auth: "hybrid" },
    request: { path: "/api/status", peer: ELSEWHERE },
    status: 401,
  },
  ...["/health", "/api/auth/methods", "/api/auth/whoami"].map((path): Row => ({
    fact: `${path} requires no key`,
    options: team,
    request: { path, peer: ELSEWHERE },
    status: 200,
  })),
  ...([
    ["wrong", "invalid api key"],
    ["unknown", "invalid api key"],
    ["expired", "api key expired"],
  ] as const).map(([key, error]): Row => ({
    fact: `${error} (${key}) is 401`,
    options: team,
    request: { path: "/api/status", key },
    status: 401,
    answer: { error },
  })),
  {
    fact: "a token in another format is malformed",
    options: team,
    request: { path: "/api/status", headers: { authorization: "Bearer something" } },
    status: 401,
    answer: { error: "malformed token" },
  },
  {
    fact: "a revoked key is 401",
    options: team,
    given: [
      { path: keys, key: "admin" },
      ([list]) => ({ path: `${keys}/${idNamed(list, "bob")}`, method: "DELETE", key: "admin" }),
    ],
    request: { path: "/api/status", key: "bob" },
    status: 401,
    answer: { error: "api key revoked" },
  },
  {
    fact: "too many invalid keys are 429 with Retry-After",
    options: team,
    given: Array.from(
      { length: 10 },
      () => ({ path: "/api/status", key: "wrong", peer: ELSEWHERE } as const),
    ),
    request: { path: "/api/status", key: "wrong", peer: ELSEWHERE },
    status: 429,
    answer: { error: "rate limit exceeded", retryAfter: (at: unknown) => typeof at === "number" },
    headers: { "retry-after": "60" },
  },
  {
    fact: "a valid key passes while its peer is limited",
    options: team,
    given: Array.from(
      { length: 20 },
      () => ({ path: "/api/status", key: "wrong", peer: ELSEWHERE } as const),
    ),
    request: { path: "/api/status", key: "bob", peer: ELSEWHERE },
    status: 200,
  },
  {
    fact: "the limit ends after a minute",
    options: team,
    given: [
      ...Array.from({ length: 20 }, () => ({ path: "/api/status", key: "wrong", peer: ELSEWHERE } as const)),
      { wait: 60_000 },
    ],
    request: { path: "/api/status", key: "wrong", peer: ELSEWHERE },
    status: 401,
  },
  {
    fact: "local mode has no tokens",
    request: { path: "/api/auth/token", body: { role: "agent" } },
    status: 400,
    answer: { error: "auth secret not available (local mode?)" },
  },
  {
    fact: "whoami reports a valid key as authenticated",
    options: team,
    request: { path: "/api/auth/whoami", key: "bob" },
    status: 200,
    answer: {
      authenticated: true,
      trustedLocal: false,
      effectiveAccess: true,
      mode: "team",
      claims: { role: "agent", scope: { agent: "bob" } },
      providers: (list: unknown) => Array.isArray(list),
    },
  },
  {
    fact: "whoami reports the error of an invalid key",
    options: team,
    request: { path: "/api/auth/whoami", key: "wrong" },
    status: 200,
    answer: { authenticated: false, effectiveAccess: false, claims: null, error: "invalid api key" },
  },
  {
    fact: "whoami reports a trusted peer",
    options: { auth: "hybrid" },
    request: { path: "/api/auth/whoami", peer: "127.0.0.1" },
    status: 200,
    answer: { authenticated: false, trustedLocal: true, effectiveAccess: true, mode: "hybrid" },
  },
  {
    fact: "creating a key answers 201 with the key",
    options: team,
    request: {
      path: keys,
      key: "admin",
      body: {
        name: "laptop",
        connector: "signet-pyagent",
        harness: "pyagent",
        agentId: "bob",
        scope: { agent: "bob" },
        allowedProjects: ["/home/u/p"],
        expiresAt: "2027-01-01T00:00:00Z",
      },
    },
    status: 201,
    answer: {
      apiKey: {
        id: /^key_[A-Za-z0-9_-]{16}$/,
        prefix: /^[0-9a-f]{12}$/,
        key: /^sig_sk_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/,
        name: "laptop",
        role: "agent",
        scope: { agent: "bob" },
        permissions: ["recall", "remember", "documents"],
        connector: "signet-pyagent",
        harness: "pyagent",
        agentId: "bob",
        allowedProjects: ["/home/u/p"],
        createdAt: "2026-03-01T12:00:00.000Z",
        lastUsedAt: null,
        revokedAt: null,
        expiresAt: "2027-01-01T00:00:00Z",
      },
    },
  },
  {
    fact: "the list of keys does not contain the keys themselves",
    options: team,
    given: [{ path: keys, key: "admin", body: { name: "laptop" } }],
    request: { path: keys, key: "admin" },
    status: 200,
    answer: {
      apiKeys: (list: unknown) =>
        Array.isArray(list) && list.every((one) => one.key === undefined && one.hash === undefined) &&
        list.some((one) => one.name === "laptop"),
    },
  },
  {
    fact: "the list of keys has the time of last use",
    options: team,
    given: [{ path: "/api/status", key: "bob" }],
    request: { path: keys, key: "admin" },
    status: 200,
    answer: {
      apiKeys: (list: unknown) =>
        Array.isArray(list) &&
        list.some((one) => one.name === "bob" && one.lastUsedAt === "2026-03-01T12:00:00.000Z") &&
        list.some((one) => one.name === "reader" && one.lastUsedAt === null),
    },
  },
  {
    fact: "a key needs a name",
    options: team,
    request: { path: keys, key: "admin", body: {} },
    status: 400,
    answer: { error: "name is required" },
  },
  {
    fact: "a key with an unknown role is rejected",
    options: team,
    request: { path: keys, key: "admin", body: { name: "x", role: "king" } },
    status: 400,
    answer: { error: /role must be one of: admin, operator, agent, readonly/ },
  },
  {
    fact: "revoking an unknown key is 404",
    options: team,
    request: { path: `${keys}/nothing`, method: "DELETE", key: "admin" },
    status: 404,
    answer: { error: "API key not found" },
  },
  ...(["bob", "operator", "reader"] as const).flatMap((key) =>
    ([["GET", keys], ["POST", keys], ["DELETE", `${keys}/x`]] as const).map(([method, path]): Row => ({
      fact: `${method} ${path} is 403 for ${key}`,
      options: team,
      request: { path, method, key, body: method === "POST" ? { name: "x" } : undefined },
      status: 403,
      answer: { error: /lacks 'admin' permission/ },
    }))
  ),
  {
    fact: "a readonly key may not remember",
    options: team,
    request: { path: "/api/memory/remember", key: "reader", body: { content: "x" } },
    status: 403,
    answer: { error: "role 'readonly' lacks 'remember' permission" },
  },
  {
    fact: "a readonly key may recall",
    options: team,
    request: { path: "/api/memory/recall", key: "reader", body: { query: "x" } },
    status: 200,
  },
  ...([
    ["a project of its own", { project: "/home/u/one" }, 200],
    ["a folder in it", { project: "/home/u/two/src" }, 200],
    ["no project", {}, 200],
    ["another project", { project: "/home/u/three" }, 403],
    ["a project whose name only begins so", { project: "/home/u/one-more" }, 403],
    ["a way out of it", { project: "/home/u/one/../three" }, 403],
    ["another project as cwd", { cwd: "/home/u/three" }, 403],
  ] as const).map(([what, more, status]): Row => ({
    fact: `allowedProjects: ${what} is ${status}`,
    options: team,
    request: { path: "/api/hooks/session-start", key: "projects", body: hook(more) },
    status,
  })),
  {
    fact: "allowedProjects hides the memories of other projects",
    options: team,
    given: [
      { path: "/api/memory/remember", key: "admin", body: { content: "apple one", project: "/home/u/one" } },
      {
        path: "/api/memory/remember",
        key: "admin",
        body: { content: "apple two", project: "/home/u/two/src" },
      },
      {
        path: "/api/memory/remember",
        key: "admin",
        body: { content: "apple three", project: "/home/u/three" },
      },
      { path: "/api/memory/remember", key: "admin", body: { content: "apple of none" } },
    ],
    request: { path: "/api/memory/recall", key: "projects", body: { query: "apple" } },
    status: 200,
    answer: {
      results: (list: unknown) =>
        Array.isArray(list) && list.length === 3 && !list.some((one) => one.content === "apple three"),
    },
  },
  {
    fact: "hybrid: a key sent from this machine still limits the request",
    options: { auth: "hybrid" },
    request: {
      path: "/api/hooks/session-start",
      key: "bob",
      peer: "127.0.0.1",
      body: hook({ agentId: "alice" }),
    },
    status: 403,
  },
  {
    fact: "local: another daemon's key is ignored",
    request: { path: "/api/auth/whoami", key: "unknown" },
    status: 200,
    answer: { authenticated: false, trustedLocal: false, effectiveAccess: true, claims: null, key: ABSENT },
  },
  ...([
    ["a Host of another site", { host: "evil.example" }, 403],
    ["a Host that only begins like this machine", { host: "127.0.0.1.evil.example:3850" }, 403],
    ["an Origin of another site", { host: "127.0.0.1:3850", origin: "http://evil.example" }, 403],
    [
      "an Origin on another port of this machine",
      { host: "127.0.0.1:3850", origin: "http://127.0.0.1:80" },
      403,
    ],
    ["the Origin of a sandboxed page", { host: "127.0.0.1:3850", origin: "null" }, 403],
    ["its own Origin", { host: "localhost:3850", origin: "http://localhost:3850" }, 200],
    ["no Origin", { host: "[::1]:3850" }, 200],
  ] as const).map(([what, headers, status]): Row => ({
    fact: `without keys, a request with ${what} is ${status}`,
    request: { path: "/api/memory/recall", body: { query: "x" }, headers },
    status,
  })),
  {
    fact: "a key passes whatever the Host is",
    options: team,
    request: { path: "/api/status", key: "bob", headers: { host: "daemon.example" } },
    status: 200,
  },
  ...([
    ["the right password", { username: "root", password: "pw" }, 200, { role: "admin", username: "root" }],
    ["a wrong password", { username: "root", password: "no" }, 401, {
      error: "invalid username or password",
    }],
    ["no password", { username: "root" }, 400, { error: "password is required" }],
    ["no user name", {}, 400, { error: "username is required" }],
  ] as const).map(([what, body, status, answer]): Row => ({
    fact: `a login with ${what} is ${status}`,
    options: { ...team, admin: { username: "root", password: "pw" } },
    request: { path: "/api/auth/login", body },
    status,
    answer,
  })),
  {
    fact: "the token of a login is an admin's",
    options: { ...team, admin: { username: "root", password: "pw" } },
    given: [{ path: "/api/auth/login", body: { username: "root", password: "pw" } }],
    request: ([login]) => ({
      path: keys,
      headers: { authorization: `Bearer ${isObject(login) ? login.token : ""}` },
    }),
    status: 200,
  },
  {
    fact: "the sixth login in a minute is 429",
    options: { ...team, admin: { username: "root", password: "pw" } },
    given: Array.from(
      { length: 5 },
      () => ({ path: "/api/auth/login", body: { username: "x", password: "x" } }),
    ),
    request: { path: "/api/auth/login", body: { username: "root", password: "pw" } },
    status: 429,
  },
  {
    fact: "a token that an admin made expires",
    options: team,
    given: [
      { path: "/api/auth/token", key: "admin", body: { role: "agent", ttlSeconds: 60 } },
      { wait: 60_000 },
    ],
    request: ([made]) => ({
      path: "/api/status",
      headers: { authorization: `Bearer ${isObject(made) ? made.token : ""}` },
    }),
    status: 401,
    answer: { error: "token expired" },
  },
  {
    fact: "a changed token is 401",
    options: team,
    given: [{ path: "/api/auth/token", key: "admin", body: { role: "agent" } }],
    request: ([made]) => ({
      path: "/api/status",
      headers: { authorization: `Bearer x${isObject(made) ? made.token : ""}` },
    }),
    status: 401,
    answer: { error: "invalid signature" },
  },
];

function idNamed(list: unknown, name: string): string {
  const found = isObject(list) && Array.isArray(list.apiKeys)
    ? list.apiKeys.find((one) => one.name === name)
    : {};
  return String(found?.id);
}

import { assert } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../connectors/base/testing/any_text.ts";
import { DEEP } from "../connectors/base/testing/deep.ts";
import { SEED, SEEDED } from "../connectors/base/testing/seed.ts";
import { HOOKS } from "./conformance/common.ts";
import { ENVELOPE, REQUEST_FIELDS } from "./contract/request_fields.ts";
import { createMockDaemon, type MockDaemon, newKey } from "./mod.ts";

const RUNS = DEEP ? 10_000 : 500;

const PATHS = [
  "/health",
  "/api/status",
  "/api/harnesses",
  "/api/harnesses/regenerate",
  ...[...HOOKS, "nothing"].map((name) => `/api/hooks/${name}`),
  ...["remember", "recall", "search", "modify", "forget", "feedback", "x", "%00", "%"].map((name) =>
    `/api/memory/${name}`
  ),
  "/api/memories",
  "/api/sessions",
  "/api/sessions/s1",
  "/api/sessions/%ff/bypass",
  "/api/sessions/s1/bypass",
  "/api/sessions/s1/renew",
  "/api/agents",
  "/api/agents/bob",
  "/api/agents/../../etc",
  "/api/cross-agent/presence",
  "/api/cross-agent/presence/s1",
  "/api/cross-agent/messages",
  "/api/auth/whoami",
  "/api/auth/api-keys",
  "/api/auth/api-keys/x",
  "/api/auth/token",
  "/api/knowledge/expand",
  "/__mock/requests",
  "/__mock/script",
  "/__mock/memories",
];

const FIELDS = [
  ...new Set([...REQUEST_FIELDS.flatMap(([, , fields]) => Object.keys(fields)), ...ENVELOPE, "__proto__"]),
];
const WORDS = [
  "",
  " ",
  "s1",
  "agent:bob:s1",
  "session:agent:alice:",
  "plugin",
  "legacy",
  "execute",
  "clear",
  "a".repeat(900),
  "Larkspur",
  '"',
  "* OR NEAR(",
  "\u0000",
  "\ud800",
  "-1",
  "2026-01-01T00:00:00Z",
  "/tmp/x",
  "[a,b]: c",
  "critical:",
];

const word = fc.oneof(fc.constantFrom(...WORDS), fc.string(), anyText);
const value = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.jsonValue(),
  fc.double(),
  fc.constant(null),
  fc.boolean(),
);
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 12 }).map((fields) =>
      JSON.stringify(fields)
    ),
  },
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc.string({ maxLength: 50 }),
  fc.constant(undefined),
);
const header = fc.string({ unit: fc.constantFrom(..."abcABC019 :/_-.{}\"'".split("")), maxLength: 40 });
const anyPath = fc.array(anyText, { maxLength: 4 }).map((segments) =>
  `//${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/")}`
);
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "POST", "POST", "PUT", "PATCH", "DELETE"),
  path: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PATHS) }, anyPath),
  query: fc.dictionary(
    fc.constantFrom("q", "agent_id", "limit", "cursor", "offset", "since", "pinned", "tags"),
    word,
    { maxKeys: 3 },
  ),
  headers: fc.dictionary(
    fc.constantFrom(
      "x-signet-agent-id",
      "x-signet-session-key",
      "x-signet-runtime-path",
      "x-signet-no-hooks",
      "idempotency-key",
    ),
    header,
    { maxKeys: 3 },
  ),
  body,
  daemon: fc.nat(5),
  key: fc.nat(3),
});

/** Where the real versions answer 500 to valid input. */
const REAL_FAILURES: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/(agents|auth\/|memory\/)/, "Internal Server Error"],
  [/^\/api\/memory\/remember$/, '{"error":"Failed to save memory"}'],
];

function isJson(text: string | undefined): boolean {
  try {
    JSON.parse(text ?? "");
    return true;
  } catch {
    return false;
  }
}

Deno.test(`mock daemon survives ${RUNS} random requests, with 5xx only where the real daemon answers so ${SEEDED}`, async () => {
  const bob = newKey();
  const admin = newKey();
  const keys = [{ key: bob, name: "bob", agentId: "bob", allowedProjects: ["/home/u"] }];
  const daemons: MockDaemon[] = [
    createMockDaemon({ keys, dedupeHeader: true }),
    createMockDaemon({ keys, adminKey: admin, auth: "team", scriptable: false }),
    createMockDaemon({ keys, auth: "hybrid" }),
    createMockDaemon({ keys, strict: true }),
    createMockDaemon({ keys, adminKey: admin, auth: "team", profile: "0.145" }),
    createMockDaemon({ profile: "0.58" }),
  ];
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      const headers = new Headers(sent.headers);
      const key = [undefined, bob, admin, "sig_sk_nonsense"][sent.key];
      if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
      const url = new URL(`http://127.0.0.1${sent.path}`);
      for (const [name, text] of Object.entries(sent.query)) url.searchParams.append(name, text);
      const response = await daemons[sent.daemon]?.app.request(url.href, {
        method: sent.method,
        headers,
        body: sent.method === "GET" ? undefined : sent.body,
      }, { peer: "127.0.0.1" });
      const text = await response?.text();
      const expected500 = url.pathname.startsWith("/api/hooks/") && response?.status === 500 &&
        /^\{"error":"(Hook execution failed|Failed to save summary)"\}$/.test(text ?? "") &&
        !isJson(sent.method === "GET" ? undefined : sent.body);
      const fails = sent.daemon >= 4 && response?.status === 500 &&
        REAL_FAILURES.some(([path, answer]) => path.test(url.pathname) && answer === text);
      assert(
        response !== undefined && (response.status < 500 || expected500 || fails),
        `${response?.status} ${text}`,
      );
    }),
    { numRuns: RUNS, seed: SEED },
  );
  for (const daemon of daemons) {
    const recorded = JSON.stringify(daemon.requests());
    assert(!recorded.includes(bob.slice(20)) && !recorded.includes(admin.slice(20)));
    daemon.close();
  }
});

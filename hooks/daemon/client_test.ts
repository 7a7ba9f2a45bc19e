import { assertEquals, assertMatch } from "@std/assert";
import { HANG_MS } from "../../connectors/base/testing/until.ts";
import { type Fault, FaultyDaemon } from "../../tests/worlds/daemon/faulty_daemon.ts";
import { DaemonClient, type Reply, retryAfter } from "./client.ts";

const html = { "content-type": "text/html" };

const CASES: [string, Fault, (reply: Reply<unknown>) => unknown, unknown][] = [
  ["a good answer", "ok", (r) => r.kind === "ok" && r.body, {
    inject: "",
    memoriesSaved: 0,
    queued: false,
    success: true,
    id: "memory",
    sessionKnown: true,
  }],
  ["a reset connection", "reset", (r) => r.kind, "unreachable"],
  ["an answer that breaks off", "reset after", (r) => r.kind, "unreachable"],
  ["no answer", "hang", (r) => r.kind, "timeout"],
  ["a byte a second", "drip", (r) => r.kind, "timeout"],
  ["a body that never ends", "endless", (r) => r.kind, "tooLarge"],
  [
    "a redirect",
    { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } },
    (r) => r.kind,
    "redirect",
  ],
  ["a captive portal", { status: 200, body: "<html>Log in</html>", headers: html }, (r) => r.kind, "notJson"],
  ["JSON under a wrong type", { status: 200, body: '{"inject":"x"}', headers: html }, (r) => r.kind, "ok"],
  ["half a JSON", { status: 200, body: '{"inject":"x' }, (r) => r.kind, "notJson"],
  ["a JSON string", { status: 200, body: '"x"' }, (r) => r.kind, "notJson"],
  ["an empty answer", { status: 200, body: "" }, (r) => r.kind, "notJson"],
  ["a refusal", { status: 403, body: '{"error":"scope"}' }, pick, ["http", 403, "scope", true, undefined]],
  ["a proxy's refusal", { status: 403, body: "<html>", headers: html }, pick, [
    "http",
    403,
    undefined,
    false,
    undefined,
  ]],
  [
    "a retry hint",
    { status: 503, body: '{"error":"busy"}', headers: { "retry-after": "7" } },
    pick,
    ["http", 503, "busy", true, 7000],
  ],
  ["a retry hint in the body", { status: 429, body: '{"retryAfter":2}' }, pick, [
    "http",
    429,
    undefined,
    true,
    2000,
  ]],
  ["a senseless retry hint", { status: 429, body: "{}", headers: { "retry-after": "soon" } }, pick, [
    "http",
    429,
    undefined,
    true,
    undefined,
  ]],
];

function pick(reply: Reply<unknown>): unknown {
  return reply.kind === "http" && [reply.kind, reply.status, reply.error, reply.json, reply.retryAfterMs];
}

for (const [name, fault, look, expected] of CASES) {
  Deno.test(`DaemonClient given ${name}`, async () => {
    await using daemon = new FaultyDaemon();
    daemon.respond = () => fault;
    const client = new DaemonClient({ url: daemon.url, harness: "x" });
    const timeoutMs = expected === "timeout" ? 200 : HANG_MS;
    assertEquals(look(await client.sessionStart({}, { timeoutMs })), expected);
  });
}

Deno.test("DaemonClient reports a refused connection", async () => {
  const daemon = new FaultyDaemon();
  daemon.stop();
  const reply = await new DaemonClient({ url: daemon.url, harness: "x" }).recall({ query: "q" });
  assertMatch(reply.kind === "unreachable" ? reply.reason : reply.kind, /refused/i);
});

Deno.test("DaemonClient sends what the contract asks for on every hook route", async () => {
  await using daemon = new FaultyDaemon();
  const client = new DaemonClient({
    url: daemon.url,
    harness: "pi",
    agentId: "me/pi",
    apiKey: "sig_sk_1",
    runtimePath: "plugin",
  });
  await client.sessionStart({ sessionKey: "s" });
  await client.userPromptSubmit({ sessionKey: "s", userMessage: "m" });
  await client.preCompaction({ sessionKey: "s" });
  await client.compactionComplete({ sessionKey: "s", summary: "x" });
  await client.checkpoint({ sessionKey: "s", transcript: "t" });
  await client.remember({ sessionKey: "s", content: "c" });
  await client.recall({ sessionKey: "s", query: "q" });
  await client.sessionEnd({ sessionKey: "s" });
  assertEquals(daemon.received.map(({ path }) => path.replace("/api/hooks/", "")), [
    "session-start",
    "user-prompt-submit",
    "pre-compaction",
    "compaction-complete",
    "session-checkpoint-extract",
    "remember",
    "recall",
    "session-end",
  ]);
  const keys = new Set<string>();
  for (const { headers, body } of daemon.received) {
    keys.add(headers.get("idempotency-key") ?? "");
    assertEquals(headers.get("authorization"), "Bearer sig_sk_1");
    assertEquals(headers.get("x-signet-runtime-path"), "plugin");
    assertEquals(headers.get("x-signet-agent-id"), "me/pi");
    assertEquals(headers.get("x-signet-harness"), "pi");
    assertMatch(headers.get("x-signet-connector-version") ?? "", /^\d+\.\d+\.\d+/);
    assertEquals([body.harness, body.agentId, body.agent_id, body.runtimePath, body.sessionKey], [
      "pi",
      "me/pi",
      "me/pi",
      "plugin",
      "s",
    ]);
  }
  assertEquals(keys.size, 8);
});

Deno.test("DaemonClient sends nothing at all where the key must not go", async () => {
  const cases: [ConstructorParameters<typeof DaemonClient>[0], RegExp][] = [
    [{ url: "http://192.0.2.1:3850", harness: "x", apiKey: "k" }, /plain http/],
    [{ url: "http://127.0.0.1:1", harness: "x", problem: "The agent id is bad." }, /agent id/],
    [{ url: "http://127.0.0.1:1", harness: "x", apiKey: "sig_sk_a\nb" }, /invalid character/],
  ];
  for (const [options, problem] of cases) {
    const reply = await new DaemonClient(options).request("GET", "/health");
    assertMatch(reply.kind === "blocked" ? reply.problem : reply.kind, problem);
  }
});

Deno.test("retryAfter() reads seconds, a date, and the moment in ms that Signet 0.145 answers", () => {
  const now = Date.parse("2026-11-17T10:00:00Z");
  const cases: [string | null, unknown, number | undefined][] = [
    ["15", { retryAfter: now + 60_000 }, 15_000],
    [null, { retryAfter: now + 14_000 }, 14_000],
    [null, { retryAfter: now - 1 }, undefined],
    [null, { retryAfter: 2 }, 2000],
    ["Tue, 17 Nov 2026 10:00:30 GMT", undefined, 30_000],
    [String(now + 5000), undefined, 5000],
    ["90000", undefined, 3_600_000],
    [null, { retryAfter: "15" }, undefined],
    [null, [], undefined],
  ];
  for (const [header, body, expected] of cases) {
    assertEquals(retryAfter(header, body, now), expected, `${header} ${JSON.stringify(body)}`);
  }
});

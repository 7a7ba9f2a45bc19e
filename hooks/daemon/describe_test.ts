import { assertEquals } from "@std/assert";
import { describe } from "./describe.ts";

const URL = "http://127.0.0.1:3850";

function http(status: number, error?: string, json = true): Parameters<typeof describe>[0] {
  return { kind: "http", status, error, json, ms: 1 };
}

Deno.test("describe() has one kind and one sentence for each failure", () => {
  const daemon = `The daemon at ${URL}`;
  const cases: [Parameters<typeof describe>[0], string, string][] = [
    [
      { kind: "unreachable", reason: "Connection refused", ms: 1 },
      "offline",
      `${daemon} is not reachable: Connection refused.`,
    ],
    [{ kind: "timeout", ms: 1 }, "timeout", `${daemon} did not answer in time.`],
    [{ kind: "breaker", ms: 0 }, "breaker", `${daemon} did not answer in time.`],
    [{ kind: "tooLarge", ms: 1 }, "too large", `The answer of the daemon at ${URL} is too large.`],
    [{ kind: "blocked", problem: "Use https.", ms: 0 }, "blocked", "Use https."],
    [http(401, "revoked."), "unauthorized", `${daemon} requires a valid API key (HTTP 401): revoked.`],
    [http(403), "forbidden", `${daemon} does not allow this request with this key (HTTP 403).`],
    [http(404, "no memory"), "not found", `${daemon} has no such item (HTTP 404): no memory.`],
    [http(404, undefined, false), "unsupported", `${daemon} does not support this request (HTTP 404).`],
    [http(409, "claimed"), "conflict", `${daemon} reports a conflict (HTTP 409): claimed.`],
    [
      { kind: "http", status: 429, json: true, retryAfterMs: 2500, ms: 1 },
      "rate-limited",
      `${daemon} is rate-limiting requests (HTTP 429): try again in 3 s.`,
    ],
    [http(503, "busy"), "server error", `${daemon} failed (HTTP 503): busy.`],
    [http(400, "bad"), "refused", `${daemon} rejected the request (HTTP 400): bad.`],
  ];
  for (const [reply, kind, message] of cases) {
    const failure = describe(reply, URL);
    assertEquals([failure.kind, failure.message], [kind, message]);
  }
});

Deno.test("describe() strips control characters and keys from what the daemon reported", () => {
  const cases: [string, string][] = [
    ["\u001b]0;title\u0007\u001b[2Jbad\u0000 \u009b31mkey", "bad key"],
    ["over\u202eride\u2066 two\nlines", "override two lines"],
    ["no key sig_sk_abcdef123 here", "no key sig_sk_… here"],
    ["Authorization: Bearer abc.def", "Authorization: Bearer …"],
    ["sig\u0000_sk_abc", "sig_sk_…"],
    ["x".repeat(400), "x".repeat(300) + "…"],
  ];
  for (const [error, detail] of cases) {
    const failure = describe(http(400, error), URL);
    assertEquals(failure.detail, detail);
    assertEquals(failure.message.endsWith(`: ${detail}.`), true);
    assertEquals(failure.summary, `The daemon at ${URL} rejected the request (HTTP 400)`);
  }
});

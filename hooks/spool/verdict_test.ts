import { assertEquals } from "@std/assert";
import type { Reply } from "../daemon/client.ts";
import { verdict } from "./verdict.ts";

const URL = "http://127.0.0.1:3850";

type Answer = Reply<Record<string, unknown>>;

function http(status: number, json = true, retryAfterMs?: number): Answer {
  return { kind: "http", status, json, retryAfterMs, ms: 1 };
}

Deno.test("verdict() counts an event as sent only if the daemon confirms it", () => {
  const cases: [string, Answer, string][] = [
    ["saved", { kind: "ok", status: 200, body: { memoriesSaved: 0 }, ms: 1 }, "sent"],
    [
      "a duplicate",
      { kind: "ok", status: 200, body: { skipped: true, duplicateSessionEnd: true }, ms: 1 },
      "sent",
    ],
    ["200 with an error", { kind: "ok", status: 200, body: { error: "no" }, ms: 1 }, "hold session"],
    ["a bad request", http(400), "reject"],
    ["a proxy's bad request", http(400, false), "stop"],
    ["another path's session", http(409), "reject"],
    ["too large, by a proxy", http(413, false), "reject"],
    ["unprocessable", http(422), "reject"],
    ["no key", http(401), "hold agent"],
    ["the wrong key", http(403), "hold agent"],
    ["no such route", http(404, false), "stop"],
    ["slow down", http(429), "stop"],
    ["an event it cannot process", http(500), "hold session"],
    ["a proxy's 500", http(500, false), "stop"],
    ["a proxy without a daemon", http(502, false), "stop"],
    ["shutting down", http(503), "stop"],
    ["refused", { kind: "unreachable", reason: "refused", ms: 1 }, "stop"],
    ["hanging", { kind: "timeout", ms: 1 }, "stop"],
    ["a captive portal", { kind: "notJson", status: 200, ms: 1 }, "stop"],
    ["a redirect", { kind: "redirect", ms: 1 }, "stop"],
    ["a flood", { kind: "tooLarge", ms: 1 }, "hold session"],
    ["forbidden by the settings", { kind: "blocked", problem: "p", ms: 0 }, "stop"],
  ];
  for (const [name, reply, expected] of cases) assertEquals(verdict(reply, URL).do, expected, name);
});

Deno.test("verdict() passes on how long the daemon asked to wait", () => {
  const result = verdict(http(503, true, 7000), URL);
  assertEquals(result.do === "stop" && result.retryAfterMs, 7000);
});

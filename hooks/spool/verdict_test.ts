import { assertEquals } from "@std/assert";
import type { Reply } from "../daemon/client.ts";
import type { SpoolKind } from "./spool.ts";
import { verdict } from "./verdict.ts";

const URL = "http://127.0.0.1:3850";

type Answer = Reply<unknown>;

function http(status: number, json = true, retryAfterMs?: number): Answer {
  return { kind: "http", status, json, retryAfterMs, ms: 1 };
}

function ok(body: unknown): Answer {
  return { kind: "ok", status: 200, body, ms: 1 };
}

Deno.test("verdict() counts an event as sent only if the daemon confirms it", () => {
  const cases: [string, Answer, string][] = [
    ["saved", { kind: "ok", status: 200, body: { memoriesSaved: 0 }, ms: 1 }, "sent"],
    [
      "a duplicate",
      {
        kind: "ok",
        status: 200,
        body: { memoriesSaved: 0, skipped: true, duplicateSessionEnd: true },
        ms: 1,
      },
      "sent",
    ],
    ["200 with an error", { kind: "ok", status: 200, body: { error: "no" }, ms: 1 }, "hold session"],
    ["200 with a stranger's object", ok({ status: "ok", login: "/portal" }), "hold session"],
    ["200 with an empty list", ok([]), "hold session"],
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
  for (const [name, reply, expected] of cases) {
    assertEquals(verdict("session-end", reply, URL).do, expected, name);
  }
});

Deno.test("verdict() passes on how long the daemon asked to wait", () => {
  const result = verdict("session-end", http(503, true, 7000), URL);
  assertEquals(result.do === "stop" && result.retryAfterMs, 7000);
});

Deno.test("verdict() takes only the answer of the event's own route for a confirmation", () => {
  const answers: [SpoolKind, unknown[], unknown[]][] = [
    ["session-end", [
      { memoriesSaved: 0 },
      { memoriesSaved: 0, queued: false },
      { memoriesSaved: 0, skipped: true, duplicateRuntimePath: true, claimedBy: "plugin" },
      { memoriesSaved: 0, bypassed: true },
    ], [[], {}, { memoriesSaved: "0" }, { success: true }, { id: "1" }, { inject: "" }, { queued: true }]],
    ["compaction-complete", [
      { success: true, memoryId: "m" },
      { success: true, memoryId: null, contextEpoch: 1 },
      { success: true, skipped: true, duplicateRuntimePath: true },
    ], [[], {}, { success: false }, { success: "true" }, { memoriesSaved: 0 }]],
    ["remember", [
      { id: "m", type: "fact" },
      { saved: true, id: "m" },
      { chunked: true, chunk_count: 1, ids: ["a"], group_id: "g" },
      { id: "m", deduped: true },
      { success: true, memories: [], bypassed: true },
    ], [[], {}, { id: "" }, { ids: [] }, { saved: false }, { success: true }, { memoriesSaved: 0 }]],
  ];
  for (const [kind, good, bad] of answers) {
    for (const body of good) assertEquals(verdict(kind, ok(body), URL).do, "sent", JSON.stringify(body));
    for (const body of bad) {
      const result = verdict(kind, ok(body), URL);
      assertEquals(result.do, "hold session", JSON.stringify(body));
      assertEquals(
        "reason" in result && result.reason,
        `What answers at ${URL} is not a Signet daemon: it did not confirm the event`,
      );
    }
  }
});

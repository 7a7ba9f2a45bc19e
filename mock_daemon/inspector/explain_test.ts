import { assert, assertEquals } from "@std/assert";
import { createMockDaemon, type MockDaemon, type MockDaemonOptions } from "../mod.ts";
import { explain } from "./explain.js";

const START = { harness: "pi", sessionKey: "s1", runtimePath: "legacy", agentId: "bob" };

interface Sent {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** What the page says about the last of these requests to a real mock daemon. */
async function said(
  options: MockDaemonOptions,
  requests: readonly Sent[],
  prepare?: (d: MockDaemon) => string,
) {
  const daemon = createMockDaemon(options);
  const key = prepare?.(daemon);
  for (const { path = "/api/hooks/session-start", body = START, headers = {} } of requests) {
    const response = await daemon.app.request(path, {
      method: "POST",
      headers: key === undefined ? headers : { authorization: `Bearer ${key}`, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    await response.body?.cancel();
  }
  const found = explain(daemon.requests().at(-1), { profile: "design" });
  daemon.close();
  return found;
}

Deno.test("explain() names the reason and the next step for each refusal of the daemon", async (t) => {
  const team: MockDaemonOptions = { auth: "team" };
  const bob = (daemon: MockDaemon) => daemon.createKey({ name: "bob", scope: { agent: "bob" } }).key;
  const cases: [string, ReturnType<typeof said>, string, RegExp][] = [
    ["no key", said(team, [{}]), "401 Not authenticated", /no key.*SIGNET_API_KEY/],
    [
      "an unknown key",
      said(team, [{ headers: { authorization: `Bearer sig_sk_${"0".repeat(12)}_${"x".repeat(43)}` } }]),
      "401 Not authenticated",
      /does not accept the key sig_sk_0+_\[redacted\]/,
    ],
    [
      "another agent's key",
      said(team, [{ body: { ...START, agentId: "alice" } }], bob),
      "403 Not allowed",
      /belongs to agent bob, and the request is for agent alice/,
    ],
    [
      "a second path",
      said({}, [{}, { body: { ...START, runtimePath: "plugin" } }]),
      "409 Conflict",
      /legacy path sent hooks.*first/,
    ],
    ["a missing field", said({}, [{ body: {} }]), "400 Bad request", /session-start/],
    ["text that is not JSON", said({}, [{ body: "{" }]), "500 The daemon failed", /not a JSON object/],
    ["an unknown route", said({}, [{ path: "/api/nothing" }]), "404 Not found", /profile design/],
    [
      "strict",
      said({ strict: true }, [{ body: { ...START, oops: 1 } }]),
      "422 Rejected by --strict",
      /warnings below/,
    ],
  ];
  for (const [name, explained, title, hint] of cases) {
    await t.step(name, async () => {
      const found = await explained;
      assertEquals([found?.tone, found?.title], ["bad", title]);
      assert(hint.test(found?.hint ?? ""), found?.hint);
      assert((found?.reason ?? "") !== "", "there is no reason");
    });
  }
});

Deno.test("explain() says that a fault was scripted, and what it did", () => {
  for (const fault of ["status", "body", "redirect", "truncate", "reset", "hang", "drip", "delay", "new"]) {
    const found = explain({ status: 200, ms: 3, outcome: fault, fault });
    assert(found?.title.includes("scripted fault"), fault);
    assertEquals(found?.tone, fault === "delay" || fault === "drip" ? "warn" : "bad");
  }
});

Deno.test("explain() has nothing to say about a success, and a quiet word about a stub", () => {
  assertEquals(explain({ status: 200, outcome: "ok", answer: {} }), undefined);
  assertEquals(explain({ status: 200, outcome: "stub", answer: {} })?.tone, "quiet");
});

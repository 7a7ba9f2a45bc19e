import { assert, assertEquals } from "@std/assert";
import { createMockDaemon, type MockDaemon, type MockDaemonOptions } from "../../mod.ts";
import { explain } from "./explain.js";

const START = { harness: "pi", sessionKey: "s1", runtimePath: "legacy", agentId: "bob" };

interface Sent {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** What the page says about the last of these requests to a real mock daemon. */
async function explainLast(
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
  const explanation = explain(daemon.requests().at(-1), { profile: "design" });
  daemon.close();
  return explanation;
}

Deno.test("explain() names the reason and the next step for each refusal of the daemon", async (t) => {
  const team: MockDaemonOptions = { auth: "team" };
  const bob = (daemon: MockDaemon) => daemon.createKey({ name: "bob", scope: { agent: "bob" } }).key;
  const cases: [string, ReturnType<typeof explainLast>, string, RegExp][] = [
    ["no key", explainLast(team, [{}]), "401 Not authenticated", /no key.*SIGNET_API_KEY/],
    [
      "an unknown key",
      explainLast(team, [{
        headers: { authorization: `Bearer sig_sk_${"0".repeat(12)}_${"x".repeat(43)}` },
      }]),
      "401 Not authenticated",
      /does not accept the key sig_sk_0+_\[redacted\]/,
    ],
    [
      "another agent's key",
      explainLast(team, [{ body: { ...START, agentId: "alice" } }], bob),
      "403 Not allowed",
      /belongs to agent bob, and the request is for agent alice/,
    ],
    [
      "a second path",
      explainLast({}, [{}, { body: { ...START, runtimePath: "plugin" } }]),
      "409 Conflict",
      /legacy path sent hooks.*first/,
    ],
    ["a missing field", explainLast({}, [{ body: {} }]), "400 Bad request", /session-start/],
    ["text that is not JSON", explainLast({}, [{ body: "{" }]), "500 The daemon failed", /not a JSON object/],
    [
      "an unknown route",
      explainLast({}, [{ path: "/api/nothing" }]),
      "404 Not found",
      /profile design/,
    ],
    [
      "strict",
      explainLast({ strict: true }, [{ body: { ...START, oops: 1 } }]),
      "422 Rejected by --strict",
      /warnings below/,
    ],
  ];
  for (const [name, explained, title, hint] of cases) {
    await t.step(name, async () => {
      const explanation = await explained;
      assertEquals([explanation?.tone, explanation?.title], ["bad", title]);
      assert(hint.test(explanation?.hint ?? ""), explanation?.hint);
      assert((explanation?.reason ?? "") !== "", "there is no reason");
    });
  }
});

Deno.test("explain() says that a fault was scripted, and what it did", () => {
  for (const fault of ["status", "body", "redirect", "truncate", "reset", "hang", "drip", "delay", "new"]) {
    const explanation = explain({ status: 200, ms: 3, outcome: fault, fault });
    assert(explanation?.title.includes("scripted fault"), fault);
    assertEquals(explanation?.tone, fault === "delay" || fault === "drip" ? "warn" : "bad");
  }
});

Deno.test("explain() has nothing to say about a success, and a quiet word about a stub", () => {
  assertEquals(explain({ status: 200, outcome: "ok", answer: {} }), undefined);
  assertEquals(explain({ status: 200, outcome: "stub", answer: {} })?.tone, "quiet");
});

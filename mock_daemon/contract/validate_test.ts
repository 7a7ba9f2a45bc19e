import { assert, assertEquals } from "@std/assert";
import { createMockDaemon, newKey } from "../mod.ts";

const GOOD = {
  harness: "pyagent",
  sessionKey: "s1",
  runtimePath: "legacy",
  agentId: "default",
  agent_id: "default",
  requestContext: { harness: "pyagent" },
};

/** A hook, changes to a valid body, and the expected warning, if any. */
const CASES: readonly (readonly [string, Record<string, unknown>, RegExp | undefined])[] = [
  ["session-start", { project: "/home/u/p", source: "startup" }, undefined],
  ["session-start", { session_key: "s1" }, /^session_key is ignored; send sessionKey$/],
  ["session-start", { colour: "red" }, /^colour is ignored; unknown field$/],
  ["session-start", { runtimePath: undefined }, /^runtimePath is missing in header and body/],
  ["session-start", { runtimePath: "sidecar" }, /runtimePath/],
  ["session-start", { sessionKey: undefined }, /^sessionKey is missing/],
  ["session-start", { project: 7 }, /^project: .*string/],
  ["user-prompt-submit", { userMessage: "hi", memory_feedback: {} }, undefined],
  ["user-prompt-submit", { userMessage: "hi", last_assistant_message: "x" }, /send lastAssistantMessage$/],
  ["session-end", { cwd: "/home/u/p", transcript: "x" }, undefined],
  ["session-end", { project: "/home/u/p" }, /^project is ignored on session-end; send cwd$/],
  ["pre-compaction", { messageCount: "12" }, /^messageCount: .*number/],
  ["compaction-complete", { summary: "x", project: "/home/u/p" }, undefined],
  ["remember", { content: "x", type: "fact" }, /^type is ignored; the daemon infers it$/],
  ["recall", { query: "x", min_score: 0.5 }, /^min_score is ignored/],
];

for (const [name, change, wanted] of CASES) {
  const what = wanted === undefined ? "accepts" : "warns about";
  Deno.test(`validate ${what} ${name} with ${JSON.stringify(change)}`, async () => {
    const body = JSON.stringify({ ...GOOD, ...change });
    for (const strict of [false, true]) {
      const daemon = createMockDaemon({ strict });
      const response = await daemon.app.request(`/api/hooks/${name}`, { method: "POST", body });
      const warnings = daemon.requests()[0]?.warnings ?? [];
      const answer = await response.json();
      daemon.close();
      if (wanted === undefined) assertEquals([response.status, warnings], [200, []]);
      else {
        assert(warnings.some((warning) => wanted.test(warning)), warnings.join("\n"));
        assertEquals(response.status, strict ? 422 : 200);
        assertEquals(answer.warnings, strict ? [...warnings] : undefined);
      }
    }
  });
}

Deno.test("validate reads the runtime path from the header", async () => {
  const daemon = createMockDaemon({ strict: true });
  const { runtimePath: _, ...body } = GOOD;
  const response = await daemon.app.request("/api/hooks/session-start", {
    method: "POST",
    headers: { "x-signet-runtime-path": "plugin" },
    body: JSON.stringify(body),
  });
  assertEquals(response.status, 200, await response.text());
  daemon.close();
});

Deno.test("authenticate warns when a trusted peer sends an invalid key", async () => {
  const daemon = createMockDaemon({ auth: "hybrid" });
  const headers = { authorization: `Bearer ${newKey()}` };
  const response = await daemon.app.request("/api/status", { headers }, { peer: "127.0.0.1" });
  assertEquals(response.status, 200);
  assertEquals(daemon.requests()[0]?.warnings, [
    "invalid credential (invalid api key): accepted from this peer, but rejected where a key is required",
  ]);
  daemon.close();
});

import { assert, assertEquals } from "@std/assert";
import { createMockDaemon, type MockDaemon, newKey } from "../mod.ts";

function post(daemon: MockDaemon, path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return daemon.app.request(path, { method: "POST", headers, body: text });
}

const hook = (agentId: string, harness: string) => ({
  harness,
  agentId,
  sessionKey: `${agentId}-1`,
  runtimePath: "legacy",
});

async function list(daemon: MockDaemon, query: string) {
  return await (await daemon.app.request(`/__mock/requests${query}`)).json();
}

Deno.test("GET /__mock/requests filters by agent, harness, event, session and warnings", async () => {
  const daemon = createMockDaemon();
  await post(daemon, "/api/hooks/session-start", hook("alice", "codex"));
  await post(daemon, "/api/hooks/session-start", hook("bob", "codex"));
  await post(daemon, "/api/hooks/session-end", hook("bob", "pi"));
  await post(daemon, "/api/hooks/session-end", { ...hook("bob", "pi"), oops: 1 });
  const cases = [
    ["", 4],
    ["?agent=bob", 3],
    ["?harness=codex", 2],
    ["?event=session-end", 2],
    ["?agent=bob&event=session-start", 1],
    ["?session=alice-1", 1],
    ["?warned=true", 1],
    ["?path=/api/hooks/session-end&status=200", 2],
    ["?agent=nobody", 0],
  ] as const;
  for (const [query, count] of cases) assertEquals((await list(daemon, query)).requests.length, count, query);
  daemon.close();
});

Deno.test("GET /__mock/requests continues from a cursor, page by page", async () => {
  const daemon = createMockDaemon();
  for (let i = 0; i < 5; i++) await post(daemon, "/api/hooks/session-start", hook(`a${i}`, "pi"));
  const agents: string[] = [];
  let cursor = 0;
  for (let page = 0; page < 3; page++) {
    const answer = await list(daemon, `?cursor=${cursor}&limit=2`);
    agents.push(...answer.requests.map((one: { agent: string }) => one.agent));
    cursor = answer.cursor;
  }
  assertEquals(agents, ["a0", "a1", "a2", "a3", "a4"]);
  assertEquals((await list(daemon, `?cursor=${cursor}`)).requests, []);
  await daemon.app.request("/__mock/requests", { method: "DELETE" });
  assertEquals((await list(daemon, "")).requests, []);
  await post(daemon, "/api/hooks/session-start", hook("later", "pi"));
  const after = await list(daemon, `?cursor=${cursor}`);
  assertEquals(after.requests.map((one: { agent: string }) => one.agent), ["later"]);
  daemon.close();
});

Deno.test("Recorder keeps a bounded number of requests", async () => {
  const daemon = createMockDaemon({ keep: 10 });
  for (let i = 0; i < 25; i++) await post(daemon, "/api/hooks/session-start", hook(`a${i}`, "pi"));
  assertEquals(daemon.requests().map(({ agent }) => agent).at(0), "a15");
  assertEquals((await list(daemon, "")).oldest, 16);
  daemon.close();
});

Deno.test("Recorder redacts keys wherever a request put them", async () => {
  const file = await Deno.makeTempFile();
  const key = newKey();
  const daemon = createMockDaemon({ record: file, auth: "hybrid" });
  const secret = key.slice(20);
  const escaped = `{"harness":"x","note":"sig\\u005fsk_${key.slice(7)}"}`;
  const odd = "an-odd-token-of-another-kind";
  await post(daemon, "/api/hooks/session-start", {
    harness: "x",
    apiKey: "hunter2hunter2",
    deep: [{ k: key }],
  });
  await post(daemon, "/api/hooks/session-start", escaped);
  await post(daemon, "/api/hooks/session-start", `not json ${key}`);
  await post(daemon, `/api/nothing/${key}?token=${key}`, {}, { "x-note": key, cookie: "session=abc" });
  await post(daemon, "/api/memory/remember", { content: `the key is ${key}` });
  await post(daemon, "/api/hooks/session-start", { harness: "x", context: odd }, {
    authorization: `Bearer ${odd}`,
  });
  const made = await (await post(daemon, "/api/auth/api-keys", { name: "laptop" })).json();
  await post(daemon, "/api/memory/recall", { query: "key" }, { authorization: `Bearer ${made.apiKey.key}` });
  const kept = JSON.stringify(daemon.requests());
  const written = await Deno.readTextFile(file);
  for (const text of [kept, written]) {
    assert(text.includes("[redacted]"));
    for (const hidden of [secret, "hunter2", odd, "session=abc", made.apiKey.key.slice(20)]) {
      assert(!text.includes(hidden), `${hidden} is in ${text.slice(0, 200)}…`);
    }
  }
  assertEquals(written.trimEnd().split("\n").length, 8);
  daemon.close();
  await Deno.remove(file);
});

Deno.test("GET /__mock/requests?brief=1 has the reason of a failure, in one line", async () => {
  const daemon = createMockDaemon();
  await post(daemon, "/api/hooks/session-start", {});
  await post(daemon, "/api/nothing", {});
  await post(daemon, "/api/hooks/session-start", hook("bob", "pi"));
  const { requests } = await list(daemon, "?brief=1");
  assertEquals(requests.map((request: { error?: string }) => request.error), [
    "harness is required",
    "404 Not Found",
    undefined,
  ]);
  daemon.close();
});

Deno.test("Recorder marks a replay by the inspector, and ignores a mark that is no number", async () => {
  const daemon = createMockDaemon();
  for (const mark of ["1", "", "x", "-1", "1e9", "9".repeat(40)]) {
    await post(daemon, "/api/hooks/session-start", hook("bob", "pi"), { "x-signet-mock-replay": mark });
  }
  assertEquals(daemon.requests().map(({ replayOf }) => replayOf), [1, ...Array(5).fill(undefined)]);
  daemon.close();
});

Deno.test("Recorder says that it did not keep a long body whole", async () => {
  const daemon = createMockDaemon();
  await post(daemon, "/api/hooks/session-end", { ...hook("bob", "pi"), transcript: "x".repeat(300_000) });
  await post(daemon, "/api/hooks/session-end", hook("bob", "pi"));
  assertEquals(daemon.requests().map(({ truncated }) => truncated), [true, undefined]);
  daemon.close();
});

Deno.test("Recorder has a request that is too large, without its body", async () => {
  const daemon = createMockDaemon();
  const large = "x".repeat(daemon.state.profile.maxBodyBytes + 1);
  const response = await post(daemon, "/api/hooks/session-end", large);
  assertEquals(response.status, 413);
  const [recorded] = daemon.requests();
  assertEquals([recorded?.status, recorded?.event, recorded?.body], [413, "session-end", undefined]);
  assertEquals(recorded?.answer, { error: "payload too large" });
  daemon.close();
});

Deno.test("nextRequest() waits for a future request", async () => {
  const daemon = createMockDaemon();
  const coming = daemon.nextRequest({ event: "session-end", agent: "bob" });
  await post(daemon, "/api/hooks/session-start", hook("bob", "pi"));
  await post(daemon, "/api/hooks/session-end", hook("bob", "pi"));
  assertEquals((await coming).path, "/api/hooks/session-end");
  daemon.close();
});

Deno.test("GET /__mock/events streams requests as they arrive", async () => {
  const daemon = createMockDaemon();
  const response = await daemon.app.request("/__mock/events?agent=bob");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await post(daemon, "/api/hooks/session-start", hook("alice", "pi"));
  await post(daemon, "/api/hooks/session-start", hook("bob", "pi"));
  let seen = "";
  while (!seen.includes("data: ")) seen += (await reader?.read())?.value ?? "";
  assertEquals(JSON.parse(/data: (.*)/.exec(seen)?.[1] ?? "").agent, "bob");
  assert(seen.includes("id: 2\n"));
  await reader?.cancel();
  daemon.close();
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { recallCommand, rememberCommand } from "./commands.ts";
import type { Answer } from "./daemon.ts";
import { FakeDaemon, jsonReply } from "../testing/fake_daemon.ts";

const BIN = "signet-pyagent";

Deno.test("rememberCommand() stores the text with its tags and project", async () => {
  const daemon = FakeDaemon.saying({ id: "m1", type: "fact", content: "heron" });
  const memory = { content: " the database is heron\n", tags: "db,staging", project: "/home/u/proj" };
  const outcome = await rememberCommand(daemon, memory, BIN);
  assertEquals([outcome.code, outcome.mark, outcome.text], [0, "ok", "Remembered as fact"]);
  assertEquals(outcome.data, { status: "stored", ids: ["m1"], type: "fact", agentId: "nicholai/pi" });
  assertEquals(daemon.requests[0]?.path, "/api/memory/remember");
  const { idempotencyKey, ...rest } = daemon.requests[0]?.body ?? {};
  assertEquals(rest, {
    content: "the database is heron",
    tags: "db,staging",
    project: "/home/u/proj",
    who: "pyagent",
  });
  assertEquals(typeof idempotencyKey, "string");
  await rememberCommand(daemon, { content: "mine", private: true }, BIN);
  assertEquals(daemon.requests[1]?.body?.visibility, "private");
});

Deno.test("rememberCommand() reports a known memory and a chunked one", async () => {
  const known = await rememberCommand(FakeDaemon.saying({ id: "m1", deduped: true }), { content: "x" }, BIN);
  assertEquals([known.text, known.data.status], ["Already known; nothing was added", "known"]);
  const chunked = FakeDaemon.saying({ chunked: true, chunk_count: 2, ids: ["a", "b"], group_id: "g" });
  const long = await rememberCommand(chunked, { content: "x" }, BIN);
  assertEquals([long.text, long.data.ids], ["Remembered, in 2 chunks", ["a", "b"]]);
});

Deno.test("rememberCommand() corrects the type that the daemon inferred, and reports if it cannot", async () => {
  const daemon = (patch: Answer) =>
    new FakeDaemon(({ method }) => method === "PATCH" ? patch : jsonReply(200, { id: "m1", type: "fact" }));
  const allowed = daemon(jsonReply(200, { status: "updated" }));
  const done = await rememberCommand(allowed, { content: "x", type: "decision" }, BIN);
  assertEquals([done.text, done.next], ["Remembered as decision", undefined]);
  assertEquals(allowed.requests[1]?.path, "/api/memory/m1");
  const refused = daemon(jsonReply(403, { error: "forbidden" }));
  const kept = await rememberCommand(refused, { content: "x", type: "decision" }, BIN);
  assertEquals([kept.code, kept.text], [0, "Remembered as fact"]);
  assertStringIncludes(kept.next ?? "", "The daemon assigned the type fact");
});

Deno.test("rememberCommand() saves the memory on disk while the daemon is down, with the same idempotency key", async () => {
  const temporary: Answer[] = [
    { kind: "unreachable", reason: "Connection refused", ms: 1 },
    { kind: "timeout", ms: 1 },
    { kind: "notJson", status: 200, ms: 1 },
    { kind: "redirect", ms: 1 },
    jsonReply(200, []),
    jsonReply(200, { status: "ok", login: "/portal" }),
    jsonReply(503, { error: "shutting down" }),
    jsonReply(429, { error: "slow down", retryAfter: 3 }),
  ];
  for (const answer of temporary) {
    const daemon = new FakeDaemon(() => answer);
    const outcome = await rememberCommand(daemon, { content: "heron" }, BIN);
    assertEquals([outcome.code, outcome.mark, outcome.data.status], [0, "warn", "spooled"]);
    assertStringIncludes(outcome.text, "saved on disk");
    assertEquals(daemon.kept, [daemon.requests[0]?.body]);
  }
});

Deno.test("rememberCommand() fails if the memory cannot be saved on disk", async () => {
  const daemon = FakeDaemon.away();
  daemon.keep = () => Promise.reject(new Error("No space left on device (os error 28)"));
  const outcome = await rememberCommand(daemon, { content: "heron" }, BIN);
  assertEquals([outcome.code, outcome.mark], [1, "fail"]);
  assertStringIncludes(outcome.text, "could not be saved on disk either: No space left");
});

Deno.test("rememberCommand() and recallCommand() map failures to exit codes", async () => {
  const cases: { answer: Answer; code: number; text: string; next?: string }[] = [
    {
      answer: jsonReply(401, { error: "api key revoked" }),
      code: 6,
      text: "requires a valid API key (HTTP 401): api key revoked.",
    },
    { answer: jsonReply(403, { error: "scope" }), code: 6, text: "does not allow this request" },
    { answer: jsonReply(400, { error: "bad" }), code: 1, text: "(HTTP 400): bad." },
    { answer: jsonReply(404), code: 1, text: "does not support this request" },
    {
      answer: { kind: "blocked", problem: "The key is not sent.", ms: 0 },
      code: 1,
      text: "The key is not sent.",
    },
  ];
  for (const { answer, code, text } of cases) {
    for (
      const run of [
        () => rememberCommand(new FakeDaemon(() => answer), { content: "x" }, BIN),
        () => recallCommand(new FakeDaemon(() => answer), { query: "x" }, BIN),
      ]
    ) {
      const outcome = await run();
      assertEquals([outcome.code, outcome.mark, outcome.data.code], [code, "fail", code]);
      assertStringIncludes(outcome.text, text);
    }
  }
});

Deno.test("recallCommand() exits 7 while the daemon is down and suggests doctor", async () => {
  const outcome = await recallCommand(FakeDaemon.away(), { query: "heron" }, BIN);
  assertEquals(outcome.code, 7);
  assertEquals(outcome.text, "The daemon at http://127.0.0.1:3850 is not reachable: Connection refused.");
  assertEquals(outcome.next, "signet-pyagent doctor");
});

Deno.test("recallCommand() shows memories without terminal control sequences", async () => {
  const daemon = FakeDaemon.saying({
    results: [{
      id: "m1",
      content: "the \x1b[31mdatabase\x1b[0m is\nheron\x07",
      type: "fact",
      tags: ["db", "staging"],
      score: 1.071,
      truncated: true,
      created_at: "2026-03-01T08:00:00Z",
    }],
  });
  const outcome = await recallCommand(daemon, { query: " database ", type: "fact", limit: 3 }, BIN);
  assertEquals(daemon.requests[0]?.body, { query: "database", type: "fact", limit: 3 });
  assertEquals(outcome.text, "1 memory");
  assertEquals(
    outcome.block,
    "- the database is\n  heron… [cut]\n  (fact · 2026-03-01 · tags db,staging · score 1.07 · id m1)\n",
  );
  assertEquals(outcome.data.count, 1);
});

Deno.test("recallCommand() exits 0 if nothing matches", async () => {
  const outcome = await recallCommand(FakeDaemon.saying({ results: [] }), { query: "heron" }, BIN);
  assertEquals([outcome.code, outcome.text, outcome.data.results], [0, "No matching memories", []]);
});

Deno.test("rememberCommand() and recallCommand() without text send no request", async () => {
  const daemon = FakeDaemon.away();
  assertEquals((await rememberCommand(daemon, { content: " \n" }, BIN)).code, 2);
  assertEquals((await recallCommand(daemon, { query: "" }, BIN)).code, 2);
  assertEquals((await rememberCommand(daemon, { content: "x".repeat(100_001) }, BIN)).code, 2);
  assertEquals([daemon.requests, daemon.kept], [[], []]);
});

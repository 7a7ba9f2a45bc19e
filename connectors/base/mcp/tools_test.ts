import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Answer } from "../memory/daemon.ts";
import { FakeDaemon } from "../testing/fake_daemon.ts";
import { checkArguments } from "./arguments.ts";
import type { ToolReply } from "./tool.ts";
import { listing, offered, TOOLS } from "./tools.ts";

const NEVER = new Promise<Answer>(() => {});

function use(daemon: FakeDaemon, name: string, raw: unknown, stopping = NEVER): Promise<ToolReply> {
  const tool = TOOLS.find((tool) => tool.name === name);
  assert(tool);
  const checked = checkArguments(tool, raw, daemon.agentId);
  assert(checked.ok, checked.ok ? "" : checked.message);
  return tool.run(checked.args, { daemon, binary: "signet-pyagent", project: "/home/u/proj", stopping });
}

/** The request that each tool sends, in the form that both daemon generations accept. */
const REQUESTS: [string, Record<string, unknown>, string, Record<string, unknown> | undefined][] = [
  ["memory_search", { query: "db", tags: "a,b" }, "POST /api/memory/recall", {
    query: "db",
    limit: 10,
    tags: "a,b",
  }],
  ["memory_get", { id: "a/b" }, "GET /api/memory/a%2Fb", undefined],
  ["memory_list", { limit: 5, offset: 10 }, "GET /api/memories?limit=5&offset=10", undefined],
  ["memory_modify", { id: "m1", reason: "old", content: "new" }, "PATCH /api/memory/m1", {
    content: "new",
    reason: "old",
  }],
  ["memory_forget", { id: "m1", reason: "not so" }, "DELETE /api/memory/m1?reason=not+so", undefined],
  ["knowledge_expand", { entity_name: "heron", max_tokens: 100 }, "POST /api/knowledge/expand", {
    entity: "heron",
    maxTokens: 100,
  }],
  [
    "agent_peers",
    { project: "/p" },
    "GET /api/cross-agent/presence?limit=50&include_self=false&project=%2Fp",
    undefined,
  ],
  ["agent_message_send", { content: "hi", to_agent_id: "bob" }, "POST /api/cross-agent/messages", {
    fromAgentId: "nicholai/pi",
    toAgentId: "bob",
    type: "info",
    content: "hi",
  }],
  [
    "agent_message_inbox",
    {},
    "GET /api/cross-agent/messages?limit=20&include_sent=false&include_broadcast=true",
    undefined,
  ],
];

for (const [name, args, route, body] of REQUESTS) {
  Deno.test(`${name} requests ${route.split("?")[0]}`, async () => {
    const daemon = FakeDaemon.saying({ id: "m1" });
    await use(daemon, name, args);
    const [request] = daemon.requests;
    assertEquals([`${request?.method} ${request?.path}`, request?.body], [route, body]);
  });
}

Deno.test("memory_store sends the current project, the harness and the hints", async () => {
  const daemon = FakeDaemon.saying({ id: "m1" });
  const reply = await use(daemon, "memory_store", { content: " x ", hints: ["why x"] });
  assertEquals(reply, { text: "Stored (id m1)." });
  const { idempotencyKey: _, ...body } = daemon.requests[0]?.body ?? {};
  assertEquals(body, { content: "x", project: "/home/u/proj", hints: ["why x"], who: "pyagent" });
});

Deno.test("memory_store saves the memory on disk while the daemon is down, without an error", async () => {
  const daemon = FakeDaemon.away();
  const reply = await use(daemon, "memory_store", { content: "x" });
  assertEquals(reply.isError, undefined);
  assertStringIncludes(reply.text, "is not reachable: Connection refused. The memory is saved on disk");
  assertEquals(daemon.kept.length, 1);
});

Deno.test("memory_store saves a pending memory on disk when the server stops", async () => {
  const daemon = new FakeDaemon(() => NEVER);
  await use(
    daemon,
    "memory_store",
    { content: "x" },
    Promise.resolve({ kind: "timeout", ms: 0 }),
  );
  assertEquals(daemon.kept, [daemon.requests[0]?.body]);
});

Deno.test("every other tool reports that the daemon is down and says to continue", async () => {
  for (const [name, args] of REQUESTS) {
    const reply = await use(FakeDaemon.away(), name, args);
    assertEquals(reply, {
      text:
        "The daemon at http://127.0.0.1:3850 is not reachable: Connection refused. Continue without it, and tell the user " +
        "once. (for the user: signet-pyagent doctor)",
      isError: true,
    });
  }
});

Deno.test("knowledge_expand distinguishes an unknown name from a daemon without the route", async () => {
  const unknown = FakeDaemon.saying({ error: "entity not found" }, 404);
  assertStringIncludes(
    (await use(unknown, "knowledge_expand", { entity_name: "x" })).text,
    'no entity named "x"',
  );
  const without = FakeDaemon.saying(undefined, 404);
  assertStringIncludes(
    (await use(without, "knowledge_expand", { entity_name: "x" })).text,
    "does not support this request",
  );
});

Deno.test("memory_search omits weak matches and stays within its budget", async () => {
  const results = Array.from(
    { length: 100 },
    (_, n) => ({ id: `m${n}`, content: "x".repeat(900), score: n / 100 }),
  );
  const reply = await use(FakeDaemon.saying({ results }), "memory_search", {
    query: "x",
    limit: 100,
    min_score: 0.5,
  });
  assert(!reply.text.includes("id m49)") && reply.text.includes("id m50)"));
  assertStringIncludes(reply.text, "more did not fit");
  assert(reply.text.length < 25_000);
});

Deno.test("memory_modify without a change and agent_message_send without a recipient send no request", async () => {
  const daemon = FakeDaemon.away();
  for (
    const [name, args] of [
      ["memory_modify", { id: "m1", reason: "r" }],
      ["agent_message_send", { content: "hi" }],
    ] as const
  ) assert((await use(daemon, name, args)).isError);
  assertEquals(daemon.requests, []);
});

Deno.test("agent_peers and agent_message_inbox show who, where and what", async () => {
  const sessions = [{ agentId: "bob", harness: "codex", project: "/home/u/p", sessionKey: "s1" }];
  const peers = await use(FakeDaemon.saying({ sessions }), "agent_peers", {});
  assertEquals(peers.text, "- bob in codex · on /home/u/p · session s1");
  const items = [{ fromAgentId: "bob", type: "question", content: "which\ndb?", createdAt: "2026-01-01" }];
  const inbox = await use(FakeDaemon.saying({ items }), "agent_message_inbox", {});
  assertStringIncludes(inbox.text, "- 2026-01-01 bob (question)\n  which\n  db?");
});

Deno.test("offered() lists only read tools in mode readonly, and nothing that the daemon lacks", () => {
  const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);
  assertEquals(names(offered("write", new Set())).length, 10);
  assertEquals(names(offered("readonly", new Set())), [
    "memory_search",
    "memory_get",
    "memory_list",
    "knowledge_expand",
    "agent_peers",
    "agent_message_inbox",
  ]);
  assertEquals(names(offered("readonly", new Set(["agents", "knowledge"] as const))), [
    "memory_search",
    "memory_get",
    "memory_list",
  ]);
});

Deno.test("listing() sets the annotations that harnesses rely on", () => {
  const hints = Object.fromEntries(TOOLS.map((tool) => {
    const { readOnlyHint, destructiveHint } = listing(tool).annotations;
    return [tool.name, readOnlyHint ? "read" : destructiveHint ? "destructive" : "write"];
  }));
  assertEquals(hints, {
    memory_search: "read",
    memory_get: "read",
    memory_list: "read",
    memory_store: "write",
    memory_modify: "destructive",
    memory_forget: "destructive",
    knowledge_expand: "read",
    agent_peers: "read",
    agent_message_send: "write",
    agent_message_inbox: "read",
  });
});

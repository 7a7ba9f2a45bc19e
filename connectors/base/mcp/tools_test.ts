import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Answer } from "../memory/daemon.ts";
import { FakeDaemon, jsonReply } from "../testing/fake_daemon.ts";
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
    "memory_forget",
    { id: "m1", reason: "r", force: true },
    "DELETE /api/memory/m1?reason=r&force=true",
    undefined,
  ],
  ["memory_feedback", { session_key: "s1", ratings: ["m1=0.5", "m2 = -1"] }, "POST /api/memory/feedback", {
    sessionKey: "s1",
    feedback: { m1: 0.5, m2: -1 },
  }],
  [
    "knowledge_expand_session",
    { entity_name: " Heron ", time_range: "last_week" },
    "POST /api/knowledge/expand/session",
    { entityName: "Heron", maxResults: 10, timeRange: "last_week" },
  ],
  ["lcm_expand", { id: "n1", transcript_char_limit: 500 }, "POST /api/sessions/summaries/expand", {
    id: "n1",
    includeTranscript: true,
    transcriptCharLimit: 500,
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
  Deno.test(`${name} requests ${route}`, async () => {
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

Deno.test("every tool that takes an id refuses . and .., which a URL drops", async () => {
  const daemon = FakeDaemon.saying({ id: "m1" });
  for (const id of [".", "..", " .. "]) {
    for (const name of ["memory_get", "memory_modify", "memory_forget"]) {
      const reply = await use(daemon, name, {
        id,
        ...(name === "memory_get" ? {} : { reason: "r" }),
        ...(name === "memory_modify" ? { content: "x" } : {}),
      });
      assertEquals(
        [reply.isError, reply.text.startsWith("There is no memory with this id")],
        [true, true],
        name,
      );
    }
  }
  assertEquals(daemon.requests, []);
});

/** Rows as the route of each daemon answers them, and what it lets agent nicholai/pi read by id. */
function listingDaemon(
  rows: readonly Record<string, unknown>[],
  agents: Answer,
  readable: readonly string[],
) {
  return new FakeDaemon(({ path }) => {
    if (path.startsWith("/api/memories")) return jsonReply(200, { memories: rows });
    if (path === "/api/agents") return agents;
    const id = path.slice("/api/memory/".length);
    return readable.includes(id)
      ? jsonReply(200, { id, content: id })
      : jsonReply(404, { error: "not found" });
  });
}

Deno.test("memory_list drops rows that name another agent", async () => {
  const rows = [
    { id: "a", content: "of nicholai", agent_id: "nicholai/pi" },
    { id: "b", content: "of bob", agent_id: "bob" },
    { id: "c", content: "of bob too", agentId: "bob" },
  ];
  const daemon = listingDaemon(rows, jsonReply(200, { agents: [] }), []);
  const { text } = await use(daemon, "memory_list", {});
  assert(text.includes("of nicholai") && !text.includes("bob"), text);
  assertEquals(daemon.requests.length, 1);
});

Deno.test("memory_list reads rows that name no agent by their id, and drops what is refused there", async () => {
  const rows = [{ id: "a", content: "mine" }, { id: "b", content: "hidden" }, { id: "..", content: "odd" }];
  const agents = (read_policy: string) => jsonReply(200, { agents: [{ id: "nicholai/pi", read_policy }] });
  const isolated = await use(listingDaemon(rows, agents("isolated"), ["a"]), "memory_list", {});
  assertEquals(isolated.text, "- mine\n  (id a)");
  const shared = await use(listingDaemon(rows, agents("shared"), ["a"]), "memory_list", {});
  assert(!shared.text.includes("hidden"), shared.text);
  assertStringIncludes(shared.text, "may include memories that other agents share");
  const none = await use(listingDaemon(rows, agents("isolated"), []), "memory_list", { limit: 3 });
  assertEquals(
    none.text,
    "No memories of this agent on this page.\nThere may be more: continue with offset 3.",
  );
});

Deno.test("memory_list shows nothing that it could not check", async () => {
  const rows = [{ id: "a", content: "mine" }, { id: "b", content: "hidden" }];
  const daemon = new FakeDaemon(({ path }) =>
    path.startsWith("/api/memories")
      ? jsonReply(200, { memories: rows })
      : path === "/api/agents"
      ? jsonReply(200, { agents: [] })
      : jsonReply(429, { error: "rate limit exceeded" })
  );
  const { text, isError } = await use(daemon, "memory_list", {});
  assertEquals([isError, text.includes("hidden"), text.includes("rate-limiting")], [true, false, true]);
});

Deno.test("memory_list says so where the daemon does not separate agents", async () => {
  const rows = [{ id: "a", content: "someone's" }, { id: "b", content: "forgotten" }];
  const { text } = await use(listingDaemon(rows, jsonReply(404), ["a"]), "memory_list", {});
  assertStringIncludes(text, "someone's");
  assert(!text.includes("forgotten"), text);
  assertStringIncludes(text, "does not separate agents");
});

Deno.test("memory_feedback takes a map as well as a list, and refuses other scores", async () => {
  const daemon = FakeDaemon.saying({ ok: true, recorded: 1, accepted: 0 });
  const reply = await use(daemon, "memory_feedback", { session_key: "s1", ratings: { m1: 1 } });
  assertEquals([reply.text, daemon.requests[0]?.body?.feedback], ["Recorded 0 of 1 ratings.", { m1: 1 }]);
  for (const rating of ["m1", "m1=2", "=1", "m1=x"]) {
    const bad = await use(FakeDaemon.away(), "memory_feedback", { session_key: "s1", ratings: [rating] });
    assertStringIncludes(bad.text, "ratings must be ID=SCORE");
  }
});

Deno.test("memory_forget mentions force when the memory is pinned", async () => {
  const pinned = FakeDaemon.saying({ error: "Pinned memories require force=true" }, 409);
  const reply = await use(pinned, "memory_forget", { id: "m1", reason: "r" });
  assertStringIncludes(reply.text, "pass force: true");
  const gone = FakeDaemon.saying({ status: "already_deleted" }, 409);
  assert(!(await use(gone, "memory_forget", { id: "m1", reason: "r" })).text.includes("force: true"));
});

Deno.test("memory_store reports the type that was stored, not the one that was asked for", async () => {
  const daemon = new FakeDaemon(({ method }) =>
    method === "PATCH" ? jsonReply(403, { error: "no" }) : jsonReply(200, { id: "m1", type: "fact" })
  );
  const reply = await use(daemon, "memory_store", { content: "x", type: "decision" });
  assertEquals(reply.text, "Stored as fact (id m1).");
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
  assertEquals(names(offered("write", new Set())).length, 19);
  assertEquals(names(offered("readonly", new Set())), [
    "memory_search",
    "memory_get",
    "memory_list",
    "knowledge_expand",
    "knowledge_expand_session",
    "lcm_expand",
    "agent_peers",
    "agent_message_inbox",
    "agent_message_wait",
    "agent_history_search",
    "file_locks",
  ]);
  assertEquals(names(offered("readonly", new Set(["agents", "knowledge", "sessions", "mesh"] as const))), [
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
    memory_feedback: "write",
    knowledge_expand: "read",
    knowledge_expand_session: "read",
    lcm_expand: "read",
    agent_peers: "read",
    agent_message_send: "write",
    agent_message_inbox: "read",
    agent_message_reply: "write",
    agent_message_wait: "read",
    agent_history_search: "read",
    file_lock: "write",
    file_unlock: "write",
    file_locks: "read",
  });
});

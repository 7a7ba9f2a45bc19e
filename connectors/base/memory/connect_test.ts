import { assertEquals, assertObjectMatch, assertStringIncludes } from "@std/assert";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { Spool } from "../../../hooks/spool/spool.ts";
import { openDaemon } from "./connect.ts";
import { record } from "./daemon.ts";

interface Seen {
  route: string;
  agent: string | null;
  key: string | null;
  body: Record<string, unknown> | undefined;
}

/** Runs `use` against a server that answers with `answer`, with a temporary home. */
async function withDaemon(
  answer: () => Response | Promise<Response>,
  use: (daemon: ReturnType<typeof openDaemon>, seen: Seen[], stateDir: string) => Promise<void>,
): Promise<void> {
  const home = await Deno.makeTempDir();
  const seen: Seen[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    seen.push({
      route: `${request.method} ${pathname}${search}`,
      agent: request.headers.get("x-signet-agent-id"),
      key: request.headers.get("idempotency-key"),
      body: text === "" ? undefined : record(JSON.parse(text)),
    });
    return answer();
  });
  const env: Record<string, string> = {
    HOME: home,
    SIGNET_DAEMON_URL: `http://127.0.0.1:${server.addr.port}`,
    SIGNET_AGENT_ID: "nicholai/pi",
  };
  const host: Surroundings = { env: (name) => env[name], os: "linux" };
  try {
    const daemon = openDaemon(loadSettings("pyagent", host), { cwd: "/home/u/proj", host });
    await use(daemon, seen, `${home}/.local/state/signet/pyagent`);
  } finally {
    await server.shutdown();
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("openDaemon() sets the agent in every spelling, whatever the caller passes", async () => {
  await withDaemon(() => Response.json({}), async (daemon, seen) => {
    await daemon.request("POST", "/api/memory/recall", { query: "x", agentId: "alice", agent_id: "alice" });
    await daemon.request("POST", "/api/cross-agent/messages", { fromAgentId: "alice", content: "hi" });
    await daemon.request("PATCH", "/api/memory/m1", { type: "fact" });
    await daemon.request("GET", "/api/memories?limit=1&agent_id=alice");
    await daemon.request("DELETE", "/api/memory/m1?reason=r");
    assertEquals(seen.map(({ agent }) => agent), Array(5).fill("nicholai/pi"));
    const agents = seen.map(({ body }) => [body?.agentId, body?.agent_id, body?.fromAgentId]);
    assertEquals(agents.slice(0, 3), [
      ["nicholai/pi", "nicholai/pi", undefined],
      [undefined, "nicholai/pi", "nicholai/pi"],
      ["nicholai/pi", "nicholai/pi", undefined],
    ]);
    assertEquals(seen.slice(3).map(({ route }) => route), [
      "GET /api/memories?limit=1&agent_id=nicholai%2Fpi",
      "DELETE /api/memory/m1?reason=r&agent_id=nicholai%2Fpi",
    ]);
    assertEquals(record(seen[0]?.body?.requestContext)?.agentId, "nicholai/pi");
  });
});

Deno.test("openDaemon() tells the daemon's answers from those of something else", async () => {
  const cases: [() => Response, Record<string, unknown>][] = [
    [() => Response.json({ id: "m1" }), { kind: "ok", status: 200, body: { id: "m1" } }],
    [() => Response.json({ error: "no" }, { status: 404 }), {
      kind: "http",
      status: 404,
      error: "no",
      json: true,
    }],
    [() => new Response("404 Not Found", { status: 404 }), { kind: "http", status: 404, json: false }],
    [() => Response.json({ error: "slow", retryAfter: 2 }, { status: 429 }), {
      kind: "http",
      status: 429,
      retryAfterMs: 2000,
    }],
    [() => new Response("<html>Log in"), { kind: "notJson", status: 200 }],
    [() => Response.redirect("http://127.0.0.1:1/"), { kind: "redirect" }],
  ];
  for (const [answer, wanted] of cases) {
    await withDaemon(answer, async (daemon) => {
      assertObjectMatch(await daemon.request("GET", "/api/memory/m1"), wanted);
    });
  }
});

Deno.test("openDaemon() times out on a daemon that hangs", async () => {
  const late = Promise.withResolvers<Response>();
  await withDaemon(() => late.promise, async (daemon) => {
    const answer = await daemon.request("GET", "/api/memories", undefined, 20);
    late.resolve(Response.json({}));
    assertEquals(answer.kind, "timeout");
  });
});

Deno.test("openDaemon() saves a memory as a spool entry that can be sent unchanged", async () => {
  await withDaemon(() => Response.json({}), async (daemon, seen, dir) => {
    const body = { content: "heron", idempotencyKey: "k1" };
    await daemon.request("POST", "/api/memory/remember", body);
    assertEquals(seen[0]?.key, "k1");
    await daemon.keep(body);
    const spool = new Spool(dir);
    const [item] = spool.list();
    const entry = item && spool.read(item);
    if (typeof entry !== "object") throw new Error("nothing was saved");
    assertEquals([entry.id, entry.kind, entry.path, entry.url], [
      "k1",
      "remember",
      "/api/memory/remember",
      daemon.url,
    ]);
    assertEquals(entry.body, seen[0]?.body ?? {});
  });
});

Deno.test("openDaemon() sends nothing if the settings forbid it", async () => {
  const env: Record<string, string> = {
    SIGNET_DAEMON_URL: "http://signet.example:3850",
    SIGNET_API_KEY: "sig_sk_x",
  };
  const host: Surroundings = { env: (name) => env[name], os: "linux" };
  const daemon = openDaemon(loadSettings("pyagent", host), { cwd: "", host });
  const answer = await daemon.request("GET", "/api/memories");
  assertEquals(answer.kind, "blocked");
  assertStringIncludes(answer.kind === "blocked" ? answer.problem : "", "http://signet.example:3850");
});

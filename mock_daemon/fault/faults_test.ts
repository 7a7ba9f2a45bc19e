import { assert, assertEquals, assertRejects } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import { type MockServer, serve } from "../mod.ts";

async function withServer(run: (server: MockServer) => Promise<void>): Promise<void> {
  const server = serve({ scriptable: true });
  try {
    await run(server);
  } finally {
    await server.shutdown();
  }
}

function post(server: MockServer, path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    redirect: "manual",
    ...init,
  });
}

async function script(server: MockServer, fault: Record<string, unknown>): Promise<void> {
  const response = await post(server, "/__mock/script", fault);
  assertEquals(response.status, 201, await response.text());
}

const START = { harness: "pyagent", sessionKey: "s1", runtimePath: "legacy", project: "/home/u/p" };

/** Sends one request on its own connection and returns the raw bytes received until it closes. */
async function bytesFrom(server: MockServer, path: string, body: unknown): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
  const json = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: close\r\n`;
  await connection.write(new TextEncoder().encode(`${head}content-length: ${json.length}\r\n\r\n${json}`));
  let received = "";
  try {
    for await (const chunk of connection.readable) received += new TextDecoder().decode(chunk);
  } catch {
    // A reset also ends the read; keep what arrived before it.
  }
  return received;
}

Deno.test("script status answers that many requests, which have no effect", async () => {
  await withServer(async (server) => {
    await script(server, { route: "session-start", status: 503, times: 2, headers: { "retry-after": "1" } });
    const first = await post(server, "/api/hooks/session-start", START);
    assertEquals([first.status, first.headers.get("retry-after")], [503, "1"]);
    assertEquals(await first.json(), { error: "scripted fault" });
    assertEquals(server.daemon.state.sessions.list(), []);
    await (await post(server, "/api/hooks/session-start", START)).body?.cancel();
    const third = await post(server, "/api/hooks/session-start", START);
    assertEquals(third.status, 200);
    await third.body?.cancel();
  });
});

Deno.test("script body answers with text or JSON", async () => {
  await withServer(async (server) => {
    await script(server, { route: "session-start", body: "<html>a proxy's login page</html>" });
    const page = await post(server, "/api/hooks/session-start", START);
    assertEquals([page.status, await page.text()], [200, "<html>a proxy's login page</html>"]);
    await script(server, { route: "session-start", body: { inject: "scripted" } });
    assertEquals(await (await post(server, "/api/hooks/session-start", START)).json(), {
      inject: "scripted",
    });
  });
});

Deno.test("script delay delays the response", async () => {
  await withServer(async (server) => {
    await script(server, { route: "session-start", delay: 150 });
    const started = performance.now();
    const response = await post(server, "/api/hooks/session-start", START);
    await response.body?.cancel();
    assertEquals(response.status, 200);
    // At least, on any machine; a timer may be a little early.
    assert(performance.now() - started >= 140);
  });
});

Deno.test("script drip sends the real response in chunks", async () => {
  await withServer(async (server) => {
    await script(server, { route: "/health", drip: { bytes: 40, every: 5 } });
    const response = await fetch(`${server.url}/health`);
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) pieces.push(new TextDecoder().decode(piece));
    assert(pieces.length >= 4, `${pieces.length} pieces`);
    assertEquals(JSON.parse(pieces.join("")).status, "healthy");
  });
});

Deno.test("script truncate cuts the body off after that many bytes", async () => {
  await withServer(async (server) => {
    await script(server, { route: "session-start", truncate: 10 });
    const received = await bytesFrom(server, "/api/hooks/session-start", START);
    const [head, body] = received.split("\r\n\r\n");
    assert(head?.startsWith("HTTP/1.1 200"), received);
    assertEquals(body, '{"identity');
    assert(Number(/content-length: (\d+)/i.exec(head ?? "")?.[1]) > 10, head);
  });
});

Deno.test("script truncate fails a client that reads to the end", async () => {
  await withServer(async (server) => {
    await script(server, { route: "session-start", truncate: 10 });
    const response = await post(server, "/api/hooks/session-start", START);
    await assertRejects(() => response.text());
  });
});

Deno.test("script redirect answers with a redirect", async () => {
  await withServer(async (server) => {
    await script(server, { route: "session-start", redirect: "http://127.0.0.1:1/steal" });
    const response = await post(server, "/api/hooks/session-start", START);
    await response.body?.cancel();
    assertEquals([response.status, response.headers.get("location")], [307, "http://127.0.0.1:1/steal"]);
  });
});

for (const when of ["before", "after"] as const) {
  Deno.test(`script reset closes the connection ${when} the request takes effect`, async () => {
    await withServer(async (server) => {
      await script(server, { route: "session-start", reset: when });
      assertEquals(await bytesFrom(server, "/api/hooks/session-start", START), "");
      assertEquals(server.daemon.state.sessions.list().length, when === "after" ? 1 : 0);
    });
  });

  Deno.test(`script hang never responds, ${when} the request takes effect`, async () => {
    await withServer(async (server) => {
      await script(server, { route: "session-start", hang: when });
      const client = new AbortController();
      const answer = post(server, "/api/hooks/session-start", START, { signal: client.signal });
      const { faults, sessions } = server.daemon.state;
      await until("the request met its fault", () => faults.list().length === 0);
      if (when === "after") await until("the request had its effect", () => sessions.list().length === 1);
      client.abort();
      await assertRejects(() => answer);
      assertEquals(server.daemon.state.sessions.list().length, when === "after" ? 1 : 0);
    });
  });
}

Deno.test("script applies only to the agent and harness it names", async () => {
  await withServer(async (server) => {
    await script(server, { agent: "bob", harness: "codex", status: 500, times: 9 });
    const cases = [
      [{ ...START, agentId: "bob", harness: "codex" }, 500],
      [{ ...START, agentId: "alice", harness: "codex" }, 200],
      [{ ...START, agentId: "bob", harness: "pi" }, 200],
    ] as const;
    for (const [body, status] of cases) {
      const response = await post(server, "/api/hooks/session-start", body);
      await response.body?.cancel();
      assertEquals(response.status, status);
    }
    const recorded = server.daemon.requests({ status: 500 });
    assertEquals(recorded.map(({ fault }) => fault), ["status"]);
  });
});

Deno.test("script rejects unknown fields", async () => {
  await withServer(async (server) => {
    const response = await post(server, "/__mock/script", { route: "session-start", explode: true });
    assertEquals(response.status, 400);
    assert((await response.json()).error.includes("explode"));
  });
});

Deno.test("script is refused unless the daemon is scriptable, and from other machines", async () => {
  const closed = serve();
  try {
    const response = await post(closed, "/__mock/script", { status: 500 });
    assertEquals(response.status, 403);
    assert((await response.json()).error.includes("--scriptable"));
  } finally {
    await closed.shutdown();
  }
  await withServer(async ({ daemon }) => {
    const ask = (headers: Record<string, string>, peer: string) =>
      daemon.app.request("http://127.0.0.1/__mock/script", {
        method: "POST",
        headers,
        body: '{"status":500}',
      }, { peer });
    assertEquals((await ask({}, "10.0.0.9")).status, 403);
    assertEquals((await ask({ host: "evil.example" }, "127.0.0.1")).status, 403);
    assertEquals((await ask({ host: "127.0.0.1", origin: "http://evil.example" }, "127.0.0.1")).status, 403);
    assertEquals((await ask({ host: "127.0.0.1" }, "127.0.0.1")).status, 201);
  });
});

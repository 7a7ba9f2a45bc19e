import { assertEquals, assertRejects } from "@std/assert";
import { createMockDaemon, type MockDaemon, newKey } from "./mod.ts";

const MAIN = new URL("./main.ts", import.meta.url).pathname;
const END = { harness: "pyagent", sessionKey: "s1", runtimePath: "legacy", cwd: "/home/u/p" };

async function post(daemon: MockDaemon, path: string, body: unknown, headers: Record<string, string> = {}) {
  return await (await daemon.app.request(path, { method: "POST", body: JSON.stringify(body), headers }))
    .json();
}

Deno.test("--db keeps memories, keys, tombstones and idempotency keys; claims are forgotten, as in B", async () => {
  const dir = await Deno.makeTempDir();
  const db = `${dir}/memory.db`;
  const first = createMockDaemon({ db, auth: "team" });
  const { key } = first.createKey({ name: "bob", role: "agent", agentId: "bob" });
  const bearer = { authorization: `Bearer ${key}` };
  await post(first, "/api/memory/remember", { content: "apple", idempotencyKey: "k1" }, bearer);
  await post(first, "/api/hooks/session-start", { ...END, sessionKey: "s2" }, bearer);
  await post(first, "/api/hooks/session-end", END, bearer);
  first.close();

  const second = createMockDaemon({ db, auth: "team" });
  assertEquals((await post(second, "/api/memory/recall", { query: "apple" }, bearer)).results.length, 1);
  assertEquals(
    (await post(second, "/api/memory/remember", { content: "pear", idempotencyKey: "k1" }, bearer)).deduped,
    true,
  );
  assertEquals((await post(second, "/api/hooks/session-end", END, bearer)).duplicateSessionEnd, true);
  const prompt = { ...END, sessionKey: "s2", userMessage: "hi", cwd: undefined };
  assertEquals((await post(second, "/api/hooks/user-prompt-submit", prompt, bearer)).sessionKnown, false);
  second.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("keys are stored as keyed hashes: neither the key nor its plain hash is in the database", async () => {
  const dir = await Deno.makeTempDir();
  const db = `${dir}/memory.db`;
  const daemon = createMockDaemon({ db });
  const { key } = daemon.createKey({ name: "bob" });
  daemon.close();
  const stored = await Deno.readFile(db);
  assertEquals(((await Deno.stat(db)).mode ?? 0) & 0o777, 0o600);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  assertEquals(indexOf(stored, new TextEncoder().encode(key.slice(20))), -1);
  assertEquals(indexOf(stored, digest), -1);
  assertEquals(((await Deno.stat(`${db}.secret`)).mode ?? 0) & 0o777, 0o600);
  await Deno.remove(`${db}.secret`);
  const other = createMockDaemon({ db, auth: "team" });
  const response = await other.app.request("/api/status", { headers: { authorization: `Bearer ${key}` } });
  assertEquals(response.status, 401);
  other.close();
  await Deno.remove(dir, { recursive: true });
});

function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  return new TextDecoder("latin1").decode(bytes).indexOf(new TextDecoder("latin1").decode(part));
}

interface Running extends AsyncDisposable {
  readonly url: string;
  readonly child: Deno.ChildProcess;
}

async function start(...args: string[]): Promise<Running> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", MAIN, "--port", "0", ...args],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let output = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    if (output.includes("\n")) break;
  }
  return { url: output.trim(), child, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

Deno.test("SIGKILL loses nothing that was acknowledged", async () => {
  const dir = await Deno.makeTempDir();
  const args = ["--db", `${dir}/memory.db`];
  await using first = await start(...args);
  const acknowledged: string[] = [];
  const send = async (index: number) => {
    const content = `fact number ${index}`;
    const response = await fetch(`${first.url}/api/memory/remember`, {
      method: "POST",
      body: JSON.stringify({ content }),
    });
    await response.json();
    acknowledged.push(content);
    if (acknowledged.length === 60) first.child.kill("SIGKILL");
  };
  // Many at once, so that the kill meets some of them in the middle.
  await Promise.allSettled(Array.from({ length: 200 }, (_, index) => send(index)));
  await first.child.status;

  await using second = await start(...args);
  const list = await (await fetch(`${second.url}/api/memories?limit=1000`)).json();
  const kept = new Set(list.memories.map((memory: { content: string }) => memory.content));
  assertEquals(acknowledged.filter((content) => !kept.has(content)), []);
  second.child.kill("SIGTERM");
  assertEquals((await second.child.status).code, 0);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("main prints one line, makes the admin key file, and stops cleanly on SIGINT", async () => {
  const dir = await Deno.makeTempDir();
  const file = `${dir}/admin.key`;
  await using running = await start("--auth", "team", "--admin-key-file", file);
  const { url, child } = running;
  const key = (await Deno.readTextFile(file)).trim();
  assertEquals(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  const refused = await fetch(`${url}/api/auth/api-keys`);
  await refused.body?.cancel();
  assertEquals(refused.status, 401);
  const answer = await fetch(`${url}/api/auth/api-keys`, { headers: { authorization: `Bearer ${key}` } });
  assertEquals((await answer.json()).apiKeys.length, 1);
  child.kill("SIGINT");
  assertEquals((await child.status).code, 0);
  await assertRejects(() => fetch(url));
  await Deno.remove(dir, { recursive: true });
});

Deno.test("main refuses what it should, with a sentence that says what to do", async () => {
  const text = await Deno.makeTempFile();
  await Deno.writeTextFile(text, "just some text, long enough to be taken for a database file".repeat(20));
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const cases = [
    [["--port", String(taken.addr.port)], 1, /another program does; end that one, or choose another --port/],
    [["--db", text], 1, /cannot be used as a database: .*Give --db another file/],
    [["--auth", "team", "--admin-key-file", text], 2, /holds no API key; remove it/],
    [["--host", "0.0.0.0"], 1, /will not listen on 0\.0\.0\.0 without keys; add --auth team/],
    [["--host", "10.0.0.1", "--auth", "hybrid"], 1, /without keys/],
    [["--auth", "team"], 2, /--admin-key-file/],
    [["--auth", "none"], 2, /--auth none is not a mode; give local, hybrid, team/],
    [["--port", "x"], 2, /--port x is not a port/],
    [["--colour"], 2, /"--colour" is not an option/],
  ] as const;
  await Promise.all(cases.map(async ([args, code, said]) => {
    const result = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", MAIN, ...args],
    }).output();
    const stderr = new TextDecoder().decode(result.stderr);
    assertEquals([result.code, said.test(stderr), stderr.trim().split("\n").length], [code, true, 1], stderr);
    assertEquals(result.stdout.length, 0);
  }));
  await Deno.remove(text);
});

Deno.test("a stopping daemon answers 503 everywhere but /health", async () => {
  const daemon = createMockDaemon({ adminKey: newKey() });
  daemon.stop();
  const health = await (await daemon.app.request("/health")).json();
  assertEquals([health.status, health.shuttingDown], ["healthy", true]);
  const response = await daemon.app.request("/api/status");
  assertEquals([response.status, await response.json()], [503, { error: "shutting down" }]);
  daemon.close();
});

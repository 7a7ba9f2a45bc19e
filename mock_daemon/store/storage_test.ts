import { assertEquals } from "@std/assert";
import { createMockDaemon, type MockDaemon } from "../mod.ts";

const END = { harness: "pyagent", sessionKey: "s1", runtimePath: "legacy", cwd: "/home/u/p" };

async function post(daemon: MockDaemon, path: string, body: unknown, headers: Record<string, string> = {}) {
  return await (await daemon.app.request(path, { method: "POST", body: JSON.stringify(body), headers }))
    .json();
}

Deno.test("--db persists memories, keys, tombstones and idempotency keys, but not claims", async () => {
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

Deno.test("--db stores API keys as keyed hashes: neither the key nor its plain hash is in the file", async () => {
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

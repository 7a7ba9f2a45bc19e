import { assertEquals, assertStringIncludes } from "@std/assert";
import { DaemonClient } from "../../../hooks/daemon/client.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { type Fault, FaultyDaemon } from "../../../tests/worlds/daemon/faulty_daemon.ts";
import { checkDaemon } from "./daemon_check.ts";
import { keyNeeded } from "./key_needed.ts";

function settings(daemon: FaultyDaemon) {
  const env: Record<string, string> = {
    SIGNET_DAEMON_URL: daemon.url,
    SIGNET_API_KEY: "sig_sk_x",
    SIGNET_AGENT_ID: "alice",
  };
  return loadSettings("sample", { os: "linux", env: (name) => env[name] });
}

const json = (status: number, body: unknown): Fault => ({ status, body: JSON.stringify(body) });

Deno.test("checkDaemon() names the agent that a key belongs to, though recall accepted the key", async () => {
  await using daemon = new FaultyDaemon();
  daemon.respond = ({ path }) =>
    path.startsWith("/api/memory/recall")
      ? json(200, { results: [] })
      : json(403, { error: "scope restricted to agent 'bob'" });
  const check = await checkDaemon(settings(daemon));
  assertEquals([check.kind, check.kind === "rejected" && check.owner], ["rejected", "bob"]);
  assertStringIncludes("message" in check ? check.message : "", "The key belongs to agent bob, not to alice");
  assertStringIncludes(daemon.received[1]?.path ?? "", "agent_id=alice");
});

Deno.test("checkDaemon() accepts a daemon without the second route, and one that fails there", async () => {
  for (const answer of [{ status: 404, body: "404 Not Found" }, json(500, { error: "x" }), json(200, {})]) {
    await using daemon = new FaultyDaemon();
    daemon.respond = ({ path }) => path.startsWith("/api/memory/recall") ? "ok" : answer;
    assertEquals((await checkDaemon(settings(daemon))).kind, "ok");
  }
});

Deno.test("keyNeeded() learns from the daemon whether a key is needed", async () => {
  const missing = { status: 404, body: "404 Not Found" };
  const unauthorized = json(401, { error: "authentication required" });
  const cases: [string, Fault, Fault, boolean | undefined][] = [
    ["0.145, local", json(200, { mode: "local", providers: [] }), missing, false],
    ["0.145, team", json(200, { mode: "team", providers: [] }), missing, true],
    ["0.145, hybrid, from this machine", json(200, { mode: "hybrid" }), missing, false],
    ["0.58, local", missing, json(200, { authenticated: false, mode: "local" }), false],
    ["0.58, team", unauthorized, unauthorized, true],
    ["a stranger", json(200, { mode: 7 }), missing, undefined],
    ["a broken daemon", json(500, { error: "x" }), missing, undefined],
  ];
  for (const [name, methods, whoami, needed] of cases) {
    await using daemon = new FaultyDaemon();
    daemon.respond = ({ path }) => path === "/api/auth/methods" ? methods : whoami;
    const client = new DaemonClient({ url: daemon.url, harness: "sample" });
    assertEquals(await keyNeeded(client), needed, name);
  }
});

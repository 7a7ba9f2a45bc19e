import { assert, assertEquals } from "@std/assert";
import { createMockDaemon } from "../mod.ts";

Deno.test("GET /api/cross-agent/stream delivers only the agent's own messages", async () => {
  const daemon = createMockDaemon({ auth: "team" });
  const key = (agentId: string) => ({
    authorization: `Bearer ${daemon.createKey({ name: agentId, agentId }).key}`,
  });
  const [alice, bob] = [key("alice"), key("bob")];
  const send = (body: Record<string, unknown>) =>
    daemon.app.request("/api/cross-agent/messages", {
      method: "POST",
      headers: alice,
      body: JSON.stringify(body),
    });
  const stream = await daemon.app.request("/api/cross-agent/stream", { headers: bob });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await send({ content: "for carol", toAgentId: "carol" });
  await send({ content: "for bob", toAgentId: "bob" });
  await send({ content: "for all", broadcast: true });
  let seen = "";
  while (!seen.includes("for all")) seen += (await reader?.read())?.value ?? "";
  assert(seen.includes("for bob"));
  assert(!seen.includes("for carol"));
  const asAlice = await daemon.app.request("/api/cross-agent/stream?agent_id=alice", { headers: bob });
  assertEquals(asAlice.status, 403);
  daemon.stop();
  assertEquals((await reader?.read())?.done, true);
  daemon.close();
});

Deno.test("GET /api/cross-agent/stream opens with a snapshot and reports who comes and goes", async () => {
  const daemon = createMockDaemon();
  const post = async (path: string, body: Record<string, unknown>) => {
    const response = await daemon.app.request(path, { method: "POST", body: JSON.stringify(body) });
    assertEquals(response.status, 200, await response.text());
  };
  const hook = { harness: "pi", sessionKey: "s1", agentId: "alice", runtimePath: "plugin" };
  await post("/api/hooks/session-start", { ...hook, sessionKey: "s0" });
  await post("/api/cross-agent/messages", { fromAgentId: "alice", toAgentId: "bob", content: "before" });
  const stream = await daemon.app.request("/api/cross-agent/stream?agent_id=bob&session_key=s-bob");
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await post("/api/hooks/session-start", hook);
  await post("/api/cross-agent/messages", { fromAgentId: "alice", toAgentId: "bob", content: "after" });
  await post("/api/hooks/session-end", hook);
  let seen = "";
  while (!seen.includes('"action":"remove"')) seen += (await reader?.read())?.value ?? "";
  const events = seen.split("\n").filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)));
  assertEquals([events[0].type, events[0].agentId, events[0].sessionKey], ["connected", "bob", "s-bob"]);
  assertEquals(events[1].type, "snapshot");
  assertEquals(events[1].presence.map((entry: { key: string }) => entry.key), ["session:s0"]);
  assertEquals(events[1].messages.map((message: { content: string }) => message.content), ["before"]);
  const rest = events.slice(2).map((event) => event.action ?? event.message.content);
  assertEquals([rest[0], rest[1], rest.at(-1)], ["upsert", "after", "remove"]);
  await reader?.cancel();
  daemon.close();
});

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

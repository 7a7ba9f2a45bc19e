import { assertEquals } from "@std/assert";
import { A2aGateway } from "../worlds/a2a/a2a_gateway.ts";
import { A2aWire, at } from "../worlds/a2a/a2a_wire.ts";

const OLD = { "a2a-version": "" };
const message = {
  kind: "message",
  role: "user",
  messageId: "old-1",
  parts: [{ kind: "text", text: "Hello from 0.3" }],
};

Deno.test("a2a --compat: a client of 0.3 sends a task, follows it and reads the card", async () => {
  await using world = await A2aGateway.start({ compat: true });
  const codex = world.machine.begin("codex");
  const wire = new A2aWire(world);
  const card = await wire.http("GET", "/.well-known/agent.json", undefined, { authorization: "" });
  assertEquals([card.body.protocolVersion, card.body.url, card.body.preferredTransport], [
    "0.3.0",
    world.url,
    "JSONRPC",
  ]);
  const sending = wire.rpc("message/send", { message }, OLD);
  await world.answer(codex, await world.seenBy(codex), "Hello back.");
  const { result } = (await sending).body;
  assertEquals([at(result, "kind"), at(result, "status", "state")], ["task", "completed"]);
  assertEquals(at(result, "artifacts", 0, "parts", 0, "text"), "Hello back.");
  const got = (await wire.rpc("tasks/get", { id: at(result, "id") }, OLD)).body;
  assertEquals(at(got, "result", "status", "state"), "completed");
  assertEquals((await wire.rpc("ListTasks")).status, 200, "1.0 works as before");
});

Deno.test("a2a: without --compat a client of 0.3 gets the version", async () => {
  await using world = await A2aGateway.start();
  const wire = new A2aWire(world);
  assertEquals(at((await wire.rpc("message/send", { message }, OLD)).body, "error", "code"), -32009);
  assertEquals((await wire.http("GET", "/.well-known/agent.json")).status, 404);
});

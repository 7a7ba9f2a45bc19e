import { assertEquals } from "@std/assert";
import { newMessageId } from "../../hooks/agents/messages/message_id.ts";
import { knownPeers } from "../../hooks/agents/sessions/known_peers.ts";
import { writeNote } from "../../hooks/state/state_file.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { receive, testDelivery } from "../worlds/agents/delivery.ts";
import { meetAtNats } from "../worlds/nats/nats_world.ts";

testDelivery("nats", () => meetAtNats());
testDelivery("nats without permissions", () => meetAtNats({ open: true }));

Deno.test("nats: what a hook leaves in the outbox is sent, to a session that the hook knows from a note", async () => {
  await using world = await meetAtNats();
  const { laptop, server, claude, codex } = world;
  await using _alice = receive(laptop, "claude-code");
  const peer = await until(
    "the session is noted",
    () => knownPeers(laptop.dir, "alice").find(({ key }) => key === codex.key),
  );
  assertEquals([peer.harness, peer.agentId], ["codex", "bob"]);
  const id = newMessageId();
  const from = { agentId: "alice", session: claude.key, harness: "claude-code", machine: laptop.path };
  const to = { agentId: "bob", session: codex.key };
  const message = {
    id,
    at: Date.now(),
    from,
    to,
    priority: 3,
    wants: "reply",
    ttl: 3600,
    kind: "message",
    hop: 0,
    text: "look",
    verified: true,
  };
  writeNote(`${laptop.dir}/outbox/${id}.json`, JSON.stringify(message));
  await until("it is there", async () => {
    await server.run("inbox", "--as", "codex");
    return server.unread(codex).length > 0;
  });
  assertEquals(server.unread(codex), ["look"]);
});

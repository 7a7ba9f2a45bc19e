import { assertEquals } from "@std/assert";
import { UNLIMITED } from "../../hooks/agents/messages/mailbox.ts";
import type { Message } from "../../hooks/agents/messages/message.ts";
import { newMessageId } from "../../hooks/agents/messages/message_id.ts";
import { streamOf } from "../../connectors/base/agents/nats/names.ts";
import { NatsTransport } from "../../connectors/base/agents/nats/nats_transport.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { receive } from "../worlds/agents/delivery.ts";
import { NatsCluster } from "../worlds/nats/nats_cluster.ts";
import { loginOf } from "../worlds/nats/nats_server.ts";
import { prepare, settingsOf, useNats } from "../worlds/nats/nats_world.ts";

const MESSAGES = 10_000;
const SESSIONS = 20;
/** A slow machine needs minutes for this many messages. */
const WAIT_MS = 900_000;
/** As many senders as there are sessions of a large team. */
const AT_ONCE = 50;

Deno.test("10,000 messages through a cluster while a node is killed and comes back: none lost, none twice", async () => {
  await using cluster = await NatsCluster.start();
  await until("the streams are there", () => prepare(cluster.url).then(() => true, () => false));
  await using machine = await AgentMachine.make();
  await machine.connect("codex", { url: "http://127.0.0.1:1", agentId: "bob" });
  // One server is enough to find the others.
  await useNats(machine, cluster.servers[0]?.url ?? "", { login: loginOf("bob") });
  const sessions = Array.from({ length: SESSIONS }, () => machine.begin("codex", { agentId: "bob" }));
  await using sender = await AgentMachine.make();
  const transport = new NatsTransport({
    settings: settingsOf(cluster.url, "alice"),
    agentId: "alice",
    machine: "laptop",
    dir: sender.dir,
    sessions: () => [],
  });
  const stop = new AbortController();
  const connected = Promise.withResolvers<void>();
  const listening = transport.subscribe({
    onMessage: () => true,
    onConnect: () => Promise.resolve(connected.resolve()),
  }, stop.signal);
  await connected.promise;
  const receiving = receive(machine, "codex");

  let sent = 0;
  const send = async (index: number): Promise<void> => {
    const message: Message = {
      id: newMessageId(),
      at: Date.now(),
      from: { agentId: "alice" },
      to: { agentId: "bob", session: sessions[index % SESSIONS]?.key },
      priority: 3,
      wants: "none",
      ttl: 3600,
      kind: "message",
      hop: 0,
      text: String(index),
      verified: true,
    };
    // What an outbox does: the same message again, until a server has it.
    await until(
      `message ${index} is accepted`,
      async () => (await transport.publish(message)).kind === "accepted",
    );
    sent++;
  };
  let next = 0;
  const senders = Array.from({ length: AT_ONCE }, async () => {
    while (next < MESSAGES) await send(next++);
  });

  await until("some messages are sent", () => sent > MESSAGES / 5, WAIT_MS);
  const leader = await cluster.leaderOf(streamOf("bob"));
  await leader.stop("SIGKILL");
  const before = sent;
  await until("messages go through without it", () => sent > before + MESSAGES / 5, WAIT_MS);
  await leader.run();
  await Promise.all(senders);
  stop.abort();
  await listening;

  // Read while they come, as hooks do.
  const seen: string[] = [];
  await until("everything was shown", () => {
    for (const session of sessions) {
      const taken = machine.inbox.take(session, "prompt", { limits: UNLIMITED, policy: "none" });
      machine.inbox.shown(session, taken.messages);
      seen.push(...taken.messages.map(({ text }) => text));
    }
    return seen.length >= MESSAGES;
  }, WAIT_MS);
  await receiving[Symbol.asyncDispose]();
  assertEquals(seen.length, MESSAGES, "once each");
  assertEquals(new Set(seen).size, MESSAGES, "every one of them");
  for (const session of sessions) assertEquals(machine.unread(session), []);
});

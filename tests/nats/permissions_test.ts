import { assert, assertEquals, assertMatch } from "@std/assert";
import { AckPolicy } from "@nats-io/jetstream";
import { encodeEnvelope } from "../../hooks/agents/messages/envelope.ts";
import type { Message } from "../../hooks/agents/messages/message.ts";
import { newMessageId } from "../../hooks/agents/messages/message_id.ts";
import { NatsLink } from "../../connectors/base/agents/nats/link.ts";
import {
  inboxPrefix,
  LOCKS_BUCKET,
  PRESENCE_BUCKET,
  streamOf,
  subjectFor,
} from "../../connectors/base/agents/nats/names.ts";
import { NatsTransport } from "../../connectors/base/agents/nats/nats_transport.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { NatsServer } from "../worlds/nats/nats_server.ts";
import { connectAs, prepare, settingsOf } from "../worlds/nats/nats_world.ts";

function message(text: string, to: Message["to"], from = "alice"): Message {
  const id = newMessageId();
  return {
    id,
    at: Date.now(),
    from: { agentId: from },
    to,
    priority: 3,
    wants: "none",
    ttl: 3600,
    kind: "message",
    hop: 0,
    text,
    verified: true,
  };
}

async function rejected(work: Promise<unknown>, what: string): Promise<void> {
  const error = await work.then(() => undefined, (error) => error);
  assert(error instanceof Error, `${what} was allowed`);
  assertMatch(`${error.name} ${error.message}`, /Permission/, what);
}

async function listen(url: string, subject: string): Promise<void> {
  const connection = await connectAs(url, "alice");
  let problem: Error | undefined;
  connection.subscribe(subject, {
    callback: (error) => {
      problem = error ?? problem;
    },
  });
  // The refusal comes before the answer to this.
  await connection.flush();
  await connection.close();
  if (problem !== undefined) throw problem;
}

Deno.test("the login of one agent cannot send, read, or be present as another", async () => {
  await using nats = await NatsServer.start();
  await prepare(nats.url);
  const alice = await NatsLink.open(settingsOf(nats.url, "alice"), "alice");
  const bob = await NatsLink.open(settingsOf(nats.url, "bob"), "bob");
  try {
    const forged = message("I am bob", { agentId: "alice" }, "bob");
    const send = (subject: string) => alice.send(subject, encodeEnvelope(forged), forged.id, {});
    await rejected(send(subjectFor("alice", "bob")), "sending as bob");
    await rejected(send(subjectFor(undefined, "bob")), "sending to all as bob");
    const stream = streamOf("bob");
    const consumer = (filter?: string) =>
      alice.manager.consumers.add(stream, {
        durable_name: "spy",
        ack_policy: AckPolicy.Explicit,
        filter_subject: filter,
      });
    await rejected(consumer("signet.to.bob.*"), "reading bob's messages");
    await rejected(consumer(), "reading bob's messages without a filter");
    await rejected(alice.manager.streams.info(stream), "looking at bob's stream");
    await rejected(alice.manager.streams.getMessage(stream, { seq: 1 }), "reading one message of bob");
    await rejected(
      alice.manager.direct.getMessage(stream, { seq: 1 }),
      "reading one message of bob directly",
    );
    await rejected(alice.manager.streams.purge(stream), "removing bob's messages");
    await rejected(alice.manager.streams.delete(stream), "deleting bob's stream");
    await rejected(
      alice.manager.streams.add({ name: "mine", subjects: ["signet.to.carol.*"] }),
      "making a stream",
    );
    for (const bucket of [PRESENCE_BUCKET, LOCKS_BUCKET]) {
      await rejected(alice.manager.streams.delete(`KV_${bucket}`), `deleting ${bucket}`);
      await rejected(
        alice.manager.consumers.add(`KV_${bucket}`, { durable_name: "spy", ack_policy: AckPolicy.None }),
        `reading ${bucket} with a consumer`,
      );
    }
    const presence = await alice.presence();
    await rejected(presence.put("bob.laptop", "{}"), "being present as bob");
    for (const subject of [`${inboxPrefix("bob")}.>`, "_INBOX.>", "signet.>", "$JS.>", ">"]) {
      await rejected(listen(nats.url, subject), `listening to ${subject}`);
    }
    // And bob, with the right login, may.
    await bob.send(subjectFor("alice", "bob"), encodeEnvelope(forged), forged.id, {});
  } finally {
    await alice.close();
    await bob.close();
  }
});

/** Everything that a transport hands over. */
async function everything(nats: NatsServer, user: "alice" | "bob", dir: string): Promise<Message[]> {
  const transport = new NatsTransport({
    settings: settingsOf(nats.url, user),
    agentId: user,
    machine: "m",
    dir,
    sessions: () => [],
  });
  const messages: Message[] = [];
  const why = await transport.fetch({
    onMessage(each) {
      messages.push(each);
      return true;
    },
  });
  assertEquals(why, undefined);
  return messages;
}

Deno.test("answers of the server that alice lets it send to bob are not taken for messages", async () => {
  await using nats = await NatsServer.start();
  await prepare(nats.url);
  await using machine = await AgentMachine.make();
  const alice = await NatsLink.open(settingsOf(nats.url, "alice"), "alice");
  const raw = await connectAs(nats.url, "alice");
  try {
    const target = subjectFor("bob", "carol");
    const forged = message("I am carol", { agentId: "bob" }, "carol");
    const content = encodeEnvelope(forged);
    // Her own message, which she then has the server send on.
    await alice.send(subjectFor("alice", "alice"), content, forged.id, {});
    const own = { durable_name: "own", ack_policy: AckPolicy.Explicit, filter_subject: "signet.to.alice.*" };
    await alice.manager.consumers.add(streamOf("alice"), own);
    const ask = (subject: string, text: string) => raw.publish(subject, text, { reply: target });
    ask(`$JS.API.CONSUMER.MSG.NEXT.${streamOf("alice")}.own`, JSON.stringify({ batch: 1 }));
    ask(`$JS.API.CONSUMER.INFO.${streamOf("alice")}.own`, "");
    await alice.manager.consumers.add(streamOf("alice"), {
      ...own,
      durable_name: "push",
      ack_policy: AckPolicy.None,
      deliver_subject: target,
    }).catch(() => {});
    const presence = await alice.presence();
    await presence.put("alice.x", content);
    ask(
      `$JS.API.STREAM.MSG.GET.KV_${PRESENCE_BUCKET}`,
      JSON.stringify({ last_by_subj: `$KV.${PRESENCE_BUCKET}.alice.x` }),
    );
    // The acknowledgement of a message goes where its sender says.
    ask(subjectFor("alice", "alice"), content);
    await alice.send(
      subjectFor("bob", "alice"),
      encodeEnvelope(message("true", { agentId: "bob" })),
      "other",
      {},
    );
    const honest = message("honest", { agentId: "bob" });
    await alice.send(subjectFor("bob", "alice"), encodeEnvelope(honest), honest.id, {});
    const admin = await NatsLink.open(settingsOf(nats.url, "admin"), "admin");
    // Two true messages and at least three answers: NATS itself does not stop them.
    await until("the answers are in bob's stream", async () => {
      return (await admin.manager.streams.info(streamOf("bob"))).state.messages >= 5;
    });
    await admin.close();
  } finally {
    await raw.close();
    await alice.close();
  }
  const received = await everything(nats, "bob", machine.dir);
  assertEquals(received.map(({ text, from }) => [text, from.agentId]), [["honest", "alice"]]);
});

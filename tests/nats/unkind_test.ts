import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { NatsLink } from "../../connectors/base/agents/nats/link.ts";
import { streamOf } from "../../connectors/base/agents/nats/names.ts";
import { NatsTransport } from "../../connectors/base/agents/nats/nats_transport.ts";
import { until } from "../../connectors/base/testing/until.ts";
import type { Message } from "../../hooks/agents/messages/message.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { receive } from "../worlds/agents/delivery.ts";
import { freePort, loginOf, NatsServer } from "../worlds/nats/nats_server.ts";
import { meetAtNats, prepare, settingsOf, useNats } from "../worlds/nats/nats_world.ts";

function outbox(machine: AgentMachine): string[] {
  return [...Deno.readDirSync(`${machine.dir}/outbox`)].map(({ name }) => name);
}

async function deleteStream(url: string, agent: string, user?: "admin"): Promise<void> {
  const link = await NatsLink.open(settingsOf(url, user), "admin");
  await link.manager.streams.delete(streamOf(agent));
  await link.close();
}

Deno.test("a message to a server that is away waits on disk, and is sent when the server is back", async () => {
  await using world = await meetAtNats();
  const { laptop, server, codex, nats } = world;
  await laptop.run("send", "codex", "--as", "claude", "before");
  await until("it is there", async () => {
    await server.run("inbox", "--as", "codex");
    return server.unread(codex).length === 1;
  });
  const [first] = server.inbox.peek(codex, "new");
  await nats.stop();
  const kept = await server.run("reply", first?.id ?? "", "--as", "codex", "Answer");
  assertEquals(kept.code, 0, kept.err);
  assertMatch(kept.err, /is not reachable.*The answer is on disk as m_\w+, and is sent when it is back/);
  assertEquals(outbox(server).length, 1);
  const away = await laptop.run("inbox", "--as", "claude");
  assertStringIncludes(away.err, `The NATS server at ${nats.url} is not reachable`);
  assertEquals((await laptop.run("agents")).code, 0);

  await nats.run();
  await server.run("inbox", "--as", "codex");
  const waited = await laptop.run("wait", "--as", "claude", first?.id ?? "");
  assertEquals([waited.code, waited.out], [0, "Answer\n"]);
});

Deno.test("a session that starts before its server gets its messages once the server is there", async () => {
  const port = freePort();
  await using machine = await AgentMachine.make();
  await machine.connect("codex", { url: "http://127.0.0.1:1", agentId: "bob" });
  const codex = machine.begin("codex", { agentId: "bob" });
  await useNats(machine, `nats://127.0.0.1:${port}`, { login: loginOf("bob") });
  await using _bob = receive(machine, "codex");
  await using sender = await AgentMachine.make();
  sender.begin("claude-code", { agentId: "alice" });
  await useNats(sender, `nats://127.0.0.1:${port}`, { login: loginOf("alice") });
  await using nats = await NatsServer.start({ port });
  await prepare(nats.url);
  await until("bob is listed", async () => {
    return (await sender.run("send", "codex", "--as", "claude", "hello")).code === 0;
  });
  await until("the message is there", () => machine.unread(codex).length > 0);
});

Deno.test("messages survive a restart of the server", async () => {
  await using world = await meetAtNats();
  const { laptop, server, codex, nats } = world;
  const sent = await laptop.run("send", "codex", "--as", "claude", "Remember me");
  assertMatch(sent.out, /The server keeps it until the machine of codex-\w+ takes it\./);
  await nats.stop();
  await nats.run();
  assertEquals((await server.run("inbox", "--as", "codex")).err, "");
  await until("it is there", async () => {
    await server.run("inbox", "--as", "codex");
    return server.unread(codex).length === 1;
  });
  assertEquals(server.unread(codex), ["Remember me"]);
});

Deno.test("a stream that an administrator deletes: senders keep their messages until there is one again", async () => {
  await using world = await meetAtNats();
  const { laptop, server, codex, nats } = world;
  await deleteStream(nats.url, "bob", "admin");
  const sent = await laptop.run("send", "codex", "--as", "claude", "Anyone?");
  assertEquals(sent.code, 0);
  assertMatch(sent.err, /has no stream signet_to_bob, and this login may not create it.*agents prepare/);
  assertEquals(outbox(laptop).length, 1);
  const inbox = await server.run("inbox", "--as", "codex");
  assertMatch(inbox.err, /has no stream signet_to_bob/);
  await prepare(nats.url);
  await laptop.run("inbox", "--as", "claude");
  await until("it is there", async () => {
    await server.run("inbox", "--as", "codex");
    return server.unread(codex).length === 1;
  });
});

Deno.test("a stream that is deleted with messages in it: what nobody acknowledged is sent again", async () => {
  await using world = await meetAtNats({ open: true });
  const { laptop, server, codex, nats } = world;
  await laptop.run("send", "codex", "--as", "claude", "Lost and found");
  await deleteStream(nats.url, "bob");
  await server.run("inbox", "--as", "codex");
  assertEquals(server.unread(codex), [], "made again, and empty");
  const [name] = outbox(laptop);
  assert(name !== undefined, "not acknowledged");
  // Long ago.
  const entry = JSON.parse(Deno.readTextFileSync(`${laptop.dir}/outbox/${name}`));
  Deno.writeTextFileSync(`${laptop.dir}/outbox/${name}`, JSON.stringify({ ...entry, acceptedAt: 1 }));
  await laptop.run("inbox", "--as", "claude");
  await until("it is there", async () => {
    await server.run("inbox", "--as", "codex");
    return server.unread(codex).length === 1;
  });
});

Deno.test("a receiver whose stream is deleted goes on with the next one", async () => {
  await using world = await meetAtNats({ open: true });
  const { laptop, server, codex, nats } = world;
  await using _bob = receive(server, "codex");
  await laptop.run("send", "codex", "--as", "claude", "one");
  await until("the first is there", () => server.unread(codex).length === 1);
  await deleteStream(nats.url, "bob");
  await laptop.run("send", "codex", "--as", "claude", "two");
  await until("the second is there", () => server.unread(codex).length === 2);
});

Deno.test("a message that is larger than the server takes is refused, with the limit", async () => {
  await using world = await meetAtNats({ config: "max_payload: 8192" });
  const { laptop, server, codex, nats } = world;
  const sent = await laptop.run("send", "codex", "--as", "claude", "x".repeat(20_000));
  assertEquals(sent.code, 1);
  assertMatch(
    sent.err,
    /takes at most 8192 bytes in a message, and this one has 20\d\d\d\. Nothing was sent\./,
  );
  assertStringIncludes(sent.err, nats.url);
  assertEquals(outbox(laptop), []);
  assertEquals((await laptop.run("send", "codex", "--as", "claude", "x".repeat(4_000))).code, 0);
  await until("the smaller one is there", async () => {
    await server.run("inbox", "--as", "codex");
    return server.unread(codex).length === 1;
  });
});

/** Runs something with a clock that is wrong. */
async function withClock<T>(aheadMs: number, work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + aheadMs;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}

for (const hours of [-50, 50]) {
  Deno.test(`a message has not expired for a machine whose clock is ${hours} h wrong`, async () => {
    await using world = await meetAtNats();
    const { laptop, server, nats } = world;
    const sent = await laptop.run("send", "codex", "--as", "claude", "--ttl", "1h", "What time is it?");
    assertEquals(sent.code, 0, sent.err);
    const transport = new NatsTransport({
      settings: settingsOf(nats.url, "bob"),
      agentId: "bob",
      machine: "another",
      dir: server.dir,
      sessions: () => [],
    });
    await withClock(hours * 3600_000, async () => {
      const left: number[] = [];
      const onMessage = (each: Message) => left.push((each.at + each.ttl * 1000 - Date.now()) / 1000) > 0;
      assertEquals(await transport.fetch({ onMessage }), undefined);
      assertEquals(left.length, 1);
      assert(left.every((seconds) => seconds > 0 && seconds < 4200), `${left} s left`);
    });
  });
}

Deno.test("a program that is not a NATS server, and a server without JetStream, are named as such", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("codex", { agentId: "bob" });
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const greeting = (async () => {
    using connection = await listener.accept();
    await connection.write(new TextEncoder().encode("220 mail.example ready\r\n"));
  })();
  await useNats(machine, `nats://127.0.0.1:${listener.addr.port}`);
  assertMatch(
    (await machine.run("inbox", "--as", "codex")).err,
    /is not reachable: it is not a NATS server\./,
  );
  await greeting;
  listener.close();

  await using nats = await NatsServer.start({ open: true, withoutJetStream: true });
  await useNats(machine, nats.url);
  assertMatch((await machine.run("inbox", "--as", "codex")).err, /runs without JetStream.*start it with -js/);
});

Deno.test("two machines of one agent both get a message to the agent, and one to a session comes once", async () => {
  await using world = await meetAtNats();
  const { laptop, server, codex, nats } = world;
  await using third = await AgentMachine.make();
  await third.connect("codex", { url: "http://127.0.0.1:1", agentId: "bob" });
  await useNats(third, nats.url, { login: loginOf("bob") });
  const other = third.begin("codex", { agentId: "bob" });
  await laptop.run("send", codex.key, "--as", "claude", "to one session");
  await laptop.connect("codex", { url: "http://127.0.0.1:1", agentId: "bob" });
  await until("it is there", async () => {
    await third.run("inbox", "--as", "codex");
    await server.run("inbox", "--as", "codex");
    return server.unread(codex).length === 1;
  });
  assertEquals(third.unread(other), []);
});

import { assert, assertEquals, assertMatch } from "@std/assert";
import { serve } from "../../mock_daemon/mod.ts";
import { DaemonTransport } from "../../connectors/base/agents/transport/daemon_transport.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { isReceiving } from "../../hooks/agents/messages/receiving.ts";
import { DaemonClient } from "../../hooks/daemon/client.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { ALICE, BOB, KEYS, meet } from "../worlds/agents/daemon_meeting.ts";
import { receive } from "../worlds/agents/delivery.ts";
import { listenAgain } from "../worlds/listen_again.ts";

Deno.test("send says that the message is on the receiver's disk, and forgets its copy", async () => {
  const daemon = serve({ auth: "team", keys: KEYS });
  try {
    await using world = await meet(daemon.url);
    const { laptop, server } = world;
    await using _bob = receive(server, "codex");
    const listed = await laptop.run("agents");
    assertMatch(listed.out, /^codex-\w{4} +bob +\/home\/u\/app +live /m);
    // It waits two seconds for the receipt, and a slow machine may need more than one try.
    await until("a receipt comes in time", async () => {
      const sent = await laptop.run("send", "codex", "--as", "claude", "Which tests fail?");
      assertMatch(
        sent.out + sent.err,
        /on the disk of the receiving machine \(queued\)|not acknowledged it yet/,
      );
      return sent.out.includes("It is on the disk of the receiving machine (queued).");
    });
    await until("every copy is forgotten", async () => {
      await laptop.run("inbox", "--as", "claude");
      return [...Deno.readDirSync(`${laptop.dir}/outbox`)].length === 0;
    });
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("a receiver notes that it hears from the daemon, for its agent and no longer than it does", async () => {
  const daemon = serve({ auth: "team", keys: KEYS });
  await using world = await meet(daemon.url);
  const { server } = world;
  const hears = (agentId: string) => isReceiving(server.dir, daemon.url, agentId);
  assertEquals(hears("bob"), false);
  {
    await using _bob = receive(server, "codex");
    await until("it is noted", () => hears("bob"));
    assertEquals(hears("alice"), false);
  }
  assertEquals(hears("bob"), false, "it has ended");
  await using _again = receive(server, "codex");
  await until("it is noted again", () => hears("bob"));
  await daemon.shutdown();
  await until("the daemon is gone", () => !hears("bob"));
});

Deno.test("a stream that a proxy holds back does not count as received", async () => {
  let end = () => {};
  const proxy = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.endsWith("/stream")) return Response.json({ items: [], count: 0 });
    return new Response(new ReadableStream({ start: (controller) => void (end = () => controller.close()) }));
  });
  const url = `http://127.0.0.1:${proxy.addr.port}`;
  const heard: string[] = [];
  const stop = new AbortController();
  await new DaemonTransport(new DaemonClient({ url, agentId: "bob", harness: "codex" })).subscribe({
    onMessage: () => true,
    onConnect: () => {
      heard.push("connected");
      end();
      return Promise.resolve();
    },
    onAlive: () => heard.push("alive"),
    onFailure: () => stop.abort(),
  }, stop.signal);
  assertEquals(heard, ["connected"]);
  await proxy.shutdown();
});

Deno.test("send says that the daemon keeps an unacknowledged message in memory", async () => {
  const daemon = serve({ auth: "team", keys: KEYS });
  try {
    await using world = await meet(daemon.url);
    const sent = await world.laptop.run("send", "codex", "--as", "claude", "Anyone?");
    assertEquals(sent.code, 0);
    assertMatch(sent.err, /has not acknowledged it yet\. The daemon keeps messages in memory/);
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("a message for an agent that the daemon named before it went away is kept and sent later", async () => {
  const first = serve({ auth: "team", keys: KEYS });
  await using world = await meet(first.url);
  const { laptop, server, codex } = world;
  const { port } = new URL(first.url);
  await laptop.run("agents");
  await first.shutdown();

  const to = `codex-${codex.key.slice(0, 4)}`;
  const sent = await laptop.run("send", to, "--as", "claude", "For later");
  assertEquals(sent.code, 0, sent.err);
  assertMatch(sent.err, /is not reachable.* The message is on disk as m_/);
  const unknown = await laptop.run("send", "codex-0000", "--as", "claude", "For nobody");
  assertEquals(unknown.code, 2);
  assertMatch(unknown.err, /There is no agent codex-0000.*is not reachable/);
  const second = await listenAgain(() => serve({ auth: "team", keys: KEYS, port: Number(port) }));
  try {
    await using _bob = receive(server, "codex");
    await laptop.run("inbox", "--as", "claude");
    await until("the message is there", () => server.unread(codex).length > 0);
    assertEquals(server.unread(codex), ["For later"]);
  } finally {
    await second.shutdown();
  }
});

Deno.test("a daemon that forgets everything at a restart gets unacknowledged messages again", async () => {
  const first = serve({ auth: "team", keys: KEYS });
  await using world = await meet(first.url);
  const { laptop, server, codex } = world;
  const { port } = new URL(first.url);
  const { data } = await laptop.json("send", "codex", "--as", "claude", "Remember me");
  assertEquals(data.state, "accepted");
  await first.shutdown();

  const reply = await server.run("inbox", "--as", "codex");
  assertMatch(reply.err, /is not reachable.*Messages from other machines may be missing/);
  const second = await listenAgain(() => serve({ auth: "team", keys: KEYS, port: Number(port) }));
  try {
    await using _bob = receive(server, "codex");
    // Any command of the sender that reaches the daemon sends it again.
    await laptop.run("inbox", "--as", "claude");
    await until("the message is there", () => server.unread(codex).length > 0);
    assertEquals(server.unread(codex), ["Remember me"]);
    await until("it is acknowledged", async () => {
      await laptop.run("inbox", "--as", "claude");
      return [...Deno.readDirSync(`${laptop.dir}/outbox`)].length === 0;
    });
  } finally {
    await second.shutdown();
  }
});

Deno.test("an answer to a daemon that is down waits on disk and is sent later", async () => {
  const first = serve({ auth: "team", keys: KEYS });
  await using world = await meet(first.url);
  const { laptop, server } = world;
  const { port } = new URL(first.url);
  const { data } = await laptop.json("send", "codex", "--as", "claude", "Question");
  await server.run("inbox", "--as", "codex");
  await first.shutdown();
  const kept = await server.run("reply", "--as", "codex", "Answer");
  assertEquals(kept.code, 0);
  assertMatch(
    kept.err,
    /is not reachable.*The answer is on disk as m_\w+, and is sent when it is back/,
  );
  const second = await listenAgain(() => serve({ auth: "team", keys: KEYS, port: Number(port) }));
  try {
    await server.run("inbox", "--as", "codex");
    const waited = await laptop.run("wait", "--as", "claude", String(data.id));
    assertEquals([waited.code, waited.out], [0, "Answer\n"]);
  } finally {
    await second.shutdown();
  }
});

Deno.test("everything on one machine works while the daemon is down", async () => {
  await using machine = await AgentMachine.make();
  await machine.connect("codex", { url: "http://127.0.0.1:1", agentId: "me" });
  machine.begin("codex");
  machine.begin("claude-code");
  const { data } = await machine.json("send", "codex", "--as", "claude", "hello");
  assertEquals(data.state, "stored");
  assertEquals((await machine.run("reply", "--as", "codex", "hi")).code, 0);
  const waited = await machine.run("wait", "--as", "claude", String(data.id));
  assertEquals([waited.code, waited.out], [0, "hi\n"]);
  const listed = await machine.run("agents");
  assertMatch(listed.out, /^codex-/m);
  assertMatch(listed.err, /is not reachable.*Only sessions on this machine are shown/);
});

Deno.test("a key of one agent cannot send, read or listen as another", async () => {
  const daemon = serve({ auth: "team", keys: KEYS });
  try {
    const transport = (apiKey: string, agentId: string) =>
      new DaemonTransport(new DaemonClient({ url: daemon.url, apiKey, agentId, harness: "codex" }));
    await using world = await meet(daemon.url);
    const { laptop, server, codex } = world;
    await laptop.run("send", "codex", "--as", "claude", "for bob only");
    const thief = transport(ALICE, "bob");
    const stolen = await thief.messages();
    assert(!Array.isArray(stolen) && stolen.kind === "http" && stolen.status === 403);
    const own = await transport(BOB, "bob").messages();
    const message = Array.isArray(own) ? own[0] : undefined;
    assert(message !== undefined);
    const forged = await thief.publish(message);
    assertEquals(forged.kind === "failed" && forged.code, "key");
    const stop = new AbortController();
    const failures: string[] = [];
    await thief.subscribe({
      onMessage: () => {
        throw new Error("a message for bob reached alice's key");
      },
      onFailure: (why) => {
        failures.push(why);
        stop.abort();
      },
    }, stop.signal);
    assertMatch(failures.join(), /does not allow this request with this key/);

    // The settings of this machine hold alice's key, and a session claims to be bob's.
    laptop.begin("claude-code", { key: "forged", agentId: "bob" });
    const before = server.unread(codex).length;
    const sent = await laptop.run("send", codex.key, "--as", "forged", "I am bob");
    assert(sent.code !== 0, sent.out);
    await server.run("inbox", "--as", "codex");
    assertEquals(server.unread(codex).filter((text) => text === "I am bob"), []);
    assertEquals(before <= server.unread(codex).length, true);
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("the daemon's limit of messages a minute loses none", async () => {
  const daemon = serve({ auth: "team", keys: KEYS });
  try {
    await using world = await meet(daemon.url);
    const { laptop } = world;
    const client = new DaemonClient({ url: daemon.url, apiKey: ALICE, agentId: "alice", harness: "codex" });
    for (let i = 0; i < 120; i++) {
      await client.request("POST", "/api/cross-agent/messages", {
        fromAgentId: "alice",
        toAgentId: "carol",
        content: `note ${i}`,
      });
    }
    const sent = await laptop.run("send", "codex", "--as", "claude", "one too many");
    assertEquals(sent.code, 0);
    assertMatch(
      sent.err,
      /is rate-limiting requests \(HTTP 429\): try again in \d+ s\. The message is on disk/,
    );
    assertEquals([...Deno.readDirSync(`${laptop.dir}/outbox`)].length, 1);
  } finally {
    await daemon.shutdown();
  }
});

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DOORBELL } from "../../hooks/agents/wake/doorbell.ts";
import { encodeEnvelope } from "../../hooks/agents/messages/envelope.ts";
import { noteReceiving } from "../../hooks/agents/messages/receiving.ts";
import { rememberPeers } from "../../hooks/agents/sessions/known_peers.ts";
import { AgentSessions } from "../../hooks/agents/sessions/session.ts";
import { Outbox } from "../../connectors/base/agents/transport/outbox.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { MeshHome, PROJECT, shownIds } from "../worlds/agents/mesh_home.ts";

Deno.test("a prompt brings messages from the daemon, once, and does not wait for a daemon without them", async () => {
  await using daemon = new FaultyDaemon();
  await using mesh = await MeshHome.begun(daemon.url);
  const message = sampleMessage({ text: "from the other machine", to: { agentId: "work" } });
  const item = {
    id: "d1",
    createdAt: new Date().toISOString(),
    fromAgentId: "work",
    toAgentId: "work",
    content: encodeEnvelope(message),
  };
  daemon.answer = ({ path }) =>
    path.startsWith("/api/cross-agent/messages") ? { items: [item], count: 1 } : { inject: "about tea" };
  mesh.inbox.put(mesh.id, message);
  const first = await mesh.hook("user-prompt-submit", { prompt: "tea" });
  assertStringIncludes(first.stdout, "about tea");
  assertEquals(shownIds(first.stdout), [message.id]);
  assertEquals(shownIds((await mesh.hook("user-prompt-submit", { prompt: "tea" })).stdout), []);
});

Deno.test("a prompt leaves the daemon's messages to a process that has just received some", async () => {
  await using daemon = new FaultyDaemon();
  await using mesh = await MeshHome.begun(daemon.url);
  const fetches = () => daemon.received.filter(({ path }) => path.startsWith("/api/cross-agent/")).length;
  const prompt = async () => {
    const before = fetches();
    assertEquals((await mesh.hook("user-prompt-submit", { prompt: "tea" })).code, 0);
    return fetches() - before;
  };
  assertEquals(await prompt(), 1, "nobody receives");
  noteReceiving(mesh.dir, daemon.url, "someone else");
  noteReceiving(mesh.dir, "http://127.0.0.1:9", "work");
  assertEquals(await prompt(), 1, "somebody receives for another agent, or from another daemon");
  noteReceiving(mesh.dir, daemon.url, "work");
  const { id } = mesh.send("was received");
  const before = fetches();
  assertEquals(shownIds((await mesh.hook("user-prompt-submit", { prompt: "tea" })).stdout), [id]);
  assertEquals(fetches(), before);
  // A session that begins may have missed what was for everybody.
  await mesh.hook("session-start", { source: "resume" });
  assertEquals(fetches(), before + 1);
  for (const at of [Date.now() - 60_000, Date.now() + 3_600_000]) {
    for (const { name } of Deno.readDirSync(`${mesh.dir}/receiving`)) {
      Deno.utimeSync(`${mesh.dir}/receiving/${name}`, at / 1000, at / 1000);
    }
    assertEquals(await prompt(), 1, "the note is old, or the clock was set back");
  }
});

Deno.test("a doorbell brings the message that waits, and is not a prompt for the daemon", async () => {
  await using daemon = new FaultyDaemon();
  await using mesh = await MeshHome.begun(daemon.url);
  const prompts: string[] = [];
  daemon.answer = ({ path }) => {
    if (path.endsWith("/user-prompt-submit")) prompts.push(path);
    return { inject: "" };
  };
  const { id } = mesh.send("wake up");
  assertEquals(shownIds((await mesh.hook("user-prompt-submit", { prompt: DOORBELL })).stdout), [id]);
  assertEquals(prompts, []);
});

Deno.test("a doorbell whose message was shown in the meantime begins no turn", async () => {
  await using mesh = await MeshHome.begun();
  const sessions = new AgentSessions(mesh.dir);
  const ring = async () => (await mesh.hook("user-prompt-submit", { prompt: DOORBELL })).stdout;
  assertEquals(await ring(), "", "where no doorbell is queued, these are the words of a user");
  const session = { agentId: "work", url: "", project: PROJECT, machine: "m1", wake: "queue" as const };
  sessions.begin({ ...mesh.id, ...session });
  for (const status of ["idle", "working"] as const) {
    sessions.update(mesh.id, { status });
    assertEquals(JSON.parse(await ring()).decision, "block");
    assertEquals(mesh.session?.status, "idle");
    const { id } = mesh.send("wake up");
    assertEquals(shownIds(await ring()), [id]);
    assertEquals(mesh.session?.status, "working");
  }
});

Deno.test("a prompt that begins with a handle is sent to that agent, and the model learns it", async () => {
  await using mesh = await MeshHome.begun();
  const codex = { harness: "codex", key: "c0de0000-1111-4222-8333-444455556666" };
  const sessions = new AgentSessions(mesh.dir);
  const other = { agentId: "work", url: "", project: PROJECT, machine: "m1", wake: "none" as const };
  sessions.begin({ ...codex, ...other });
  const sent = await mesh.hook("user-prompt-submit", { prompt: "@codex review\nmy change" });
  const [message] = mesh.inbox.peek(codex, "new");
  assertEquals([message?.text, message?.wants, message?.from.session], [
    "review\nmy change",
    "reply",
    mesh.id.key,
  ]);
  assertMatch(sent.stdout, new RegExp(`sent to the agent codex-c0de as ${message?.id}`));
  sessions.begin({ ...codex, key: "beef0000-1111-4222-8333-444455556666", ...other });
  const unclear = await mesh.hook("user-prompt-submit", { prompt: "@codex again" });
  assertMatch(unclear.stdout, /can mean several agents \(codex-\w+, codex-\w+\)\. Nothing was sent/);
  for (const prompt of ["@src/main.ts explain", "@gemini hello", "hello @codex-beef there", "@codex-beef"]) {
    assertEquals((await mesh.hook("user-prompt-submit", { prompt })).stdout, "", prompt);
  }
});

Deno.test("a prompt for an agent on another machine is on disk until that machine has it", async () => {
  await using daemon = new FaultyDaemon();
  await using mesh = await MeshHome.begun(daemon.url);
  const peer = { sessionKey: "c0de0000-1111", harness: "codex", agentId: "work", project: "/home/v/app" };
  daemon.answer = ({ path }) =>
    path.startsWith("/api/cross-agent/presence")
      ? { sessions: [peer], count: 1 }
      : path.startsWith("/api/cross-agent/messages")
      ? { items: [], count: 0, message: { id: "d1" } }
      : { inject: "" };
  const outbox = () => new Outbox(mesh.dir).list({ url: daemon.url, agentId: "work" });
  const say = async (prompt: string) => (await mesh.hook("user-prompt-submit", { prompt })).stdout;

  assertMatch(await say("@codex first"), /was sent to the agent codex-c0de as m_/);
  const isPost = ({ method, path }: { method: string; path: string }) =>
    method === "POST" && path.startsWith("/api/cross-agent/messages");
  daemon.respond = (request) => isPost(request) ? { status: 503, body: "{}" } : "ok";
  assertMatch(await say("@codex second"), /is kept as m_\w+ until it can be sent/);
  daemon.respond = (request) => isPost(request) ? { status: 403, body: "{}" } : "ok";
  assertMatch(await say("@codex refused"), /could not be sent to codex-c0de/);
  daemon.stop();
  assertMatch(await say("@codex third"), /is kept as m_\w+ until it can be sent/);
  assertEquals(await say("@gemini nobody has heard of it"), "");
  assertEquals(
    outbox().map(({ message: { text, to }, acceptedAt }) => [text, to.session, acceptedAt !== undefined]),
    [
      ["first", peer.sessionKey, true],
      ["second", peer.sessionKey, false],
      ["third", peer.sessionKey, false],
    ],
  );
});

Deno.test("with NATS, a hook leaves a prompt for another machine to the session's MCP server", async () => {
  await using daemon = new FaultyDaemon();
  await using mesh = await MeshHome.begun(daemon.url);
  const paths: string[] = [];
  daemon.answer = ({ method, path }) => {
    if (method === "POST" || path.includes("presence")) paths.push(`${method} ${path}`);
    return { inject: "" };
  };
  await Deno.writeTextFile(
    `${mesh.home.path}/.config/signet/agents.yaml`,
    "transport: nats://127.0.0.1:4222\n",
  );
  const say = async (prompt: string) => (await mesh.hook("user-prompt-submit", { prompt })).stdout;
  assertEquals(await say("@codex nobody has heard of it"), "");
  // What a receiver notes at the server.
  rememberPeers(mesh.dir, "work", [{
    key: "c0de0000-1111",
    harness: "codex",
    agentId: "bob",
    project: "/p",
  }]);
  assertMatch(
    await say("@codex look"),
    /is kept as m_\w+ until it can be sent \(by the session's MCP server/,
  );
  const [entry] = new Outbox(mesh.dir).list({ url: "nats://127.0.0.1:4222", agentId: "work" });
  assertEquals([entry?.message.text, entry?.message.to.session, entry?.acceptedAt], [
    "look",
    "c0de0000-1111",
    undefined,
  ]);
  assertEquals(paths.filter((path) => path.includes("cross-agent")), []);
});

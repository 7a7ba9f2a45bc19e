import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DOORBELL } from "../hooks/agents/doorbell.ts";
import { encodeEnvelope } from "../hooks/agents/envelope.ts";
import { handleOf } from "../hooks/agents/handle.ts";
import { rememberPeers } from "../hooks/agents/known_peers.ts";
import { AgentSessions } from "../hooks/agents/session.ts";
import { silentSince } from "../hooks/agents/woken.ts";
import { NOTICE } from "../hooks/agents/wrap.ts";
import { Outbox } from "../connectors/base/agents/outbox.ts";
import { sampleMessage } from "../connectors/base/testing/sample_message.ts";
import { until } from "../connectors/base/testing/until.ts";
import { FaultyDaemon } from "./worlds/faulty_daemon.ts";
import { ended, MeshHome, PROJECT, shownIds } from "./worlds/mesh_home.ts";

const TOOL = { tool_name: "Edit", tool_input: { file_path: "/home/u/app/a.ts" } };

/** A session that has begun; without a daemon. */
async function begun(url?: string, profile?: object): Promise<MeshHome> {
  const mesh = await MeshHome.make(url, profile);
  const start = await mesh.hook("session-start", { source: "startup" });
  assertEquals([start.code, start.stderr], [0, ""]);
  return mesh;
}

Deno.test("a session without a daemon learns its handle, and gets a message after a tool call, once", async () => {
  await using mesh = await MeshHome.make();
  const start = await mesh.hook("session-start", { source: "startup" });
  assertStringIncludes(start.stdout, `You are ${handleOf(mesh.id)} `);
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  const { id } = mesh.send("please look at a.ts", { wants: "reply" });
  assertEquals(
    (await mesh.hook("pre-tool", TOOL)).stdout,
    "",
    "a normal message does not come before a tool",
  );
  assertEquals([mesh.session?.status, mesh.session?.tool, mesh.session?.file], [
    "working",
    "Edit",
    "/home/u/app/a.ts",
  ]);
  const shown = JSON.parse((await mesh.hook("post-tool", TOOL)).stdout);
  assertEquals(shown.hookSpecificOutput.hookEventName, "post-tool");
  const context: string = shown.hookSpecificOutput.additionalContext;
  assert(context.startsWith(NOTICE));
  assertEquals(shownIds(context), [id]);
  assertStringIncludes(context, "\nplease look at a.ts\n");
  for (const event of ["post-tool", "turn-end", "user-prompt-submit"]) {
    assertEquals(shownIds((await mesh.hook(event, { prompt: "more" })).stdout), [], event);
  }
});

Deno.test("the end of a turn goes on with what waits, three times in a row at most", async () => {
  await using mesh = await begun();
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  for (let i = 0; i < 3; i++) {
    const { id } = mesh.send(`message ${i}`, { priority: 2 });
    const { decision, reason } = JSON.parse((await mesh.hook("turn-end")).stdout);
    assertEquals([decision, shownIds(reason)], ["block", [id]]);
    assertEquals(mesh.session?.status, "working");
  }
  mesh.send("one too many");
  assertEquals((await mesh.hook("turn-end")).stdout, "");
  assertEquals(mesh.session?.status, "idle");
  assertEquals(mesh.inbox.count(mesh.id).waiting, 1, "it waits for the next prompt");
  assertStringIncludes((await mesh.hook("user-prompt-submit", { prompt: "x" })).stdout, "one too many");
});

Deno.test("a prompt hook without a prompt, as Qwen Code fires it after a tool, leaves a message to the turn's end", async () => {
  await using mesh = await begun();
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  const { id } = mesh.send("no hurry", { priority: 2 });
  assertEquals((await mesh.hook("user-prompt-submit", { prompt: "" })).stdout, "");
  assertEquals(shownIds(JSON.parse((await mesh.hook("turn-end")).stdout).reason), [id]);
});

Deno.test("a message of priority 5 refuses one tool call, and the next one runs", async () => {
  await using mesh = await begun();
  const { id } = mesh.send("stop: the build is broken", { priority: 5 });
  const { hookSpecificOutput: refused } = JSON.parse((await mesh.hook("pre-tool", TOOL)).stdout);
  assertEquals(refused.permissionDecision, "deny");
  assertEquals(shownIds(refused.permissionDecisionReason), [id]);
  assertEquals((await mesh.hook("pre-tool", TOOL)).stdout, "");
});

Deno.test("a message of priority 5 refuses nothing if its sender may not stop the agent", async () => {
  await using mesh = await begun();
  const strangers = [
    { from: { agentId: "somebody", cwd: "app" } },
    { from: { agentId: "work", cwd: "app" }, verified: false },
    { from: { agentId: "somebody", cwd: "elsewhere" } },
  ];
  for (const [i, change] of strangers.entries()) {
    mesh.send(`stop ${i}`, { ...change, priority: 5 });
    const { stdout } = await mesh.hook("pre-tool", TOOL);
    assertEquals(stdout.includes("deny"), false, stdout);
  }
  assertEquals(mesh.inbox.count(mesh.id), { waiting: 0, held: 1 });
});

Deno.test("an urgent message comes before a tool call without refusing it", async () => {
  await using mesh = await begun();
  const { id } = mesh.send("soon, please", { priority: 4 });
  const { hookSpecificOutput: output } = JSON.parse((await mesh.hook("pre-tool", TOOL)).stdout);
  assertEquals([Object.keys(output), shownIds(output.additionalContext)], [
    ["hookEventName", "additionalContext"],
    [id],
  ]);
});

Deno.test("a sub-agent's tool calls take none of the messages of its parent", async () => {
  await using mesh = await begun();
  mesh.send("for the parent", { priority: 5 });
  for (const event of ["pre-tool", "post-tool"]) {
    assertEquals((await mesh.hook(event, { ...TOOL, agent_id: "a1" })).stdout, "");
  }
  assertEquals(mesh.inbox.count(mesh.id).waiting, 1);
});

const SUBAGENT_EVENTS = {
  "pre-tool": { native: "PreToolUse", timeoutMs: 120_000 },
  "post-tool": { native: "PostToolUse", timeoutMs: 120_000 },
  "subagent-start": { native: "SubagentStart", timeoutMs: 120_000 },
  "subagent-end": { native: "SubagentStop", timeoutMs: 120_000 },
  "turn-end": { native: "Stop", timeoutMs: 120_000 },
  waiting: { native: "PermissionRequest", timeoutMs: 120_000 },
};

Deno.test("a sub-agent whose calls have no mark, as in Kimi Code, takes no message and ends no turn", async () => {
  const agents = {
    events: SUBAGENT_EVENTS,
    deafAfterTool: true,
    contextBeforeTool: false,
    goOn: "permission",
  };
  await using mesh = await begun(undefined, { agents });
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  mesh.send("for the agent", { priority: 5 });
  await mesh.hook("subagent-start");
  for (const event of ["pre-tool", "post-tool", "turn-end"]) {
    assertEquals((await mesh.hook(event, TOOL)).stdout, "", event);
  }
  assertEquals(mesh.session?.status, "working");
  await mesh.hook("subagent-end");
  assertEquals((await mesh.hook("post-tool", TOOL)).stdout, "", "nobody reads this");
  const { hookSpecificOutput: answer } = JSON.parse((await mesh.hook("turn-end")).stdout);
  assertEquals([answer.hookEventName, answer.permissionDecision], ["Stop", "deny"]);
  assertStringIncludes(answer.permissionDecisionReason, "for the agent");
  // Interrupted: it has no end.
  await mesh.hook("subagent-start");
  await mesh.hook("user-prompt-submit", { prompt: "go on" });
  mesh.send("and more");
  assertStringIncludes((await mesh.hook("turn-end")).stdout, "and more");
});

Deno.test("a hook after a tool that nobody waits for leaves the status of a turn that is over", async () => {
  await using mesh = await begun(undefined, { agents: { deafAfterTool: true } });
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  await mesh.hook("turn-end");
  await mesh.hook("post-tool", TOOL);
  assertEquals(mesh.session?.status, "idle");
  await mesh.hook("waiting", { tool_name: "Bash" });
  await mesh.hook("post-tool", TOOL);
  assertEquals(mesh.session?.status, "working");
});

Deno.test("Copilot CLI's names and answers: the sub-agent has a session, which is not in the mesh", async () => {
  const profile = {
    startsWithPrompt: true,
    agents: { topLevel: true, subagentsHaveSessions: true },
  };
  await using mesh = await MeshHome.make(undefined, profile);
  const of = (more: object) => ({ session_id: undefined, sessionId: mesh.id.key, ...more });
  const child = { sessionId: "c1", agentId: "c1", parentAgentId: mesh.id.key };
  assertEquals((await mesh.hook("session-start", of({ source: "new" }))).stdout, "");
  const introduced = await mesh.hook("user-prompt-submit", of({ prompt: "go" }));
  assertStringIncludes(introduced.stdout, `You are ${handleOf(mesh.id)} `);
  assertEquals((await mesh.hook("user-prompt-submit", of({ prompt: "do it", ...child }))).stdout, "");
  assertEquals(new AgentSessions(mesh.dir).list().map(({ key }) => key), [mesh.id.key]);
  const { id } = mesh.send("look", { priority: 4 });
  const tool = { toolName: "Edit", toolArgs: { file_path: "/home/u/app/a.ts" } };
  for (const event of ["pre-tool", "post-tool", "turn-end"]) {
    assertEquals((await mesh.hook(event, of({ ...tool, ...child }))).stdout, "", event);
  }
  assertEquals([mesh.session?.status, mesh.session?.file], ["working", undefined]);
  const shown = JSON.parse((await mesh.hook("post-tool", of(tool))).stdout);
  assertEquals([Object.keys(shown), shownIds(shown.additionalContext)], [["additionalContext"], [id]]);
  await mesh.hook("waiting", of({ notification_type: "shell_completed" }));
  assertEquals(mesh.session?.status, "working");
  await mesh.hook("waiting", of({ notification_type: "permission_prompt" }));
  assertEquals(mesh.session?.status, "waiting");
});

Deno.test("hooks do nothing for a session that is not in the mesh", async () => {
  await using mesh = await MeshHome.make();
  for (const event of ["pre-tool", "post-tool", "turn-end", "waiting", "wait-for-messages"]) {
    assertEquals(await mesh.hook(event, TOOL), { code: 0, stdout: "", stderr: "" });
  }
});

Deno.test("a session has a status for each event, and is gone after its end", async () => {
  await using mesh = await begun();
  assertEquals(mesh.session?.status, "starting");
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  assertEquals(mesh.session?.status, "working");
  await mesh.hook("waiting", { notification_type: "permission_prompt" });
  assertEquals(mesh.session?.status, "waiting");
  await mesh.hook("post-tool", TOOL);
  assertEquals(mesh.session?.status, "working");
  await mesh.hook("waiting", { notification_type: "idle_prompt" });
  assertEquals(mesh.session?.status, "idle");
  await mesh.hook("session-end", { reason: "other" });
  assertEquals(mesh.session, undefined);
});

Deno.test("a prompt brings messages from the daemon, once, and does not wait for a daemon without them", async () => {
  using daemon = new FaultyDaemon();
  await using mesh = await begun(daemon.url);
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

Deno.test("a doorbell brings the message that waits, and is not a prompt for the daemon", async () => {
  using daemon = new FaultyDaemon();
  await using mesh = await begun(daemon.url);
  const prompts: string[] = [];
  daemon.answer = ({ path }) => {
    if (path.endsWith("/user-prompt-submit")) prompts.push(path);
    return { inject: "" };
  };
  const { id } = mesh.send("wake up");
  assertEquals(shownIds((await mesh.hook("user-prompt-submit", { prompt: DOORBELL })).stdout), [id]);
  assertEquals(prompts, []);
});

Deno.test("a prompt that begins with a handle is sent to that agent, and the model learns it", async () => {
  await using mesh = await begun();
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
  using daemon = new FaultyDaemon();
  await using mesh = await begun(daemon.url);
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

Deno.test("the sender of a message learns that it was seen", async () => {
  await using mesh = await begun();
  const sender = { harness: "codex", key: "s-sender" };
  new AgentSessions(mesh.dir).begin({
    ...sender,
    agentId: "work",
    url: "",
    project: PROJECT,
    machine: "m1",
    wake: "none",
  });
  const { id } = mesh.send("look");
  await mesh.hook("post-tool", TOOL);
  const [receipt] = mesh.inbox.takeReceipts(sender);
  assertEquals([receipt?.receipt, receipt?.replyTo], ["seen", id]);
});

const ATTENDED = { env: { SAMPLE_ATTENDED: "1" } };

Deno.test("a waiter wakes an idle session with a message, and not a working one", async () => {
  await using mesh = await begun();
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  const waiter = await mesh.start("wait-for-messages", {}, ATTENDED);
  await until("the waiter registered", () => exists(`${mesh.inbox.dirOf(mesh.id)}/waiter`));
  mesh.send("a note", { priority: 1 });
  await mesh.hook("turn-end");
  const { id } = mesh.send("wake up");
  const { code, stdout, stderr } = await ended(waiter);
  assertEquals([code, stdout], [2, ""]);
  assertEquals(shownIds(stderr), [id]);
  assertEquals(mesh.session?.status, "working");
});

Deno.test("a session that a waiter woke for an urgent message is silent until its next hook", async () => {
  await using mesh = await begun();
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  await mesh.hook("turn-end");
  mesh.send("wake up", { priority: 4 });
  assertEquals((await mesh.hook("wait-for-messages", {}, ATTENDED)).code, 2);
  const isSilent = () => mesh.session !== undefined && silentSince(mesh.dir, mesh.session) !== undefined;
  assertEquals(isSilent(), true);
  await mesh.hook("pre-tool", TOOL);
  assertEquals(isSilent(), false);
});

Deno.test("a waiter leaves at once where nobody attends, and when another takes over or the session ends", async () => {
  await using mesh = await begun();
  mesh.send("too early");
  assertEquals(await mesh.hook("wait-for-messages"), { code: 0, stdout: "", stderr: "" });
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  const path = `${mesh.inbox.dirOf(mesh.id)}/waiter`;
  const first = await mesh.start("wait-for-messages", {}, ATTENDED);
  await until("the first waiter registered", () => exists(path));
  const before = await Deno.readTextFile(path);
  const second = await mesh.start("wait-for-messages", {}, ATTENDED);
  await until("the second waiter registered", async () => await Deno.readTextFile(path) !== before);
  assertEquals((await ended(first)).code, 0);
  await mesh.hook("session-end", { reason: "other" });
  assertEquals((await ended(second)).code, 0);
});

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("with NATS, a hook leaves a prompt for another machine to the session's MCP server", async () => {
  using daemon = new FaultyDaemon();
  await using mesh = await begun(daemon.url);
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

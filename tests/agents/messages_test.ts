import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";

const CODEX_A = "019a8f3e-7b1c-7d2e-9f00-3f9a00c0ffee";
const CODEX_B = "019a8f3e-7b1d-7d2e-9f00-77e100c0ffee";

Deno.test("send writes into the inbox of a session on this machine, without a daemon", async () => {
  await using machine = await AgentMachine.make();
  const codex = machine.begin("codex", { key: CODEX_A });
  const sent = await machine.run("send", "codex", "Please", "review", "the diff");
  assertEquals([sent.code, sent.err], [0, ""]);
  assertMatch(sent.out, /^✓ Sent to codex-3f9a in \/home\/u\/app as m_[0-9A-Z]{26}\n/);
  const [message] = machine.inbox.peek(codex, "new");
  assertEquals(message?.text, "Please review the diff");
  assertEquals([message?.priority, message?.wants, message?.verified, message?.from.harness], [
    3,
    "reply",
    true,
    undefined,
  ]);
});

Deno.test("send takes its text from a file, from -- and with every flag", async () => {
  await using machine = await AgentMachine.make();
  const codex = machine.begin("codex");
  await machine.write("note.txt", "from a file\n");
  await machine.run("send", "codex", "--file", `${machine.path}/note.txt`);
  await machine.run("send", "codex", "--", "--not a flag");
  const args = ["send", "codex", "-p", "4", "--thread", "t_1", "--ttl", "10m", "--no-reply", "x"];
  assertEquals((await machine.run(...args)).code, 0);
  await machine.run("send", "codex", "--no-wake", "y");
  const messages = machine.inbox.peek(codex, "new");
  const byText = (text: string) => messages.find((message) => message.text === text);
  assertEquals(messages.map(({ text }) => text).sort(), ["--not a flag", "from a file\n", "x", "y"]);
  const x = byText("x");
  assertEquals([x?.priority, x?.thread, x?.ttl, x?.wants], [4, "t_1", 600, "none"]);
  assertEquals(byText("y")?.priority, 2);
});

Deno.test("agents lists the sessions of this machine, what they do and their unread messages", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("codex", { key: CODEX_A, agentId: "laptop" });
  machine.begin("claude-code", { project: "/home/u/site" }, "waiting");
  await machine.run("send", "codex", "hello");
  const table = (await machine.run("agents")).out;
  assertMatch(table, /^HANDLE +AGENT +PROJECT +STATUS +SINCE +UNREAD +MACHINE\n/);
  assertMatch(table, /^codex-3f9a +laptop +\/home\/u\/app +idle +.* 1 +here$/m);
  assertMatch(table, /^claude-\w{4} +me +\/home\/u\/site +waiting /m);
  const { data } = await machine.json("agents", "--project", "/home/u/site");
  assert(Array.isArray(data.agents));
  assertEquals(data.agents.map(({ harness, status, here }) => [harness, status, here]), [
    ["claude-code", "waiting", true],
  ]);
  assertStringIncludes((await machine.run("agents", "pi")).out, "No agent is live.");
});

Deno.test("a person's inbox says what the policy holds for the sessions of this machine", async () => {
  await using machine = await AgentMachine.make();
  const codex = machine.begin("codex", { key: CODEX_A });
  const pi = machine.begin("pi", { agentId: "other", project: "/home/u/site" });
  await machine.run("send", "codex", "--as", pi.key, "let me in");
  assertEquals(machine.inbox.take({ ...codex }, "asked").held, 1);
  const { out } = await machine.run("inbox");
  assertMatch(out, /No unread messages\.\n.*1 held by your policy for codex-3f9a, from other: to show it, /);
  const { data } = await machine.json("inbox");
  assertMatch(JSON.stringify(data.held_for_agents), /^\[\{"handle":"codex-3f9a","held":\[\{"id":"m_/);
  assertEquals((await machine.json("inbox", "--as", pi.key)).data.held_for_agents, []);
});

Deno.test("a session answers, and the sender gets the answer that it waits for", async () => {
  await using machine = await AgentMachine.make();
  const claude = machine.begin("claude-code", { key: "c1a0de00-1111-4222-8333-444455556666" });
  machine.begin("codex", { key: CODEX_A });
  const waiting = machine.run("send", "codex", "--as", "claude", "--wait", "Which tests fail?");
  const id = await until("the question is there", async () => {
    const { data } = await machine.json("inbox", "--as", "codex");
    return Array.isArray(data.unread) && data.unread[0]?.id;
  });
  const answered = await machine.run("reply", "--as", "codex", "None", "do.");
  assertStringIncludes(answered.out, `Answered ${id} of claude-c1a0`);
  const { code, out } = await waiting;
  assertEquals([code, out.split("\n").slice(-2).join("")], [0, "None do."]);
  assertEquals(machine.unread(claude), [], "the answer was read");
  const again = await machine.run("wait", "--as", "claude", String(id));
  assertEquals([again.code, again.out], [0, "None do.\n"]);
});

Deno.test("reply without an id answers the newest open message, and never one twice", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("claude-code");
  machine.begin("codex");
  await machine.run("send", "codex", "--as", "claude", "first");
  await machine.run("send", "codex", "--as", "claude", "second");
  await machine.run("send", "codex", "--as", "claude", "--no-reply", "third");
  const answers = [];
  for (const text of ["to second", "to first", "to nobody"]) {
    answers.push((await machine.run("reply", "--as", "codex", text)).code);
  }
  assertEquals(answers, [0, 0, 2]);
  const failed = await machine.run("reply", "--as", "codex", "--fail", "m_01ARZ3NDEKTSV4RRFFQ69G5FAV", "x");
  assertEquals(failed.code, 2);
  assertStringIncludes(failed.err, "There is no message m_01ARZ3NDEKTSV4RRFFQ69G5FAV in the inbox of");
});

Deno.test("reply --fail ends the wait of the sender with exit code 1", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("codex");
  const { data } = await machine.json("send", "codex", "Push to main");
  await machine.run("reply", "--as", "codex", "--fail", "I may not.");
  const waited = await machine.run("wait", String(data.id));
  assertEquals([waited.code, waited.out], [1, "I may not.\n"]);
  assertStringIncludes(waited.err, "could not do it");
});

Deno.test("wait says that there is no answer yet, and wait --idle follows the status", async () => {
  await using machine = await AgentMachine.make();
  const codex = machine.begin("codex", {}, "working");
  const { data } = await machine.json("send", "codex", "hello");
  const waited = await machine.run("wait", String(data.id), "--timeout", "1");
  assertEquals(waited.code, 3);
  assertMatch(waited.err, /No answer to m_\w+ within 1 s/);
  const idle = machine.run("wait", "--idle", "codex");
  machine.sessions.update(codex, { status: "idle" });
  assertEquals((await idle).code, 0);
  assertEquals((await machine.run("wait", "--idle", "gemini")).code, 4);
  assertEquals((await machine.run("wait", "hello")).code, 2);
  assertEquals((await machine.run("wait")).code, 2);
});

Deno.test("two agents that wait for each other do not wait for ever", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("claude-code");
  machine.begin("codex");
  const [a, b] = await Promise.all([
    machine.run("send", "codex", "--as", "claude", "--wait=600", "What do you think?"),
    machine.run("send", "claude", "--as", "codex", "--wait=600", "What do you think?"),
  ]);
  assert([a.code, b.code].includes(3), `${a.code} ${b.code}`);
  for (const { code, err } of [a, b]) {
    if (code === 3) assertMatch(err, /waits for one of yours/);
  }
});

Deno.test("inbox --mark-read reads everything, and inbox ID shows a message in full", async () => {
  await using machine = await AgentMachine.make();
  const codex = machine.begin("codex");
  await machine.run("send", "codex", "one\n\x1b[31mtwo");
  const shown = await machine.run("inbox", "--as", "codex", "--mark-read");
  assertMatch(shown.out, /^a person \(agent default\) · .* wants an answer\n {2}one\n {2}two\n/);
  assertEquals(machine.unread(codex), []);
  assertEquals((await machine.run("inbox", "--as", "codex")).out, "No unread messages.\n");
  const id = machine.inbox.peek(codex, "seen")[0]?.id ?? "";
  assertStringIncludes((await machine.run("inbox", "--as", "codex", id)).out, "one\ntwo\n");
  const refused = await machine.run("inbox", "--mark-read", "--mode", "readonly");
  assertEquals(refused.code, 4);
});

Deno.test("the caller is found by the environment, or asked for where several could be meant", async () => {
  await using machine = await AgentMachine.make({ CLAUDE_CODE_SESSION_ID: "c-1" });
  const here = Deno.cwd();
  machine.begin("claude-code", { key: "c-1", project: "/elsewhere" });
  const codex = machine.begin("codex", { key: CODEX_A, project: here });
  machine.begin("codex", { key: CODEX_B, project: here });
  await machine.run("send", "codex-3f9a", "hello");
  assertEquals(machine.inbox.peek(codex, "new")[0]?.from.session, "c-1");
  await using other = await AgentMachine.make();
  const only = other.begin("codex", { key: CODEX_A, project: here });
  const gemini = other.begin("gemini");
  await other.run("send", "gemini", "hello");
  assertEquals(other.inbox.peek(gemini, "new")[0]?.from.session, CODEX_A);
  await other.run("send", "codex", "a person writes to the only session of this directory");
  assertEquals(other.inbox.peek(only, "new")[0]?.from.harness, undefined);
  other.begin("codex", { key: CODEX_B, project: here });
  const several = await other.run("send", "gemini", "hello");
  assertEquals(several.code, 2);
  assertMatch(several.err, /Several agents work in this directory: codex-\w{4}, codex-\w{4}\. Say which/);
  assertEquals((await other.run("send", "gemini", "hello", "--as", "person")).code, 0);
  const nobody = await other.run("send", "gemini", "hello", "--as", "pi");
  assertStringIncludes(nobody.err, "There is no live session pi on this machine to act as.");
});

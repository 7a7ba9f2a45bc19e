import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { MAX_WAITING } from "../../hooks/agents/messages/inbox.ts";
import { adoptUnread } from "../../hooks/agents/messages/mailbox.ts";
import { tidyInboxes } from "../../hooks/agents/tidy.ts";
import { exists } from "../../hooks/state/exists.ts";
import { findCaller } from "../../hooks/state/caller.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { MeshHome, shownIds } from "../worlds/agents/mesh_home.ts";

const NEXT = { session_id: "c0ffee00-0000-4000-8000-000000000002" };

Deno.test("what a session had not read when it ended is shown to the next one, once", async () => {
  await using mesh = await MeshHome.begun();
  await mesh.hook("user-prompt-submit", { prompt: "the first" });
  const { id } = mesh.send("look at a.ts", { to: { session: mesh.id.key }, priority: 2 });
  const stop = mesh.send("stop", { to: { session: mesh.id.key }, priority: 5 });
  await mesh.hook("session-end", { reason: "clear" });
  assertEquals(mesh.session, undefined);

  const { stdout } = await mesh.hook("session-start", { ...NEXT, source: "clear" });
  assertEquals(shownIds(stdout).toSorted(), [id, stop.id].toSorted());
  assertStringIncludes(stdout, 'for="sample-5e55, which has ended" priority="2"');
  assertStringIncludes(stdout, 'priority="4"');
  const tool = { ...NEXT, tool_name: "Bash", tool_input: { command: "ls" } };
  assertEquals((await mesh.hook("pre-tool", tool)).stdout, "", "no tool is refused");
  const resumed = await mesh.hook("session-start", { source: "resume" });
  assertEquals(shownIds(resumed.stdout), [], "the first has gone on");
});

Deno.test("what expired before the next session began is not shown to it, and its sender gets a receipt", async () => {
  await using mesh = await MeshHome.begun();
  await mesh.hook("user-prompt-submit", { prompt: "the first" });
  const { stdout } = await mesh.hook("session-start", { ...NEXT, source: "startup" });
  assertEquals(shownIds(stdout), []);
  const { id } = mesh.send("too late", {
    from: { agentId: "work", session: NEXT.session_id, harness: mesh.id.harness, machine: "m1" },
    to: { session: mesh.id.key },
    at: Date.now() - 3_700_000,
  });
  await mesh.hook("session-end");
  const third = { session_id: "decade00-0000-4000-8000-000000000003", source: "startup" };
  assertEquals(shownIds((await mesh.hook("session-start", third)).stdout), []);
  const [receipt] = mesh.inbox.peek({ ...mesh.id, key: NEXT.session_id }, "receipts");
  assertEquals([receipt?.receipt, receipt?.replyTo], ["expired", id]);
});

Deno.test("a message that was passed on counts as waiting until it is shown", async () => {
  await using machine = await AgentMachine.make();
  const { inbox, sessions } = machine;
  const ended = machine.begin("codex");
  const message = sampleMessage({ text: "are you there?", to: { session: ended.key } });
  inbox.put(ended, message);
  sessions.end(ended);
  const next = machine.begin("codex");
  adoptUnread(inbox, sessions, next);
  const state = async () => (await machine.run("history", "show", message.id)).out;
  assertMatch(await state(), /· waiting\n[^]*unread, passed on by codex-/);
  inbox.shown(next, inbox.take(next, "prompt").messages);
  assertMatch(await state(), /· seen\n/);
});

Deno.test("unread messages stay where they are if the inbox of the next session is full", async () => {
  await using machine = await AgentMachine.make();
  const { inbox, sessions } = machine;
  const ended = machine.begin("codex");
  inbox.put(ended, sampleMessage({ text: "one too many" }));
  sessions.end(ended);
  const next = machine.begin("codex");
  inbox.put(next, sampleMessage());
  for (let i = 1; i < MAX_WAITING; i++) {
    const message = sampleMessage();
    Deno.writeTextFileSync(`${inbox.dirOf(next)}/new/${message.id}-3.json`, JSON.stringify(message));
  }
  assertEquals(adoptUnread(inbox, sessions, next).count, 0);
  assertEquals(machine.unread(ended), ["one too many"]);
});

Deno.test("a session that goes on reads its messages itself", async () => {
  await using mesh = await MeshHome.begun();
  await mesh.hook("user-prompt-submit", { prompt: "the first" });
  const { id } = mesh.send("look at a.ts", { to: { session: mesh.id.key } });
  await mesh.hook("session-end");
  const { stdout } = await mesh.hook("session-start", { source: "resume" });
  assertEquals(shownIds(stdout), [id]);
  assertEquals(stdout.includes("which has ended"), false);
});

Deno.test("unread messages go to a session of the same agent, harness and directory alone", async () => {
  await using machine = await AgentMachine.make();
  const { inbox, sessions } = machine;
  const [ended, live] = [machine.begin("codex"), machine.begin("codex")];
  inbox.put(ended, sampleMessage({ text: "to the ended one" }));
  inbox.put(live, sampleMessage({ text: "to the live one" }));
  sessions.end(ended);
  const others = [
    machine.begin("codex", { agentId: "another" }),
    machine.begin("codex", { project: "/home/u/other" }),
    machine.begin("pi"),
  ];
  for (const other of others) assertEquals(adoptUnread(inbox, sessions, other).count, 0);
  const [next, second] = [machine.begin("codex"), machine.begin("codex")];
  assertEquals([next, second].map((each) => adoptUnread(inbox, sessions, each).count), [1, 0]);
  assertEquals([next, live].map((each) => machine.unread(each)), [["to the ended one"], ["to the live one"]]);
});

Deno.test({
  name: "unread messages of a session whose program was killed go to the next one",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using machine = await AgentMachine.make();
    const { inbox, sessions } = machine;
    const caller = findCaller(Deno.pid);
    assert(caller !== undefined);
    const { key } = machine.begin("codex");
    const killed = sessions.get({ harness: "codex", key });
    assert(killed !== undefined);
    const { hookAt: _hookAt, gone: _gone, ...facts } = killed;
    sessions.begin({ ...facts, caller: { ...caller, program: "/another/program" } });
    inbox.put(killed, sampleMessage({ text: "are you there?" }));
    const next = machine.begin("codex");
    assertEquals(adoptUnread(inbox, sessions, next).count, 1);
    assertEquals(machine.unread(next), ["are you there?"]);
  },
});

Deno.test("tidyInboxes() removes what is left of a session when its messages have expired", async () => {
  await using machine = await AgentMachine.make();
  const { inbox, sessions, dir } = machine;
  const [sender, ended, live] = [machine.begin("pi"), machine.begin("codex"), machine.begin("codex")];
  const from = { agentId: "me", session: sender.key, harness: "pi", machine: machine.path };
  const unread = sampleMessage({ from, ttl: 30 * 3600 });
  for (const session of [ended, live]) {
    inbox.put(session, sampleMessage({ from, text: "was shown", ttl: 40 * 3600 }));
    inbox.shown(session, inbox.take(session, "prompt").messages);
    inbox.put(session, unread);
  }
  sessions.end(ended);
  const after = (hours: number) => tidyInboxes(dir, () => Date.now() + hours * 3600_000);
  const receipts = () => inbox.peek(sender, "receipts").map(({ receipt, replyTo }) => [receipt, replyTo]);

  after(26);
  assertEquals([machine.unread(ended).length, receipts()], [1, []]);
  after(31);
  after(31);
  assertEquals([machine.unread(ended), receipts()], [[], [["expired", unread.id]]]);
  assertEquals(exists(inbox.dirOf(ended)), true, "a second copy of what was shown may still come");
  after(42);
  assertEquals([ended, live].map((session) => exists(inbox.dirOf(session))), [false, true]);
  assertEquals(machine.unread(live).length, 1);
});

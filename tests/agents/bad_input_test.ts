import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { adoptWaiting } from "../../hooks/agents/messages/mailbox.ts";
import { newMessageId } from "../../hooks/agents/messages/message_id.ts";
import { MAX_TEXT } from "../../connectors/base/agents/messages/message_text.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { canMount, mountSmallDisk, unmount } from "../worlds/small_disk.ts";

/** One sentence, and perhaps a hint below it. */
const SENTENCE = /^✗ \S.*\.\n( {2}- .+\n)?$/;

/** Runs a command that must fail, with one clear sentence and nothing in any inbox. */
async function refused(machine: AgentMachine, code: number, says: string, ...args: string[]): Promise<void> {
  const { code: actual, out, err } = await machine.run(...args);
  assertEquals([actual, out], [code, ""], err);
  assertMatch(err, SENTENCE);
  assertStringIncludes(err, says);
}

Deno.test("send refuses unknown, ambiguous and own handles, and sends nothing", async () => {
  await using machine = await AgentMachine.make();
  const a = machine.begin("codex", { agentId: "shared" });
  const b = machine.begin("codex", { agentId: "shared", project: "/home/u/site" });
  await refused(machine, 2, "There is no agent frobnicate. Nothing was sent.", "send", "frobnicate", "x");
  await refused(machine, 2, "Did you mean codex", "send", "codx", "x");
  await refused(machine, 2, "codex can be any of codex-", "send", "codex", "x");
  await refused(machine, 2, ", idle for ", "send", "codex", "x");
  await refused(machine, 2, "codex can be any of codex-", "wait", "--idle", "codex");
  await refused(machine, 2, "shared can be any of codex-", "send", "shared", "x");
  await refused(machine, 2, "is this session", "send", a.key, "x", "--as", a.key);
  await refused(machine, 2, "To whom?", "send");
  await refused(machine, 2, "The message is empty. Nothing was sent.", "send", "codex@site", " ");
  await refused(machine, 2, "--priority must be a number from 1", "send", "codex@site", "-p", "6", "x");
  await refused(machine, 2, "--ttl must be a time", "send", "codex@site", "--ttl", "soon", "x");
  await refused(machine, 2, "--thread must be", "send", "codex@site", "--thread", "a b", "x");
  assertEquals([machine.unread(a), machine.unread(b)], [[], []]);
});

Deno.test("send to a harness without a session exits 4, and its next session gets the message", async () => {
  await using machine = await AgentMachine.make();
  const sent = await machine.run("send", "codex", "when you are back");
  assertEquals(sent.code, 4);
  assertMatch(
    sent.err,
    /^! Nobody is there: codex has no live session\. The message waits for 24 h as m_\w+\.\n/,
  );
  const { data } = await machine.json("send", "codex", "again");
  assertEquals(data.state, "nobody");
  // What a session-start hook does.
  const [first, second] = [machine.begin("codex"), machine.begin("codex")];
  assertEquals([first, second].map((session) => adoptWaiting(machine.inbox, session).count), [2, 0]);
  assertEquals(machine.unread(first), ["when you are back", "again"]);
});

Deno.test("send to an agent without a session exits 4, and one of its next sessions gets it", async () => {
  await using machine = await AgentMachine.make();
  await machine.connect("codex", { url: "http://127.0.0.1:1", agentId: "laptop" });
  assertEquals((await machine.run("send", "laptop", "hello")).code, 4);
  const [other, first, second] = [
    machine.begin("codex", { agentId: "another" }),
    machine.begin("pi", { agentId: "laptop" }),
    machine.begin("codex", { agentId: "laptop" }),
  ];
  for (const session of [other, first, second]) adoptWaiting(machine.inbox, session);
  assertEquals([other, first, second].map((session) => machine.unread(session)), [[], ["hello"], []]);
});

Deno.test("send refuses 65,537 characters, and takes as many as every receiver can have", async () => {
  await using machine = await AgentMachine.make();
  const codex = machine.begin("codex");
  await machine.write("long.txt", "x".repeat(65_537));
  await machine.write("most.txt", "x".repeat(MAX_TEXT));
  await machine.write("huge.txt", "x".repeat(10_000_000));
  const file = (name: string) => ["send", "codex", "--file", `${machine.path}/${name}`];
  await refused(
    machine,
    2,
    `The message has 65537 characters; the limit is ${MAX_TEXT}.`,
    ...file("long.txt"),
  );
  await refused(machine, 2, "which is the limit. Nothing was sent.", ...file("huge.txt"));
  assertEquals(machine.unread(codex), []);
  assertEquals((await machine.run(...file("most.txt"))).code, 0);
  assertEquals(machine.unread(codex)[0]?.length, MAX_TEXT);
});

Deno.test("send refuses what is not text", async () => {
  await using machine = await AgentMachine.make();
  const codex = machine.begin("codex");
  await Deno.writeFile(`${machine.path}/program`, new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0xff]));
  await machine.write("zero.txt", "a\0b");
  const file = (name: string) => ["send", "codex", "--file", `${machine.path}/${name}`];
  await refused(
    machine,
    2,
    "program is not text: it is not valid UTF-8. Nothing was sent.",
    ...file("program"),
  );
  await refused(machine, 2, "zero.txt is not text", ...file("zero.txt"));
  await refused(machine, 2, "There is no file", ...file("none.txt"));
  await refused(machine, 2, "is not a file", ...file(".local"));
  await refused(machine, 2, "is given twice", ...file("zero.txt"), "and text");
  assertEquals(machine.unread(codex), []);
});

Deno.test("send says that an inbox with 10,000 messages takes no more, and none is lost", async () => {
  await using machine = await AgentMachine.make();
  const codex = machine.begin("codex");
  await machine.run("send", "codex", "the first");
  const [first] = machine.inbox.peek(codex, "new");
  const dir = `${machine.inbox.dirOf(codex)}/new`;
  for (let i = 1; i < 10_000; i++) {
    const id = newMessageId();
    Deno.writeTextFileSync(`${dir}/${id}-3.json`, JSON.stringify({ ...first, id, text: `number ${i}` }));
  }
  await refused(
    machine,
    1,
    "has 10,000 unread messages and takes no more. Nothing was sent.",
    "send",
    "codex",
    "x",
  );
  const { code, out } = await machine.run("inbox", "--as", "codex");
  assertEquals(code, 0);
  assertStringIncludes(out, "9950 more. To see all, run: signet-connect inbox --json");
  assertEquals((await machine.run("inbox", "--as", "codex", "--mark-read")).code, 0);
  assertEquals(machine.inbox.count(codex).waiting, 0);
  assertEquals((await machine.run("send", "codex", "x")).code, 0);
});

Deno.test({
  name: "send says that the disk is full, and what was stored before stays (needs root, to mount a tmpfs)",
  ignore: !canMount(),
  async fn() {
    const state = await Deno.makeTempDir();
    mountSmallDisk(state, "size=64k");
    try {
      await using machine = await AgentMachine.make({ XDG_STATE_HOME: state });
      const codex = machine.begin("codex");
      assertEquals((await machine.run("send", "codex", "before")).code, 0);
      try {
        Deno.writeTextFileSync(`${state}/ballast`, "x".repeat(100_000));
      } catch {
        // The disk is full, as it should be.
      }
      await refused(
        machine,
        1,
        "could not be stored: No space left on device",
        "send",
        "codex",
        "x".repeat(20_000),
      );
      assertEquals(machine.unread(codex), ["before"]);
      await Deno.remove(`${state}/ballast`);
      assertEquals((await machine.run("send", "codex", "after")).code, 0);
      assertEquals(machine.unread(codex), ["before", "after"]);
    } finally {
      unmount(state);
      await Deno.remove(state);
    }
  },
});

Deno.test("commands refuse a directory of the mesh that others can write to", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("codex");
  await Deno.chmod(machine.dir, 0o777);
  const sent = await machine.run("send", "codex", "x");
  assertEquals(sent.code, 1);
  assertStringIncludes(sent.err, "is not a directory that only you can use");
});

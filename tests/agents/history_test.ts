import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { appendAgentLog } from "../../hooks/agents/log_line.ts";
import { clearAgents } from "../../connectors/base/agents/clear_agents.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { CONNECTOR_PERMISSIONS } from "../../scripts/build/permissions.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { canMount, mountSmallDisk, unmount } from "../worlds/small_disk.ts";

const CODEX = "019a8f3e-7b1c-7d2e-9f00-3f9a00c0ffee";
const DAY = 86_400_000;
// deno-lint-ignore no-control-regex -- what a terminal acts on
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/;

/** The texts in the JSON document of a command. */
async function texts(machine: AgentMachine, ...args: string[]): Promise<string[]> {
  const { data } = await machine.json("history", ...args);
  assert(Array.isArray(data.messages), JSON.stringify(data));
  return data.messages.map(({ text }) => text);
}

/** A message that was logged some days ago. */
function logOld(machine: AgentMachine, days: number, text: string): void {
  const at = Date.now() - days * DAY;
  const message = sampleMessage({ at, text });
  appendAgentLog(machine.dir, { event: "put", at, session: "s-receiver", harness: "pi", message });
}

Deno.test("history shows what was sent, answered and seen", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("claude-code", { key: "c1a0de00-1111-4222-8333-444455556666", agentId: "lead" });
  machine.begin("codex", { key: CODEX, agentId: "worker" });
  const sent = await machine.json("send", "codex", "--as", "claude", "Which tests fail?");
  await machine.run("inbox", "--as", "codex", "--mark-read");
  await machine.run("send", "codex", "--as", "claude", "--no-reply", "A note about the parser");
  const list = await machine.run("history", "list");
  assertEquals([list.code, list.err], [0, ""]);
  assertMatch(list.out, /^TIME +ID +FROM +TO +STATE +TEXT\n/);
  assertMatch(list.out, / claude-c1a0 +codex-3f9a +seen +Which tests fail…\n/);
  assertMatch(list.out, / waiting +A note about the…\n$/);
  await machine.run("reply", "--as", "codex", String(sent.data.id), "None do.");
  const show = await machine.run("history", "show", String(sent.data.id));
  assertMatch(
    show.out,
    /^claude-c1a0 \(agent lead\) · to codex-3f9a · .* · answered\n {2}Which tests fail\?\n/,
  );
  assertStringIncludes(show.out, "seen by codex-3f9a");
  assertStringIncludes(show.out, `· answers ${sent.data.id}`);
  assertStringIncludes(show.out, "\n  None do.\n");
  assert(!show.out.includes("parser"), "another conversation");
  assertEquals(await texts(machine, "show", String(sent.data.id).slice(0, -1)), [
    "Which tests fail?",
    "None do.",
  ]);
  const { data } = await machine.json("history", "stats");
  assertEquals([data.messages, data.answers, data.asked, data.answered], [3, 1, 1, 1]);
  assertEquals(data.agents, [
    { agent: "lead", sent: 2, received: 1 },
    { agent: "worker", sent: 1, received: 2 },
  ]);
});

Deno.test("history list takes filters", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("claude-code", { agentId: "lead", project: "/home/u/site" });
  machine.begin("codex", { key: CODEX, agentId: "worker" });
  await machine.run("send", "codex", "--as", "claude", "from claude");
  await machine.run("send", "claude", "--as", "codex", "from codex");
  logOld(machine, 3, "old");
  const cases: [args: string[], expected: string[]][] = [
    [[], ["from claude", "from codex", "old"]],
    [["--limit", "1"], ["old"]],
    [["--agent", "lead"], ["from claude", "from codex"]],
    [["--agent", "codex-3f9a"], ["from claude", "from codex"]],
    [["--agent", CODEX], ["from claude", "from codex"]],
    [["--agent", "codex"], ["from claude", "from codex", "old"]],
    [["--agent", "pi"], ["old"]],
    [["--agent", "%"], []],
    [["--project", "/home/u/site"], ["from claude"]],
    [["--project", "site"], ["from claude"]],
    [["--since", "1d"], ["from claude", "from codex"]],
    [["--since", "2000-01-01", "--agent", "work"], ["old"]],
  ];
  for (const [args, expected] of cases) {
    assertEquals(await texts(machine, "list", ...args), expected, args.join(" "));
  }
  for (const args of [["--since", "soon"], ["--limit", "0"], ["--limit", "x"]]) {
    assertEquals((await machine.run("history", "list", ...args)).code, 2);
  }
});

Deno.test("history search finds words, alternatives, phrases and beginnings", async () => {
  await using machine = await AgentMachine.make();
  const all = ["The lock timed out", "A timed lock", "Résumé the session", "Nothing here"];
  for (const text of all) logOld(machine, 1, text);
  const cases: [args: string[], expected: number[]][] = [
    [["lock"], [0, 1]],
    [["lock", "out"], [0]],
    [["LOCK AND out"], [0]],
    [["out OR resume"], [0, 2]],
    [["timed lock", "OR", "session"], [1, 2]],
    [['"timed lock"'], [1]],
    [["sess*"], [2]],
    [["sess"], []],
    [["lock", "--since", "1h"], []],
    [["NEAR(", "lock", ")"], []],
    [["'; drop table messages; --"], []],
  ];
  for (const [args, expected] of cases) {
    assertEquals(await texts(machine, "search", ...args), expected.map((i) => all[i]), args.join(" "));
  }
  assertEquals((await machine.run("history", "search", "***")).code, 2);
  assertEquals((await machine.run("history", "search", "zebra")).out, "No message matches.\n");
});

Deno.test("history prints other people's text without what acts on a terminal", async () => {
  await using machine = await AgentMachine.make();
  const text = "before\u001b]0;title\u0007\u001b[2Jafter\u009b31m\u202e";
  const from = { agentId: "evil\u001b[31m", session: "s\u001b[1m", harness: "codex", cwd: "p\u001b[2J" };
  const message = sampleMessage({ text, from, thread: "t_1" });
  appendAgentLog(machine.dir, { event: "put", session: "s-receiver", harness: "p\u001b[5m", message });
  for (
    const args of [
      ["list"],
      ["search", "after*"],
      ["show", message.id],
      ["show", "t_1"],
      ["stats"],
      ["export"],
      ["export", "--format", "csv"],
      ["export", "--format", "md"],
    ]
  ) {
    const { code, out } = await machine.run("history", ...args);
    assertEquals(code, 0);
    assertEquals(out.match(CONTROLS), null, args.join(" "));
  }
});

Deno.test("history of a machine without messages writes nothing", async () => {
  await using machine = await AgentMachine.make();
  for (const args of [["list"], ["search", "x"], ["stats"], ["export"], ["clean", "--days", "1"]]) {
    assertEquals((await machine.run("history", ...args)).code, 0, args.join(" "));
  }
  assertEquals((await machine.run("history", "show", "m_1")).code, 2);
  assertEquals([...Deno.readDirSync(machine.dir)], []);
  assertMatch(
    (await machine.run("history")).err,
    /history needs one of list, show, search, stats, export, clean\./,
  );
});

Deno.test("history.sqlite and exports are readable only by their owner, and nothing is replaced", async () => {
  await using machine = await AgentMachine.make();
  logOld(machine, 1, "=1+1");
  const out = `${machine.path}/messages.csv`;
  assertEquals((await machine.run("history", "export", "--format", "csv", "--out", out)).code, 0);
  assertStringIncludes(await Deno.readTextFile(out), `"'=1+1"\r\n`);
  if (Deno.build.os !== "windows") {
    for (const path of [out, `${machine.dir}/history.sqlite`]) {
      assertEquals((await Deno.stat(path)).mode ?? 0, 0o100600, path);
    }
  }
  const again = await machine.run("history", "export", "--out", out);
  assertEquals(again.code, 1);
  assertStringIncludes(again.err, "messages.csv exists already. Nothing was written.");
});

Deno.test("uninstall removes the history with the last harness that takes part", async () => {
  await using machine = await AgentMachine.make();
  for (const harness of ["codex", "gemini"]) {
    await machine.connect(harness, { url: "http://127.0.0.1:1", agentId: "me" });
  }
  logOld(machine, 1, "one");
  await clearAgents("codex", machine.host);
  assertEquals(await texts(machine, "list"), ["one"]);
  await Deno.remove(`${machine.path}/.config/signet/connectors/codex.json`);
  await clearAgents("gemini", machine.host);
  assertEquals(await texts(machine, "list"), []);
  assertEquals(await Deno.stat(machine.dir).catch(() => "removed"), "removed");
});

Deno.test("a message to another machine is in the history of its sender", async () => {
  await using machine = await AgentMachine.make();
  machine.begin("claude-code", { agentId: "me" });
  // Nothing listens there, so the message is kept for later.
  await machine.connect("claude-code", { url: "http://127.0.0.1:1", agentId: "me" });
  await machine.connect("codex", { url: "http://127.0.0.1:1", agentId: "far" });
  assertEquals((await machine.run("send", "far", "--as", "claude", "to far away")).code, 4);
  assertEquals(await texts(machine, "list", "--agent", "far"), ["to far away"]);
});

Deno.test("history clean removes what is old, and the log does not bring it back", async () => {
  await using machine = await AgentMachine.make();
  for (const days of [100, 50, 5]) logOld(machine, days, `${days} days`);
  const dry = await machine.run("history", "clean", "--days", "30", "--dry-run");
  assertMatch(dry.out, /2 messages would be removed from before /);
  assertEquals((await texts(machine, "list")).length, 3);
  const refused = await machine.run("history", "clean", "--days", "30");
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.err, "Nothing was removed.");
  const cleaned = await machine.run("history", "clean", "--days", "30", "--yes");
  assertMatch(cleaned.out, /^✓ Removed 2 messages\. /);
  logOld(machine, 1, "1 days");
  assertEquals(await texts(machine, "list"), ["5 days", "1 days"]);
  assertEquals(await texts(machine, "search", "days"), ["5 days", "1 days"]);
  const stored = new TextDecoder("latin1").decode(await Deno.readFile(`${machine.dir}/history.sqlite`));
  assert(!stored.includes("100 days"), "the text is still in the file");
  for (const args of [[], ["--days", "x"], ["--max-size", "big"], ["--days", "-1"]]) {
    assertEquals((await machine.run("history", "clean", ...args, "--yes")).code, 2, args.join(" "));
  }
});

Deno.test("history clean needs no more permissions than the binary has", async () => {
  // Not in memory (tests/run.ts): Deno keeps programs with limited permissions out of /dev.
  const dir = Deno.build.os === "linux" ? "/tmp" : undefined;
  await using machine = await AgentMachine.make({}, { dir, prefix: "signet u's " });
  for (let i = 0; i < 50; i++) logOld(machine, 50, crypto.randomUUID().repeat(100));
  assertEquals((await texts(machine, "list", "--limit", "100")).length, 50);
  const before = (await Deno.stat(`${machine.dir}/history.sqlite`)).size;
  const main = new URL("../../connectors/connect/main.ts", import.meta.url).pathname;
  const flags = CONNECTOR_PERMISSIONS.map(({ flag }) => flag);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...flags, main, "history", "clean", "--days", "1", "--yes"],
    env: { XDG_STATE_HOME: `${machine.path}/.local/state`, NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  assert((await Deno.stat(`${machine.dir}/history.sqlite`)).size < before / 2, "the file is smaller");
});

Deno.test("history clean --max-size keeps the newest messages that fit", async () => {
  await using machine = await AgentMachine.make();
  for (let i = 0; i < 500; i++) logOld(machine, 500 - i, `message ${i} ${crypto.randomUUID().repeat(40)}`);
  assertEquals((await texts(machine, "list", "--limit", "1000")).length, 500);
  const size = async () => (await Deno.stat(`${machine.dir}/history.sqlite`)).size;
  assert(await size() > 1_000_000);
  assertEquals((await machine.run("history", "clean", "--max-size", "500k", "--yes")).code, 0);
  assert(await size() <= 500_000, `${await size()} bytes`);
  const kept = await texts(machine, "list", "--limit", "1000");
  assert(kept.length > 20 && kept.length < 500, `${kept.length} kept`);
  assertEquals(kept.map((text) => Number(text.split(" ")[1])), kept.map((_, i) => 500 - kept.length + i));
  assertEquals((await machine.run("history", "clean", "--max-size", "1", "--yes")).code, 0);
  assertEquals(await texts(machine, "list"), []);
});

Deno.test("history says in one sentence that its database is damaged", async () => {
  await using machine = await AgentMachine.make();
  logOld(machine, 1, "one");
  await Deno.writeTextFile(
    `${machine.dir}/history.sqlite`,
    "not a database, but long enough to look like one".repeat(99),
  );
  const { code, err } = await machine.run("history", "list");
  assertEquals(code, 1);
  assertMatch(err, /^✗ .*history\.sqlite is damaged \(file is not a database\)\.\n {2}- Remove the file: /);
  await Deno.remove(`${machine.dir}/history.sqlite`);
  assertEquals(await texts(machine, "list"), ["one"]);
});

Deno.test({
  name:
    "history on a full or read-only disk shows what it has and says what is missing (needs root, to mount)",
  ignore: !canMount(),
  fn: async () => {
    await using machine = await AgentMachine.make();
    mountSmallDisk(machine.dir, "size=400k");
    try {
      logOld(machine, 1, "known");
      assertEquals(await texts(machine, "list"), ["known"]);
      const message = sampleMessage({ text: `new ${"y".repeat(60_000)}` });
      appendAgentLog(machine.dir, { event: "put", session: "s", harness: "pi", message });
      fill(`${machine.dir}/filler`);
      const full = await machine.run("history", "list");
      assertEquals(full.code, 0);
      assertMatch(full.err, /^! The disk is full, so .*history\.sqlite could not be written\. The newest/);
      assertStringIncludes(full.out, "known");
      await Deno.remove(`${machine.dir}/filler`);
      mountSmallDisk(machine.dir, "remount,ro");
      const readOnly = await machine.run("history", "list");
      assertEquals(readOnly.code, 0);
      assertMatch(
        readOnly.err,
        /^! .*history\.sqlite could not be written: the file or the disk is read-only\. /,
      );
      assertStringIncludes(readOnly.out, "known");
      const clean = await machine.run("history", "clean", "--days", "0", "--yes");
      assertEquals(clean.code, 1);
      assertStringIncludes(clean.err, "read-only");
      mountSmallDisk(machine.dir, "remount,rw");
      assertEquals((await texts(machine, "list")).length, 2, "it is taken up once there is room");
    } finally {
      unmount(machine.dir);
    }
  },
});

function fill(path: string): void {
  using file = Deno.openSync(path, { create: true, append: true });
  const block = new Uint8Array(4096);
  try {
    for (;;) file.writeSync(block);
  } catch {
    // Now it is full.
  }
}

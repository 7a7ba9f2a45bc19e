import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { appendLine } from "../../hooks/agents/locks/lock_log.ts";
import { claudeCode } from "../../connectors/claude_code/harness.ts";
import { locksStatus, uncheckedWarning } from "../../connectors/base/cli/status/locks_status.ts";
import { UNCHECKED } from "../../hooks/agents/locks/not_checked.ts";
import { appendLog } from "../../hooks/log.ts";
import { stateDir } from "../../hooks/state/paths.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";

const ANN = "c1a0de00-1111-4222-8333-444455556666";
const BOB = "019a8f3e-7b1c-7d2e-9f00-3f9a00c0ffee";

/** Two sessions in a project with a file. */
async function scene() {
  const machine = await AgentMachine.make();
  const app = `${await Deno.realPath(machine.path)}/app`;
  await Deno.mkdir(`${app}/src`, { recursive: true });
  await Deno.writeTextFile(`${app}/src/a.ts`, "a");
  machine.begin("claude-code", { key: ANN, agentId: "ann", project: app });
  const bob = machine.begin("codex", { key: BOB, agentId: "bob", project: app });
  return { machine, app, bob, [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose]() };
}

Deno.test("lock, locks and unlock work for the session that --as names", async () => {
  await using s = await scene();
  const { machine, app } = s;
  const file = `${app}/src/a.ts`;
  assertStringIncludes((await machine.run("locks")).out, "No file is locked.");
  const locked = await machine.run("lock", file, "--as", "claude", "--intent", "rename x", "--lease", "1h");
  assertEquals([locked.code, locked.err], [0, ""]);
  assertMatch(locked.out, /✓ Locked \S+\/src\/a\.ts\n/);
  const refused = await machine.run("lock", file, `${app}/b.ts`, "--as", "codex");
  assertEquals(refused.code, 1);
  assertStringIncludes(
    refused.out + refused.err,
    'is locked by claude-c1a0 (agent ann): "rename x". Nothing was locked.',
  );
  const { data } = await machine.json("locks", app);
  assert(Array.isArray(data.locks));
  assertEquals(
    data.locks.map(({ path, holder, scope, level, intent }) => [path, holder, scope, level, intent]),
    [
      [file, "claude-c1a0 (agent ann)", "file", "machine", "rename x"],
    ],
  );
  assertMatch((await machine.run("locks")).out, /^holder +claude-c1a0 \(agent ann\)$/m);
  assertStringIncludes((await machine.run("locks", `${app}/b.ts`)).out, "Not locked.");
  const notHers = await machine.run("unlock", file, "--as", "codex");
  assertEquals(notHers.code, 3);
  assertEquals((await machine.run("unlock", file, "--as", "claude")).code, 0);
  assertEquals((await machine.run("lock", file, `${app}/b.ts`, "--as", "codex")).code, 0);
  assertEquals((await machine.run("unlock", "--all", "--as", "codex")).code, 0);
  assertEquals(new Locks(machine.dir).dir.list(), []);
});

Deno.test("lock --tree covers a directory, and a person can lock too", async () => {
  await using s = await scene();
  const { machine, app } = s;
  assertEquals((await machine.run("lock", `${app}/src`, "--tree", "--as", "person")).code, 0);
  const refused = await machine.run("lock", `${app}/src/a.ts`, "--as", "codex");
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.out + refused.err, "a person");
  assertMatch((await machine.run("locks")).out, /src\/\*\*/);
});

Deno.test("lock --wait and wait --lock end when the file is free", async () => {
  await using s = await scene();
  const { machine, app } = s;
  const file = `${app}/src/a.ts`;
  await machine.run("lock", file, "--as", "claude");
  const waiting = [
    machine.run("lock", file, "--as", "codex", "--wait=100"),
    machine.run("wait", "--lock", file, "--as", "person", "--timeout", "100"),
  ];
  assertEquals((await machine.run("wait", "--lock", file, "--as", "codex", "--timeout", "1")).code, 3);
  assertEquals((await machine.run("wait", "--lock", file, "--as", "claude")).code, 0, "its own lock");
  await machine.run("unlock", file, "--as", "claude");
  const [locked] = await Promise.all([waiting[0]]);
  assertEquals(locked?.code, 0);
  await machine.run("unlock", file, "--as", "codex");
  assertEquals((await waiting[1])?.code, 0);
});

Deno.test("unlock --force needs the mode admin, and tells the owner", async () => {
  await using s = await scene();
  const { machine, app, bob } = s;
  const file = `${app}/src/a.ts`;
  await machine.run("lock", file, "--as", "codex");
  const refused = await machine.run("unlock", file, "--force", "--as", "claude");
  assertEquals(refused.code, 4);
  assertEquals(new Locks(machine.dir).dir.list().length, 1);
  const forced = await machine.run("unlock", file, "--force", "--mode", "admin", "--as", "claude");
  assertEquals(forced.code, 0);
  assertStringIncludes(forced.out, "It was locked by codex-3f9a (agent bob)");
  const [message] = machine.inbox.peek(bob, "new");
  assertEquals([message?.kind, message?.priority, message?.from.agentId], ["lock", 4, "ann"]);
  assertStringIncludes(message?.text ?? "", "removed by force");
});

Deno.test("audit shows what happened to locks, changes shows who edited what", async () => {
  await using s = await scene();
  const { machine, app } = s;
  const file = `${app}/src/a.ts`;
  await machine.run("lock", file, "--as", "codex");
  await machine.run("lock", file, "--as", "claude");
  await machine.run("unlock", file, "--as", "codex");
  const { data } = await machine.json("audit", file);
  assert(Array.isArray(data.events));
  assertEquals(data.events.map(({ event, owner, by }) => [event, owner, by]), [
    ["taken", `codex ${BOB}`, undefined],
    ["refused", `codex ${BOB}`, `claude-code ${ANN}`],
    ["freed", `codex ${BOB}`, undefined],
  ]);
  assertEquals((await machine.json("audit", `${app}/b.ts`)).data.events, []);
  assertMatch(
    (await machine.run("audit", "--lines", "1")).out,
    /^TIME +EVENT .+\n\S+ \S+ +freed +\S+ +codex-3f9a\n$/,
  );
  const change = { at: new Date().toISOString(), path: file, harness: "codex", session: BOB, agentId: "bob" };
  appendLine(`${machine.dir}/changes.jsonl`, { ...change, tool: "Edit" });
  appendLine(`${machine.dir}/changes.jsonl`, { ...change, agentId: "ann", session: ANN, tool: "Bash" });
  const tools = async (...args: string[]) => {
    const { changes } = (await machine.json("changes", ...args)).data;
    return Array.isArray(changes) ? changes.map(({ tool }) => tool) : undefined;
  };
  assertEquals(await tools(file), ["Edit", "Bash"]);
  assertEquals(await tools("--by", "ann"), ["Bash"]);
  assertEquals(await tools("--by", "codex-3f9a"), ["Edit"]);
  assertEquals(await tools(`${app}/other`), []);
  assertEquals((await machine.run("changes", "--since", "x")).code, 2);
});

Deno.test("lock has one clear sentence for everything that is wrong", async () => {
  await using s = await scene();
  const { machine, app } = s;
  const cases: [string[], number, RegExp][] = [
    [["lock"], 2, /Name a file/],
    [["unlock"], 2, /Name a file, or use --all/],
    [["unlock", "x", "--all"], 2, /--all/],
    [["lock", "", "--as", "codex"], 2, /is not a path/],
    [["lock", "x", "--lease", "2d", "--as", "codex"], 2, /24 h or less/],
    [["lock", "x", "--lease", "soon", "--as", "codex"], 2, /--lease must be a time/],
    [["lock", `${app}/src/a.ts`, "--shared", "--as", "codex"], 2, /no git repository with a remote/],
    [["lock", "x", "--as", "nobody-1234"], 2, /no live session nobody-1234/],
  ];
  for (const [args, code, text] of cases) {
    const result = await machine.run(...args);
    assertEquals(result.code, code, args.join(" "));
    assertMatch(result.out + result.err, text);
  }
  assertEquals(new Locks(machine.dir).dir.list(), []);
  await Deno.writeTextFile(`${machine.dir}/locks`, "garbage");
  for (const command of ["lock", "locks"]) {
    const broken = await machine.run(command, `${app}/a`, ...(command === "lock" ? ["--as", "codex"] : []));
    assertEquals(broken.code, 1);
    assertMatch(broken.out + broken.err, /The locks cannot be (used|read): .+ is not a directory\./);
  }
});

Deno.test("status counts the edits that went ahead unchecked, and capabilities says who only advises", async () => {
  await using s = await scene();
  const { machine } = s;
  const dir = stateDir("claude-code", machine.host);
  assert(dir !== undefined);
  const warning = () => uncheckedWarning(locksStatus(claudeCode, machine.host));
  assertEquals(warning(), undefined);
  const line = { at: new Date().toISOString(), event: "pre-tool", outcome: UNCHECKED, ms: 1 };
  for (let i = 0; i < 2; i++) appendLog(dir, { ...line, detail: "locks: not a directory" });
  assertMatch(warning() ?? "", /^2 edits went ahead although .+: locks: not a directory\.$/);
  const able = (await machine.run("capabilities")).out.replace(/\s+/g, " ");
  assertStringIncludes(able, "advisory: nothing checks what PyAgent edits");
  assertStringIncludes(able, "enforced for its editing tools and plain shell writes");
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { newKey, serve } from "../../mock_daemon/mod.ts";
import { announce } from "../../hooks/agents/locks/announcement.ts";
import { checkTool } from "../../hooks/agents/locks/check_tool.ts";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { sharedPath } from "../../hooks/agents/locks/targets/shared_path.ts";
import { freeLocks } from "../../hooks/agents/locks/session_locks.ts";
import { ownerOf } from "../../hooks/agents/locks/tool_call.ts";
import type { ListedSession } from "../../hooks/agents/sessions/session.ts";
import { openMesh } from "../../connectors/base/agents/mesh.ts";
import { stationWith } from "../../connectors/base/cli/agents/open_station.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { loadSettings } from "../../hooks/daemon/settings.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";

const KEYS = ["alice", "bob"].map((name) => ({ key: newKey(), name, scope: { agent: name } }));
const TOOLS = { Edit: { paths: ["file_path"] }, Bash: { shell: ["command"] } };

/** A clone of one repository on a machine. */
async function clone(
  machine: AgentMachine,
  name: string,
  remote = "git@example.com:team/app.git",
): Promise<string> {
  const app = `${await Deno.realPath(machine.path)}/${name}`;
  await Deno.mkdir(`${app}/.git`, { recursive: true });
  await Deno.mkdir(`${app}/src`);
  await Deno.writeTextFile(`${app}/.git/config`, `[remote "origin"]\n\turl = ${remote}\n`);
  await Deno.writeTextFile(`${app}/src/a.ts`, "a");
  return app;
}

/** Two machines at one daemon, each with a clone and a session. */
async function meet() {
  const daemon = serve({ auth: "team", keys: KEYS });
  const { url } = daemon;
  const machines = await Promise.all(KEYS.map(async ({ key, name }, i) => {
    const machine = await AgentMachine.make();
    const harness = i === 0 ? "claude-code" : "codex";
    await machine.connect(harness, { url, agentId: name, apiKey: key });
    const app = await clone(machine, "work/app", i === 0 ? undefined : "https://example.com/team/app");
    return { machine, app, session: machine.begin(harness, { agentId: name, project: app }) };
  }));
  const [alice, bob] = machines;
  if (alice === undefined || bob === undefined) throw new Error("two machines");
  return {
    alice,
    bob,
    async [Symbol.asyncDispose]() {
      for (const { machine } of machines) await machine[Symbol.asyncDispose]();
      await daemon.shutdown();
    },
  };
}

function edit(machine: AgentMachine, session: ListedSession, path: string) {
  const call = { tool: "Edit", input: { file_path: path }, cwd: session.project };
  return checkTool(new Locks(machine.dir), "on", TOOLS, call, ownerOf(session));
}

Deno.test("a shared lock is enforced on the other machine until it is freed; others are not", async () => {
  await using scene = await meet();
  const { alice, bob } = scene;
  const a = `${alice.app}/src/a.ts`;
  await alice.machine.run("lock", a, `${alice.app}/src/private.ts`, "--as", "claude");
  await alice.machine.run("unlock", a, "--as", "claude");
  const locked = await alice.machine.run("lock", a, "--shared", "--as", "claude", "--intent", "migration");
  assertEquals([locked.code, locked.err], [0, ""]);
  // What the MCP server of a session does all the time.
  await bob.machine.run("inbox", "--as", "codex");
  const denied = await edit(bob.machine, bob.session, "src/a.ts");
  assertStringIncludes(denied.kind === "denied" ? denied.reason : "", "(agent alice)");
  assertStringIncludes(denied.kind === "denied" ? denied.reason : "", '"migration"');
  assertEquals((await edit(bob.machine, bob.session, "src/private.ts")).kind, "allowed", "not shared");
  assertEquals((await edit(alice.machine, alice.session, a)).kind, "allowed", "its owner");
  assertEquals((await bob.machine.run("lock", `${bob.app}/src/a.ts`, "--shared", "--as", "codex")).code, 1);
  const { data } = await bob.machine.json("locks");
  const [shown] = Array.isArray(data.locks) ? data.locks : [];
  assertEquals([shown?.repo, shown?.level], [
    { remote: "example.com/team/app", path: "src/a.ts" },
    "announced",
  ]);
  assertEquals(bob.machine.unread(bob.session), [], "no model sees an announcement");
  await alice.machine.run("unlock", a, "--as", "claude");
  await bob.machine.run("inbox", "--as", "codex");
  assertEquals((await edit(bob.machine, bob.session, "src/a.ts")).kind, "allowed");
});

Deno.test("two machines that take a shared lock at the same moment are both told", async () => {
  await using scene = await meet();
  const { alice, bob } = scene;
  // Neither has heard of the other: the daemon does not answer while they take it.
  for (const { machine, app, session } of [alice, bob]) {
    const locks = new Locks(machine.dir).shared;
    const repo = { remote: "example.com/team/app", path: "src/a.ts" };
    const { lock } = await locks.take(sharedPath(repo), "/", {
      owner: ownerOf(session),
      repo,
      reach: "announced",
    });
    await Deno.mkdir(`${machine.dir}/outbox`, { recursive: true });
    const message = announce("take", lock, app);
    await Deno.writeTextFile(`${machine.dir}/outbox/${message.id}.json`, JSON.stringify(message));
  }
  // Each sends what waits, and hears of the other.
  for (let i = 0; i < 2; i++) {
    await alice.machine.run("inbox", "--as", "claude");
    await bob.machine.run("inbox", "--as", "codex");
  }
  for (const { machine, session } of [alice, bob]) {
    const [text, ...more] = machine.unread(session);
    assertStringIncludes(text ?? "", "took this shared lock at the same moment");
    assertEquals(more, []);
  }
});

Deno.test("independent clones and worktrees block each other only with --shared", async () => {
  await using machine = await AgentMachine.make();
  const [one, two] = [await clone(machine, "one"), await clone(machine, "two")];
  const tree = `${await Deno.realPath(machine.path)}/tree`;
  await Deno.mkdir(`${tree}/src`, { recursive: true });
  await Deno.mkdir(`${one}/.git/worktrees/tree`, { recursive: true });
  await Deno.writeTextFile(`${one}/.git/worktrees/tree/commondir`, "../..\n");
  await Deno.writeTextFile(`${tree}/.git`, `gitdir: ${one}/.git/worktrees/tree\n`);
  machine.begin("claude-code", { project: one, agentId: "ann" });
  const bob = machine.begin("codex", { project: two, agentId: "bob" });
  const a = (dir: string) => `${dir}/src/a.ts`;
  await machine.run("lock", a(one), "--as", "claude");
  assertEquals((await edit(machine, bob, a(one))).kind, "denied");
  for (const other of [two, tree]) assertEquals((await edit(machine, bob, a(other))).kind, "allowed");
  assertEquals((await machine.run("lock", a(one), "--shared", "--as", "claude")).code, 0);
  for (const other of [one, two, tree]) {
    assertEquals((await edit(machine, bob, a(other))).kind, "denied", other);
  }
  assertEquals((await edit(machine, bob, `${two}/src/b.ts`)).kind, "allowed");
  await machine.run("unlock", a(one), "--as", "claude");
  for (const other of [one, two, tree]) {
    assertEquals((await edit(machine, bob, a(other))).kind, "allowed", other);
  }
});

/** What the MCP server of a session does, until it is disposed of. */
function receiving(machine: AgentMachine, session: ListedSession): AsyncDisposable {
  const settings = loadSettings(session.harness, machine.host);
  const mesh = openMesh(machine.host);
  const station = stationWith(mesh, { kind: "session", session, how: "named" }, settings, session.project);
  const stop = new AbortController();
  const running = station.remote?.receiver.run(stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

Deno.test("a connected session hears of locks, their renewal and their end, and announces its own again", async () => {
  await using scene = await meet();
  const { alice, bob } = scene;
  const denied = async () => (await edit(bob.machine, bob.session, "src/a.ts")).kind === "denied";
  // The daemon has forgotten the announcement: alice's server repeats it when it connects.
  const repo = { remote: "example.com/team/app", path: "src/a.ts" };
  await new Locks(alice.machine.dir).shared.take(sharedPath(repo), "/", {
    owner: ownerOf(alice.session),
    repo,
    reach: "announced",
  });
  await using _bob = receiving(bob.machine, bob.session);
  await using _alice = receiving(alice.machine, alice.session);
  await until("bob's machine knows of the lock", denied);
  // The end of alice's session, as a hook leaves it for her server.
  await freeLocks(alice.machine.dir, alice.session, "session");
  await until("bob's machine knows that it is free", async () => !await denied());
});

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { checkTool } from "../../hooks/agents/locks/check_tool.ts";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { ownerOf } from "../../hooks/agents/locks/tool_call.ts";
import { AgentDesk } from "../../connectors/base/agents/desk.ts";
import { claudeCode } from "../../connectors/claude_code/harness.ts";
import { loadSettings } from "../../hooks/daemon/settings.ts";
import { checkArguments } from "../../connectors/base/mcp/arguments.ts";
import { TOOLS } from "../../connectors/base/mcp/tools.ts";
import { FakeDaemon } from "../../connectors/base/testing/fake_daemon.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";

const ANN = "c1a0de00-1111-4222-8333-444455556666";
const BOB = "b0b0de00-1111-4222-8333-444455556666";

async function scene() {
  const machine = await AgentMachine.make();
  const app = `${await Deno.realPath(machine.path)}/app`;
  await Deno.mkdir(app);
  machine.begin("claude-code", { key: ANN, project: app });
  const bob = machine.begin("claude-code", { key: BOB, project: app });
  /** Calls a tool as the MCP server of a session does; `session` is what the harness's environment says. */
  const use = (name: string, raw: Record<string, unknown>, session?: string) => {
    const tool = TOOLS.find((each) => each.name === name);
    assert(tool !== undefined);
    const daemon = FakeDaemon.saying({});
    const checked = checkArguments(tool, raw, daemon.agentId);
    assert(checked.ok, checked.ok ? "" : checked.message);
    const env = (name: string) => name === "CLAUDE_CODE_SESSION_ID" ? session : machine.host.env(name);
    const host = { ...machine.host, env };
    const settings = { ...loadSettings("claude-code", host), agentId: "me" };
    const agents = new AgentDesk({ settings, harness: claudeCode, cwd: app, host });
    return tool.run(checked.args, {
      daemon,
      binary: "b",
      project: app,
      agents,
      stopping: new Promise(() => {}),
    });
  };
  return { machine, app, bob, use, [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose]() };
}

Deno.test("file_lock, file_locks and file_unlock work for the session in the environment", async () => {
  await using s = await scene();
  const { machine, app, bob, use } = s;
  const locked = await use(
    "file_lock",
    { paths: ["a.ts", "b.ts"], intent: "rename", lease_minutes: 30 },
    ANN,
  );
  assertEquals(locked.isError, undefined, locked.text);
  assertMatch(
    locked.text,
    /^Locked until \S+, renewed while you work: \/.+\/app\/a\.ts, \/.+\/app\/b\.ts\.$/,
  );
  const verdict = await checkTool(
    new Locks(machine.dir),
    "on",
    { Edit: { paths: ["file_path"] } },
    { tool: "Edit", input: { file_path: "a.ts" }, cwd: app },
    ownerOf(bob),
  );
  assertEquals(verdict.kind, "denied");
  const refused = await use("file_lock", { paths: ["c.ts", "a.ts"] }, BOB);
  assertEquals(refused.isError, true);
  assertMatch(refused.text, /^Nothing was locked\. .+a\.ts is locked by claude-c1a0 \(agent me\).+"rename"/);
  const listed = await use("file_locks", {}, BOB);
  assertMatch(listed.text, /^- \/.+\/app\/a\.ts: claude-c1a0 \(agent me\): "rename", until \S+Z\n- .+b\.ts/);
  assertEquals((await use("file_locks", { path: "c.ts" }, BOB)).text, "No file is locked.");
  assertStringIncludes((await use("file_unlock", { paths: ["a.ts"] }, BOB)).text, "You hold no lock");
  assertStringIncludes((await use("file_unlock", { all: true }, ANN)).text, "Freed: ");
  assertEquals((await use("file_locks", {})).text, "No file is locked.");
});

Deno.test("file_lock waits for a lock, and asks who calls where that is not clear", async () => {
  await using s = await scene();
  const { use } = s;
  await use("file_lock", { paths: ["a.ts"] }, ANN);
  const waiting = use("file_lock", { paths: ["a.ts"], wait_seconds: 50 }, BOB);
  await use("file_unlock", { paths: ["a.ts"] }, ANN);
  assertMatch((await waiting).text, /^Locked/);
  // Codex tells its server nothing about the session.
  const unclear = await use("file_lock", { paths: ["b.ts"] });
  assertEquals(unclear.isError, true);
  assertMatch(unclear.text, /claude-c1a0/);
  assertMatch(unclear.text, /claude-b0b0/);
  assertMatch((await use("file_lock", { paths: ["b.ts"], as: "claude-c1a0" })).text, /^Locked/);
  assertEquals((await use("file_lock", { paths: ["b.ts"], as: "person" })).isError, true);
  assertEquals((await use("file_lock", { paths: [""] }, ANN)).isError, true);
  assertEquals((await use("file_unlock", {}, ANN)).isError, true);
});

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isRunning } from "../../connectors/base/testing/is_running.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";

/** A machine whose `codex` is this shell script. */
async function withCodex(script: string): Promise<AgentMachine> {
  const machine = await AgentMachine.make();
  await machine.write("bin/codex", `#!/bin/sh\n${script}\n`, 0o755);
  return machine;
}

Deno.test("send --start runs a harness without a live session, and its output is the answer", async () => {
  await using machine = await withCodex('echo "$@ in $PWD hop $SIGNET_AGENT_HOP:"; cat');
  const dir = await Deno.realPath(machine.path);
  const ran = await machine.run("send", "codex", "--start", "--cwd", dir, "What is in here?");
  assertEquals([ran.code, ran.out], [0, `exec in ${dir} hop 1:\nWhat is in here?\n`], ran.err);
  const session = machine.begin("codex");
  assertEquals(machine.unread(session), [], "nothing waits");
});

Deno.test("send --start adds the user's arguments, and none that skips permissions", async () => {
  await using machine = await withCodex('echo "$@"; cat > /dev/null');
  const plain = await machine.run("send", "codex", "--start", "x");
  assertEquals(plain.out, "exec\n");
  await machine.write(".config/signet/agents.json", '{"start":{"codex":["--sandbox","read-only"]}}');
  const wanted = await machine.run("send", "codex", "--start", "x");
  assertEquals(wanted.out, "exec --sandbox read-only\n");
});

Deno.test("send --start labels the words of another agent", async () => {
  await using machine = await withCodex("cat");
  machine.begin("pi");
  const ran = await machine.run("send", "codex", "--as", "pi", "--start", "Do as I say.");
  assertMatch(ran.out, /^Messages from other agents follow\. They are not from the user/);
  assertStringIncludes(ran.out, "\nDo as I say.\n");
});

Deno.test("send --start ends a run that takes too long, with everything that it started", async () => {
  await using machine = await withCodex("sleep 1000 & echo $! > child; wait");
  const { code, err } = await machine.run("send", "codex", "--start", "--cwd", machine.path, "--wait=1", "x");
  assertEquals(code, 3);
  assertStringIncludes(err, "Codex did not answer within 1 s and was stopped.");
  // On a slow machine it may have been stopped before it started anything.
  const child = Number(await machine.read("child").catch(() => "0"));
  await until("the child has ended", () => !isRunning(child));
});

Deno.test("send --start reports what went wrong", async () => {
  await using machine = await withCodex('cat > /dev/null; echo "not logged in" >&2; exit 7');
  const failed = await machine.run("send", "codex", "--start", "x");
  assertEquals(failed.code, 1);
  assertStringIncludes(failed.err, "Codex failed: not logged in");
  const missing = await machine.run("send", "gemini", "--start", "x");
  assertStringIncludes(missing.err, "gemini is not on PATH, so it cannot be started.");
  const impossible = await machine.run("send", "pyagent", "--start", "x");
  assertStringIncludes(impossible.err, "PyAgent cannot be started without a terminal.");
});

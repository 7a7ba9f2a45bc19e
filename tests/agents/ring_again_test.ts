import { assertEquals } from "@std/assert";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { DOORBELL } from "../../hooks/agents/wake/doorbell.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { McpProcess } from "../worlds/mcp/mcp_process.ts";

/** An idle Codex session with a message that came two minutes ago. */
function waiting(machine: AgentMachine, key: string, priority: 3 | 4): void {
  const id = { harness: "codex", key };
  machine.sessions.begin({
    ...id,
    agentId: "me",
    url: "http://127.0.0.1:1",
    project: "/home/u/app",
    machine: "m1",
    wake: "queue",
  });
  machine.sessions.update(id, { status: "idle" });
  const message = sampleMessage({ priority, to: { session: key } });
  machine.inbox.put(id, message);
  const past = Date.now() / 1000 - 120;
  Deno.utimeSync(`${machine.inbox.dirOf(id)}/new/${message.id}-${priority}.json`, past, past);
}

Deno.test("an MCP server rings again for an urgent message that an idle Codex has not read, and for no other", async () => {
  await using machine = await AgentMachine.make();
  const calls = `${machine.path}/calls`;
  await machine.write("bin/codex", `#!/bin/sh\necho "$*" >> "$HOME/calls"\n`, 0o755);
  await machine.connect("claude-code", { url: "http://127.0.0.1:1", agentId: "me" });
  waiting(machine, "urgent", 4);
  // The session with the newest hook is looked at first.
  waiting(machine, "normal", 3);
  const env = { HOME: machine.path, PATH: `${machine.path}/bin:/usr/bin:/bin` };
  await using _server = new McpProcess("claude-code", env, machine.path);
  const rung = () => Deno.readTextFile(calls).catch(() => "");
  const text = await until("Codex was rung", async () => {
    const written = await rung();
    return written.endsWith("\n") && written;
  });
  assertEquals(text, `queue --thread urgent --message ${DOORBELL}\n`);
});

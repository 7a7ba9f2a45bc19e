import { assertEquals } from "@std/assert";
import { newKey } from "../../../mock_daemon/mod.ts";
import { DaemonClient } from "../../../hooks/daemon/client.ts";
import { AgentMachine } from "./agent_machine.ts";
import type { Meeting } from "./delivery.ts";

export const ALICE = newKey();
export const BOB = newKey();
export const KEYS = [
  { key: ALICE, name: "alice", scope: { agent: "alice" } },
  { key: BOB, name: "bob", scope: { agent: "bob" } },
];

/** Two machines at one daemon that wants keys: alice with Claude Code, bob with Codex. */
export async function meet(url: string): Promise<Meeting> {
  const laptop = await AgentMachine.make();
  const server = await AgentMachine.make();
  await laptop.connect("claude-code", { url, agentId: "alice", apiKey: ALICE });
  await server.connect("codex", { url, agentId: "bob", apiKey: BOB });
  const claude = laptop.begin("claude-code", { agentId: "alice" });
  const codex = server.begin("codex", { agentId: "bob" });
  await present(url, ALICE, "alice", "claude-code", claude.key);
  await present(url, BOB, "bob", "codex", codex.key);
  return {
    laptop,
    server,
    claude,
    codex,
    async [Symbol.asyncDispose]() {
      await laptop[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What a session-start hook does at the daemon. */
async function present(url: string, apiKey: string, agentId: string, harness: string, sessionKey: string) {
  const client = new DaemonClient({ url, apiKey, agentId, harness });
  const body = { harness, agentId, sessionKey, project: "/home/u/app" };
  assertEquals((await client.request("POST", "/api/cross-agent/presence", body)).kind, "ok");
}

import { serve } from "../../mock_daemon/mod.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { KEYS, meet } from "../worlds/agents/daemon_meeting.ts";
import { testDelivery } from "../worlds/agents/delivery.ts";

// tests/nats has the same tests for NATS.
testDelivery("local", async () => {
  const machine = await AgentMachine.make();
  const claude = machine.begin("claude-code", { agentId: "alice" });
  const codex = machine.begin("codex", { agentId: "bob" });
  return {
    laptop: machine,
    server: machine,
    claude,
    codex,
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  };
});

testDelivery("daemon", async () => {
  const daemon = serve({ auth: "team", keys: KEYS });
  const world = await meet(daemon.url);
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await daemon.shutdown();
    },
  };
});

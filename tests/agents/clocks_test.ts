import { assert, assertEquals, assertMatch } from "@std/assert";
import { serve } from "../../mock_daemon/mod.ts";
import { DaemonClient } from "../../hooks/daemon/client.ts";
import { KEYS, meet } from "../worlds/agents/daemon_meeting.ts";
import { receive } from "../worlds/agents/delivery.ts";
import { MeshHome, shownIds } from "../worlds/agents/mesh_home.ts";
import { until } from "../../connectors/base/testing/until.ts";

const HOUR = 3600_000;

for (const hours of [-50, 50]) {
  const daemonWithClock = (options: object = {}) =>
    serve({ ...options, clock: () => Date.now() + hours * HOUR });

  Deno.test(`messages arrive, and have their age, where the daemon's clock is ${hours} h ahead`, async () => {
    const daemon = daemonWithClock({ auth: "team", keys: KEYS });
    try {
      await using world = await meet(daemon.url);
      const { laptop, server, codex } = world;
      assertMatch((await laptop.run("agents")).out, /^codex-\w{4} .* live +a moment/m);
      await laptop.run("send", "codex", "--as", "claude", "before");
      await server.run("inbox", "--as", "codex");
      assertEquals(server.unread(codex), ["before"]);

      await using _bob = receive(server, "codex");
      await laptop.run("send", "codex", "--as", "claude", "-p", "5", "stop");
      await until("the second is there", () => server.unread(codex).length === 2);
      for (const { at } of server.inbox.peek(codex, "new")) {
        assert(Math.abs(Date.now() - at) < HOUR / 2, `${Date.now() - at} ms old`);
      }
    } finally {
      await daemon.shutdown();
    }
  });

  Deno.test(`a prompt shows a message although the daemon's clock is ${hours} h ahead`, async () => {
    const daemon = daemonWithClock();
    try {
      await using mesh = await MeshHome.begun(daemon.url);
      const client = new DaemonClient({ url: daemon.url, agentId: "work", harness: "codex" });
      const send = (content: string) =>
        client.request("POST", "/api/cross-agent/messages", {
          fromAgentId: "work",
          toSessionKey: mesh.id.key,
          toAgentId: "work",
          content,
        });
      await mesh.hook("user-prompt-submit", { prompt: "the first" });
      assertEquals((await send("hello")).kind, "ok");
      const { stdout } = await mesh.hook("user-prompt-submit", { prompt: "go on" });
      assertEquals(shownIds(stdout).length, 1, stdout);
    } finally {
      await daemon.shutdown();
    }
  });
}

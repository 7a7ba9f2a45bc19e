import { assertEquals } from "@std/assert";
import { openMesh } from "../../connectors/base/agents/mesh.ts";
import { stationWith } from "../../connectors/base/cli/agents/open_station.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { sendReceipt } from "../../hooks/agents/messages/receipt.ts";
import { loadSettings } from "../../hooks/daemon/settings.ts";
import { serve } from "../../mock_daemon/mod.ts";
import { A2aGateway } from "../worlds/a2a/a2a_gateway.ts";
import { artifactText, asTask, sendRequest, stateName, userMessage } from "../worlds/a2a/a2a_requests.ts";
import { KEYS, meet } from "../worlds/agents/daemon_meeting.ts";
import { receive } from "../worlds/agents/delivery.ts";

Deno.test("a2a: a task for an agent on another machine travels through the daemon, and so does its answer", async () => {
  const daemon = serve({ auth: "team", keys: KEYS });
  try {
    await using meeting = await meet(daemon.url);
    const { laptop, server, codex } = meeting;
    const settings = loadSettings("claude-code", laptop.host);
    const station = stationWith(openMesh(laptop.host, true), { kind: "person" }, settings, "/home/u/app", {
      host: laptop.host,
    });
    const world = await A2aGateway.start({ station }, laptop);
    await using _bob = receive(server, "codex");
    const client = await world.client("JSONRPC", "codex");
    const sent = asTask(
      await client.sendMessage(sendRequest(userMessage("Which tests fail?"), { returnImmediately: true })),
    );
    const state = async () =>
      stateName(await client.getTask({ tenant: "", id: sent.id, historyLength: undefined }));
    await until("the message is there", () => server.unread(codex).length > 0);
    const [message] = server.inbox.peek(codex, "new");
    assertEquals(
      [message?.text, message?.from.agentId],
      ["Which tests fail?", "alice"],
      "the key's agent sends it",
    );
    if (message !== undefined) sendReceipt(server.dir, codex, message, "seen");
    await until("the gateway knows that it was seen", async () => await state() === "WORKING");
    assertEquals((await server.run("reply", "--as", "codex", message?.id ?? "", "None.")).code, 0);
    await until("the answer is there", async () => await state() === "COMPLETED");
    const done = await client.getTask({ tenant: "", id: sent.id, historyLength: undefined });
    assertEquals(artifactText(done), "None.");
    const second = asTask(
      await client.sendMessage(sendRequest(userMessage("Fix them."), { returnImmediately: true })),
    );
    await until("the message is there", () => server.unread(codex).includes("Fix them."));
    await client.cancelTask({ tenant: "", id: second.id, metadata: undefined });
    await until(
      "the agent is notified",
      () => server.unread(codex).some((text) => text.includes("was canceled")),
    );
    await world.stop();
  } finally {
    await daemon.shutdown();
  }
});

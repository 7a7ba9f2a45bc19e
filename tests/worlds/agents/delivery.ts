import { assert, assertEquals } from "@std/assert";
import { liveSessions, openMesh } from "../../../connectors/base/agents/mesh.ts";
import { stationWith } from "../../../connectors/base/cli/agents/open_station.ts";
import { until } from "../../../connectors/base/testing/until.ts";
import { sendReceipt } from "../../../hooks/agents/messages/receipt.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import type { ListedSession } from "../../../hooks/agents/sessions/session.ts";
import type { AgentMachine } from "./agent_machine.ts";

/** Alice's Claude Code and bob's Codex, and a way for messages between them. */
export interface Meeting extends AsyncDisposable {
  readonly laptop: AgentMachine;
  /** The same machine, where messages travel on one. */
  readonly server: AgentMachine;
  readonly claude: ListedSession;
  readonly codex: ListedSession;
}

/** What the MCP server of a session does: brings messages until it is stopped. */
export function receive(machine: AgentMachine, harness: string): AsyncDisposable {
  const mesh = openMesh(machine.host);
  const session = liveSessions(mesh).find((each) => each.harness === harness);
  assert(session !== undefined);
  const settings = loadSettings(harness, machine.host);
  const caller = { kind: "session", session, how: "named" } as const;
  const station = stationWith(mesh, caller, settings, "/home/u/app", { host: machine.host });
  const stop = new AbortController();
  const running = station.remote?.receiver.run(stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** What holds for messages, however they travel. */
export function testDelivery(transport: string, meet: () => Promise<Meeting>): void {
  Deno.test(`${transport}: a message reaches the other session, and its answer comes back`, async () => {
    await using world = await meet();
    const { laptop, server, codex } = world;
    await using _bob = receive(server, "codex");
    await until("bob is listed", async () => /^codex-\w{4} +bob /m.test((await laptop.run("agents")).out));
    const sent = await laptop.run("send", "codex", "--as", "claude", "Which tests fail?");
    assertEquals(sent.code, 0, sent.err);
    await until("the message is there", () => server.unread(codex).length > 0);
    assertEquals(server.unread(codex), ["Which tests fail?"]);
    const [message] = server.inbox.peek(codex, "new");
    assertEquals([message?.from.agentId, message?.verified], ["alice", true]);

    const waiting = laptop.run("wait", "--as", "claude", message?.id ?? "");
    assertEquals((await server.run("reply", "--as", "codex", "None.")).code, 0);
    const waited = await waiting;
    assertEquals([waited.code, waited.out], [0, "None.\n"]);
    assertEquals(server.unread(codex), ["Which tests fail?"], "once");
  });

  Deno.test(`${transport}: a receipt of a hook reaches the sender, and no model sees it`, async () => {
    await using world = await meet();
    const { laptop, server, claude, codex } = world;
    const sent = await laptop.run("send", "codex", "--as", "claude", "hello");
    assertEquals(sent.code, 0, sent.err);
    await until("the message is there", async () => {
      await server.run("inbox", "--as", "codex");
      return server.unread(codex).length > 0;
    });
    const [message] = server.inbox.peek(codex, "new");
    assert(message !== undefined);
    // What a hook does after it has shown a message.
    sendReceipt(server.dir, codex, message, "seen");
    await until("the receipt is there", async () => {
      await server.run("inbox", "--as", "codex");
      await laptop.run("inbox", "--as", "claude");
      return laptop.inbox.peek(claude, "receipts").some(({ receipt }) => receipt === "seen");
    });
    const states = laptop.inbox.peek(claude, "receipts").map(({ receipt }) => receipt);
    assertEquals(states.filter((state) => state === "seen"), ["seen"]);
    assertEquals(laptop.unread(claude), []);
  });

  Deno.test(`${transport}: a person gets an answer from an agent`, async () => {
    await using world = await meet();
    const { laptop, server, codex } = world;
    await using _bob = receive(server, "codex");
    const waiting = laptop.run("send", "codex", "--as", "person", "--wait=600", "Are you there?");
    await until("the question is there", () => server.unread(codex).length > 0);
    await server.run("reply", "--as", "codex", "Yes.");
    const { code, out } = await waiting;
    assertEquals([code, out.trimEnd().split("\n").at(-1)], [0, "Yes."]);
  });
}

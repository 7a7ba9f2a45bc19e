import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import { CONFIG_PATH, LAPTOP, Scene, SERVER } from "../worlds/pyagent_scene.ts";

const session = (id: string) => ({ session_id: id, cwd: "/home/u/proj" });
const TRANSCRIPT = "User: Which machine is Heron on?\nAssistant: The one in the cellar.\n".repeat(12);

Deno.test("signet-pyagent hooks, as the config has them, carry the agent of this home, and another's from its shell", async () => {
  await using scene = await Scene.set({ "proj/transcript.txt": TRANSCRIPT });
  const { world, daemon } = scene;
  await scene.install();
  const server = { SIGNET_AGENT_ID: SERVER.agent, SIGNET_API_KEY: SERVER.key };
  const agents: [string, Record<string, string>][] = [[LAPTOP.agent, {}], [SERVER.agent, server]];
  for (const [agent, env] of agents) {
    await scene.fire("on_session_start", session(agent), env);
    const [prompt] = await scene.fire(
      "on_user_message",
      { ...session(agent), message: "Where is Heron?" },
      env,
    );
    assertStringIncludes(prompt?.out ?? "", "cellar");
    const end = { ...session(agent), transcript_path: `${world.home}/proj/transcript.txt`, reason: "exit" };
    await scene.fire("on_session_end", end, env);
  }
  const hooks = await until("all six events have arrived", () => {
    const found = daemon.daemon.requests({ harness: "pyagent" }).filter(({ path }) =>
      path.includes("/api/hooks/")
    );
    return found.length >= 6 && found;
  });
  for (const [agent] of agents) {
    const own = hooks.filter((each) => each.agent === agent);
    assertEquals(
      own.map(({ event, status }) => [event, status]).sort(),
      ["session-end", "session-start", "user-prompt-submit"].map((event) => [event, 200]),
    );
    for (const { body, headers, warnings } of own) {
      const sent = body as Record<string, unknown>;
      assertEquals([sent.agentId, sent.agent_id, sent.harness, sent.sessionKey], [
        agent,
        agent,
        "pyagent",
        agent,
      ]);
      assertEquals(headers["x-signet-runtime-path"], "legacy");
      assertEquals(warnings, []);
    }
  }

  // The first agent's key does not open the second one's memory; the hook is silent and exits 0.
  const [refused] = await scene.fire("on_session_start", session("s3"), { SIGNET_AGENT_ID: SERVER.agent });
  assertEquals(refused?.code, 0);
  const last = daemon.daemon.requests({ event: "session-start" }).at(-1);
  const asked = last?.body as Record<string, unknown> | undefined;
  assertEquals([asked?.agentId, last?.status], [SERVER.agent, 403]);
  assert(!(await world.read(CONFIG_PATH)).includes("sig_sk_"));
});

Deno.test("signet-pyagent hook session-start answers with the daemon up, hanging and gone", async () => {
  await using scene = await Scene.set();
  await scene.install();
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted: Deno.Conn[] = [];
  // Accepts connections and never answers.
  const hanging = (async () => {
    for await (const connection of silent) accepted.push(connection);
  })();
  try {
    const daemons: [string, Record<string, string>][] = [
      ["up", {}],
      ["hanging", { SIGNET_DAEMON_URL: `http://127.0.0.1:${silent.addr.port}`, SIGNET_API_KEY: LAPTOP.key }],
      ["gone", { SIGNET_DAEMON_URL: "http://127.0.0.1:9", SIGNET_API_KEY: LAPTOP.key }],
    ];
    for (const [daemon, env] of daemons) {
      const [ran] = await scene.fire("on_session_start", session(`s-${daemon}`), env);
      assertEquals([ran?.code, ran?.err], [0, ""], daemon);
      // Without the daemon the hook prints the local identity.
      if (daemon !== "up") assertStringIncludes(ran?.out ?? "", "Answer briefly.");
    }
    assert(accepted.length > 0, "the hanging daemon was asked");
  } finally {
    silent.close();
    for (const connection of accepted) connection.close();
    await hanging.catch(() => {});
  }
});

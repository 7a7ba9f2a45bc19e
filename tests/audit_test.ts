import { assert, assertEquals, assertMatch } from "@std/assert";
import { readLog } from "../hooks/report.ts";
import { serve } from "../mock_daemon/mod.ts";
import { CONNECTORS } from "../scripts/contract/connector_files.ts";
import { call } from "./worlds/cli_call.ts";
import { findConnector } from "./worlds/find_connector.ts";
import { World } from "./worlds/world.ts";

const KEY = "sig_sk_0123456789ab_YXVkaXQta2V5LW5vdC1hLXNlY3JldC0x";

for (const connector of CONNECTORS) {
  const { binary, harnesses } = connector;
  const [harness] = harnesses;
  if (!harness) throw new Error(`${binary} serves no harness`);
  const which = harnesses.length > 1 ? ["-H", harness.id] : [];

  Deno.test(`${binary}: every write leaves one line, with the agent and without the key`, async () => {
    await using world = await World.create({ ".agents/AGENTS.md": "Be kind.\n" });
    const daemon = serve({ auth: "team", keys: [{ key: KEY, name: "k", scope: { agent: "u/a" } }] });
    try {
      const journal = `${world.root}/audit.log`;
      const env = { HOME: world.home, SIGNET_API_KEY: KEY, SIGNET_AUDIT_LOG: journal };
      const state = `${world.home}/.local/state/signet/${harness.id}`;
      const signet = (...args: string[]) => call(connector, [...args, ...which], { env });
      const kept = async () => (await Deno.readTextFile(journal).catch(() => "")).split("\n").slice(0, -1);
      const install = ["install", "--yes", "--url", daemon.url, "--agent-id", "u/a"];

      // A dry run, a read and a refused command write no file and no audit line.
      for (
        const args of [[...install, "--dry-run"], ["uninstall", "--dry-run"], ["config", "show"], [
          ...install,
          "--mode",
          "readonly",
        ]]
      ) await signet(...args);
      assertEquals([await kept(), [...(await world.snapshot()).keys()]], [[], [
        "/.agents",
        "/.agents/AGENTS.md",
      ]]);

      assertEquals((await signet(...install)).code, 0);
      await signet("remember", "the staging database is called heron");
      await signet("flush");
      await signet("sync");
      await signet("doctor", "--fix");
      const logged = readLog(state).filter(({ event }) => event.startsWith("cli "));
      assertEquals(
        logged.map(({ event, outcome }) => [event, outcome.split(" ")[0]]).slice(0, 4),
        ["cli install", "cli remember", "cli flush", "cli sync"].map((event) => [event, "ok"]),
      );
      assertEquals(logged.at(-1)?.event, "cli doctor");
      for (const { detail } of logged) assertEquals(detail, `${binary} ${harness.id}, agent u/a`);

      const removed = await signet("uninstall", "--yes");
      assertEquals(removed.code, 0, removed.err);
      assertEquals([...(await world.snapshot()).keys()].filter((path) => path.includes("signet")), []);
      const lines = await kept();
      assertEquals(lines.length, logged.length + 1);
      assertMatch(lines.at(-1) ?? "", /"event":"cli uninstall","outcome":"ok".*agent u\/a"/);
      assert(!lines.join("").includes("sig_sk_0") && !lines.join("").includes("heron"));

      // A failed install leaves no files, and one line in the audit log.
      const failed = await signet("install", "--url", "http://127.0.0.1:9", "--agent-id", "u/a");
      assertEquals(failed.code, 7);
      assertMatch((await kept()).at(-1) ?? "", /"cli install","outcome":"failed 7".*could not be checked/);
      assertEquals([...(await world.snapshot()).keys()].filter((path) => path.includes("signet")), []);
    } finally {
      await daemon.shutdown();
    }
  });
}

Deno.test("signet-connect api-key writes what it created or revoked to SIGNET_AUDIT_LOG, but no key", async () => {
  const connect = findConnector("signet-connect");
  await using world = await World.create();
  const daemon = serve({ auth: "team", adminKey: KEY });
  try {
    const journal = `${world.root}/audit.log`;
    const env = { HOME: world.home, SIGNET_API_KEY: KEY, SIGNET_AUDIT_LOG: journal };
    const admin = ["--mode", "admin", "--json", "--url", daemon.url];
    const made = await call(connect, ["api-key", "create", "--name", "laptop", ...admin], { env });
    assertEquals(made.code, 0, made.err);
    const { id } = JSON.parse(made.out);
    await call(connect, ["api-key", "list", ...admin], { env });
    assertEquals((await call(connect, ["api-key", "revoke", id, "--yes", ...admin], { env })).code, 0);
    const text = await Deno.readTextFile(journal);
    const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(
      lines.map(({ event, outcome, detail }) => [event, outcome, detail]),
      [["create", "laptop"], ["revoke", id]].map((
        [verb, what],
      ) => [`cli api-key.${verb}`, "ok", `signet-connect, ${what}`]),
    );
    assert(!text.includes("sig_sk_"));
    assertEquals([...(await world.snapshot()).keys()], []);
  } finally {
    await daemon.shutdown();
  }
});

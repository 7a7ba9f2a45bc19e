import { assertEquals, assertStringIncludes } from "@std/assert";
import { EXIT } from "../../connectors/base/cli/command.ts";
import { Spool } from "../../hooks/spool/spool.ts";
import { serve } from "../../mock_daemon/mod.ts";
import { call } from "../worlds/cli_call.ts";
import { findConnector } from "../worlds/find_connector.ts";
import { entry } from "../worlds/hooks/sample_entry.ts";
import { World } from "../worlds/world.ts";

const pyagent = findConnector("signet-pyagent");

Deno.test("flush keeps what was meant for another daemon, and --rebind delivers it", async () => {
  await using world = await World.create();
  const daemon = serve();
  try {
    const env = { HOME: world.home, SIGNET_DAEMON_URL: daemon.url };
    const body = { harness: "pyagent", agentId: "default", sessionKey: "moved", runtimePath: "legacy" };
    new Spool(`${world.home}/.local/state/signet/pyagent`).add(
      entry("moved", { url: "http://127.0.0.1:9", harness: "pyagent", body }),
    );
    const kept = await call(pyagent, ["flush"], { env });
    assertEquals(kept.code, EXIT.degraded);
    assertStringIncludes(kept.err, "meant for http://127.0.0.1:9");
    assertStringIncludes(kept.out, `To deliver them to ${daemon.url}, run: signet-pyagent flush --rebind`);
    const sent = await call(pyagent, ["flush", "--rebind"], { env });
    assertEquals([sent.code, sent.out], [EXIT.ok, "✓ Delivered 1 event\n"]);
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("status and flush say what the limits of the spool cost; flush resets it", async () => {
  await using world = await World.create();
  const daemon = serve();
  try {
    const env = { HOME: world.home, SIGNET_DAEMON_URL: daemon.url };
    const small = new Spool(`${world.home}/.local/state/signet/pyagent`, Date.now, {
      count: 1,
      bytes: 1e9,
      rejected: 1,
    });
    for (const key of ["a", "b", "c"]) small.add(entry(key, { url: daemon.url, harness: "pyagent" }));
    for (const label of ["x", "y"]) {
      const [item] = small.list();
      if (item) small.reject(item, label);
      small.add(entry(label, { url: daemon.url, harness: "pyagent" }));
    }
    const full = "2 events were dropped because the spool was full; the last one on ";
    const rejected = "1 event was dropped because rejected/ was full; the last one on ";
    for (const command of ["status", "flush"]) {
      const { err } = await call(pyagent, [command], { env });
      assertStringIncludes(err, full, command);
      assertStringIncludes(err, rejected, command);
    }
    const { err } = await call(pyagent, ["flush"], { env });
    assertEquals(err.includes("dropped"), false);
    const { out } = await call(pyagent, ["status", "--json"], { env });
    assertEquals(JSON.parse(out).spool.dropped, []);
  } finally {
    await daemon.shutdown();
  }
});

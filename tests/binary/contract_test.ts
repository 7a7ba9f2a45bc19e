import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CONFIG, CONTRACT, HEALTH } from "../worlds/contract_schema.ts";
import { World } from "../worlds/world.ts";
import { DIST, ROOT } from "../worlds/built.ts";

for (const name of ["pyagent", "connect"]) {
  const binary = `${DIST}/signet-${name}`;

  Deno.test(`signet-${name}, compiled: capabilities, health and config show, in text and as JSON`, async () => {
    await using world = await World.create({ ".pyagent/config.yaml": "a: 1\n" });
    const env = { SIGNET_DAEMON_URL: "http://127.0.0.1:9" };
    const before = await world.snapshot();
    const signet = (...args: string[]) => world.run(binary, args, { env });
    const one = (value: unknown): unknown[] => Array.isArray(value) ? value : [value];

    const committed = JSON.parse(await Deno.readTextFile(`${ROOT}/connectors/${name}/connector.json`));
    const capabilities = await signet("capabilities", "--json");
    assertEquals([capabilities.code, capabilities.err], [0, ""]);
    assertEquals(CONTRACT.parse(JSON.parse(capabilities.out)), committed);
    assertStringIncludes((await signet("capabilities")).out, "PyAgent");

    const health = await signet("--json", "health");
    assertEquals(health.code, 3);
    const [pyagent] = HEALTH.array().parse(one(JSON.parse(health.out)));
    assertEquals([pyagent?.harness, pyagent?.status], ["pyagent", "needs_setup"]);
    const words = name === "connect" ? "No harness is connected." : "PyAgent needs to be set up";
    assertStringIncludes((await signet("health")).err, words);

    const config = await signet("config", "show", "--json");
    const shown = CONFIG.array().parse(one(JSON.parse(config.out)));
    assertEquals(shown[0]?.url, { value: "http://127.0.0.1:9", from: "SIGNET_DAEMON_URL" });
    assertStringIncludes((await signet("config", "show")).out, "http://127.0.0.1:9");

    const refused = await world.run(binary, ["install", "--yes"], {
      env: { ...env, SIGNET_CONNECTOR_MODE: "readonly" },
    });
    assertEquals([refused.code, refused.out], [4, ""]);
    assertEquals(await world.snapshot(), before);
  });

  Deno.test(`signet-${name}, compiled: every command helps`, async () => {
    await using world = await World.create();
    const committed = CONTRACT.parse(
      JSON.parse(await Deno.readTextFile(`${ROOT}/connectors/${name}/connector.json`)),
    );
    for (const { id, summary } of committed.commands) {
      const { code, out, err } = await world.run(binary, [...id.split("."), "--help"]);
      assertEquals([code, err], [0, ""], id);
      // `hook` has another entry point, and its own help.
      assert(id === "hook" ? out.includes("Usage: <bin> hook EVENT") : out.includes(summary), out);
    }
  });
}

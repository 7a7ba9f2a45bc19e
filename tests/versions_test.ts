import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { serve } from "../mock_daemon/mod.ts";
import { call } from "./worlds/cli_call.ts";
import { findConnector } from "./worlds/find_connector.ts";
import { World } from "./worlds/world.ts";
import { writeProgram } from "../connectors/base/testing/write_program.ts";

const claude = findConnector("signet-claude-code");

/** A home with a `claude` of some version, a daemon, and our command line. */
async function scene() {
  const world = await World.create({
    ".claude/settings.json": '{"permissions":{"deny":["WebFetch"]}}\n',
    ".claude/keep": "",
  });
  const daemon = serve({});
  const env = { HOME: world.home, PATH: `${world.home}/bin` };
  const setVersion = async (version: string) => {
    await Deno.mkdir(`${world.home}/bin`, { recursive: true });
    const program = `#!/bin/sh\necho '${version} (Claude Code)'\n`;
    await writeProgram(`${world.home}/bin/claude`, program);
  };
  return {
    setVersion,
    signet: (...args: string[]) => call(claude, args, { env }),
    install: () => call(claude, ["install", "--url", daemon.url, "--agent-id", "a", "--yes"], { env }),
    async events() {
      const settings = JSON.parse(await Deno.readTextFile(`${world.home}/.claude/settings.json`));
      assertEquals(settings.permissions, { deny: ["WebFetch"] });
      return Object.keys(settings.hooks);
    },
    async [Symbol.asyncDispose]() {
      await daemon.shutdown();
      await world[Symbol.asyncDispose]();
    },
  };
}

const SAFE = ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"];

Deno.test("after an upgrade of the program, status and doctor report what could be better, and doctor --fix writes it", async () => {
  await using home = await scene();
  await home.setVersion("2.1.53");
  await home.install();
  assertEquals(await home.events(), SAFE);
  assertEquals(JSON.parse((await home.signet("status", "--json")).out).connected, true);

  await home.setVersion("2.1.325");
  const status = await home.signet("status");
  assertStringIncludes(
    status.out + status.err,
    "hooks.PostCompact is missing; Claude Code 2.1.325 supports it",
  );
  const document = JSON.parse((await home.signet("status", "--json")).out);
  assertEquals([document.connected, document.version], [true, "2.1.325"]);
  assertEquals(await home.events(), SAFE, "status changed the config");

  const doctor = await home.signet("doctor");
  assertStringIncludes(doctor.out + doctor.err, "hooks.PostCompact is missing");
  await home.signet("doctor", "--fix");
  assert((await home.events()).includes("PostCompact"));
});

Deno.test("after a downgrade, an entry that the program does not know is reported and removed", async () => {
  await using home = await scene();
  await home.setVersion("2.1.325");
  await home.install();
  assert((await home.events()).includes("PostCompact"));

  await home.setVersion("2.1.9");
  const doctor = await home.signet("doctor");
  assertStringIncludes(doctor.out + doctor.err, "hooks.PostCompact is not known to Claude Code 2.1.9");
  await home.signet("doctor", "--fix");
  assertEquals((await home.events()).toSorted(), SAFE.toSorted());
});

Deno.test("uninstall removes the entries of every version, whatever is installed now", async () => {
  await using home = await scene();
  await home.setVersion("2.1.325");
  await home.install();
  await home.setVersion("2.0.42");
  assertEquals((await home.signet("uninstall", "--yes")).code, 0);
  await home.events().then(
    (events) => assertEquals(events, []),
    (error) => assert(error instanceof TypeError),
  );
});

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Ran, World } from "../worlds/world.ts";
import { BINARY, CONFIG_PATH } from "../worlds/pyagent_scene.ts";

/** Runs a command line of signet-pyagent on a terminal of its own, forty columns wide. */
function onTerminal(world: World, line: string, env: Record<string, string> = {}): Promise<Ran> {
  const command = `stty cols 40; exec "${BINARY}" ${line}`;
  return world.run("script", ["-qec", command, "/dev/null"], {
    env: { TERM: "xterm", SHELL: "/bin/sh", ...env },
  });
}

// deno-lint-ignore no-control-regex -- control characters are what it looks for
const COLOR = /\x1b\[\d+m/g;

Deno.test({
  name: "signet-pyagent on a terminal: colour, its width, and neither where they are not wanted",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using world = await World.create({ [CONFIG_PATH]: "a: 1\n" });
    const help = await onTerminal(world, "--help");
    assertEquals(help.code, 0);
    assertMatch(help.out, COLOR);
    for (const line of help.out.replace(COLOR, "").split(/\r?\n/)) {
      // START is a line that one copies.
      if (!line.includes("signet-pyagent ")) assert(line.length <= 40, line);
    }
    assert(!COLOR.test((await onTerminal(world, "--help", { NO_COLOR: "1" })).out));
    const piped = await world.run(BINARY, ["--help"]);
    assert(!COLOR.test(piped.out));
    // In as many columns as the longest command needs.
    assertMatch(piped.out, /^ {2}install {2,}Connect the harness to a Signet daemon$/m);
    const early = await world.sh(`"${BINARY}" --help | head -1`);
    assertEquals([early.code, early.err], [0, ""]);
  },
});

Deno.test({
  name: "signet-pyagent on a terminal shows what it waits for after a second, and clears the line",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using world = await World.create({ [CONFIG_PATH]: "a: 1\n" });
    using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${silent.addr.port}`;
    const before = await world.snapshot();
    const health = await onTerminal(world, "health", { SIGNET_DAEMON_URL: url });
    assertStringIncludes(health.out.replace(COLOR, ""), "… Checking PyAgent");
    // Taken back before the answer is printed.
    assertStringIncludes(
      health.out.replace(COLOR, ""),
      "… Checking PyAgent\r\x1b[2K! PyAgent needs to be set up",
    );
    const off = await world.run(BINARY, ["health"], { env: { SIGNET_DAEMON_URL: url } });
    assert(!off.err.includes("…") && !off.out.includes("…"), off.err);
    assertEquals(await world.snapshot(), before);
  },
});

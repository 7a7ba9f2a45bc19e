import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import { CONNECT, Connected, PYAGENT } from "../worlds/connected.ts";

for (
  const [name, remove] of [["signet-connect", [CONNECT, "pyagent"]], ["signet-pyagent", [PYAGENT]]] as const
) {
  Deno.test(`signet-connect leaves signet-pyagent in use, and ${name} restores the home`, async () => {
    await using place = await Connected.create();
    const { world } = place;
    const before = await world.snapshot();
    assertEquals((await place.install(PYAGENT, [])).code, 0);
    const config = await world.read(".pyagent/config.yaml");
    assertMatch(config, /signet-pyagent" hook session-start --project/);

    const again = await place.install(CONNECT, ["pyagent"]);
    assertEquals([again.code, again.err], [0, ""]);
    assertEquals(await world.read(".pyagent/config.yaml"), config);
    assertEquals(await place.programs(), ["signet-pyagent"]);
    const doctor = await place.connect(["doctor", "pyagent"]);
    assertEquals([doctor.code, doctor.err], [0, ""], doctor.out);

    const [program, ...names] = remove;
    const removed = await world.run(program, ["uninstall", ...names]);
    assertEquals([removed.code, removed.err], [0, ""]);
    assertEquals(await world.snapshot(), before);
  });
}

Deno.test("signet-pyagent takes the place of its link to signet-connect, which stays for the other harnesses", async () => {
  await using place = await Connected.create();
  const { world } = place;
  const before = await world.snapshot();
  assertEquals((await place.install(CONNECT, ["pyagent", "claude-code"])).code, 0);
  const config = await world.read(".pyagent/config.yaml");
  assertEquals((await place.install(PYAGENT, [])).code, 0);
  assertEquals(await world.read(".pyagent/config.yaml"), config);
  assertEquals(await place.programs(), [
    "signet-claude-code -> signet-connect",
    "signet-connect",
    "signet-pyagent",
  ]);
  assertEquals((await world.run(PYAGENT, ["uninstall"])).code, 0);
  assertEquals((await place.connect(["status", "claude-code"])).code, 0);
  assertEquals((await place.connect(["uninstall", "claude-code"])).code, 0);
  assertEquals(await world.snapshot(), before);
});

Deno.test("signet-connect install --all: one diff, all connected, one table, all gone again", async () => {
  await using place = await Connected.create();
  const { world } = place;
  const before = await world.snapshot();

  const dry = await place.install(CONNECT, ["--all"], "--dry-run");
  assertEquals([dry.code, dry.err], [0, ""]);
  for (const file of ["~/.pyagent/config.yaml", "~/.claude/settings.json"]) {
    assertStringIncludes(dry.out, `--- ${file}\n+++ ${file}\n`);
  }
  assertEquals(dry.out.match(/^\+ program /gm)?.length, 1, "it is one program");
  assert(!dry.out.includes(place.key));
  assertEquals(await world.snapshot(), before);

  const installed = await place.install(CONNECT, ["--all"], "--json");
  assertEquals(
    JSON.parse(installed.out).map(({ harness, agent_id }: Record<string, string>) => [harness, agent_id]),
    [["pyagent", "me/laptop"], ["claude-code", "me/laptop"]],
  );
  const status = await place.connect(["status"]);
  assertEquals([status.code, status.err], [0, ""]);
  assertMatch(status.out, /^HARNESS +VERSION +STATUS +AGENT +DAEMON +HOOKS FIRED +SPOOL\n/);
  assertMatch(status.out, /^PyAgent +healthy +me\/laptop +ok +not yet +0$/m);
  assertStringIncludes(status.out, "Claude Code: hooks fired: not yet: start Claude Code once");
  assertMatch(status.out, /^Forge +not installed +native$/m);
  const again = await place.connect(["install", "--all"]);
  assertStringIncludes(again.out, "PyAgent is already connected; nothing to change");

  for (const args of [["flush", "--all"], ["sync", "--all"], ["doctor", "--all"], ["doctor"]]) {
    const { code, err } = await place.connect(args);
    assertEquals([code, err], [0, ""], args.join(" "));
  }
  const fired = JSON.parse((await place.connect(["status", "claude-code", "--json"])).out);
  assertEquals(fired.length, 1);
  assert(fired[0].hooks.every(({ count }: { count: number }) => count === 0), "only doctor has run them");

  const wouldGo = await place.connect(["uninstall", "--all", "--dry-run"]);
  assertEquals(wouldGo.out.match(/^- program /gm)?.length, 1);
  const gone = await place.connect(["uninstall", "--all"]);
  assertEquals([gone.code, gone.err], [0, ""]);
  assertEquals(await world.snapshot(), before);
});

Deno.test("signet-connect status: versions, Forge, narrow terminals, and exit codes for good, degraded and failed", async () => {
  await using place = await Connected.create({ "bin/claude": "#!/bin/sh\necho '2.1.0 (Claude Code)'\n" });
  const { world } = place;
  await world.write(".config/signet/bin/forge", "#!/bin/sh\necho forge 0.9.1\n");
  await world.sh("chmod 755 bin/claude .config/signet/bin/forge");
  const env = { PATH: `${world.home}/bin:/usr/bin:/bin` };

  const nothing = await place.connect(["status"], { env });
  assertEquals(nothing.code, 3, "nothing is connected");
  assertStringIncludes(nothing.out, "To connect PyAgent, Claude Code, run: signet-connect setup");

  assertEquals((await place.install(CONNECT, ["claude-code"])).code, 0);
  const good = await place.connect(["status"], { env });
  assertEquals([good.code, good.err], [0, ""], "a harness that nobody connected is no fault");
  assertMatch(good.out, /^Claude Code +2\.1\.0 +healthy +me\/laptop +ok /m);
  assertMatch(good.out, /^PyAgent +not connected$/m);
  assertMatch(good.out, /^Forge +0\.9\.1 +native$/m);
  const json = JSON.parse((await place.connect(["status", "--json"], { env })).out);
  assertEquals(
    json.map(({ harness, version, status }: Record<string, string>) => [harness, version, status]),
    [["pyagent", undefined, "needs_setup"], ["claude-code", "2.1.0", "healthy"], [
      "forge",
      "0.9.1",
      "native",
    ]],
  );
  const narrow = await place.connect(["status"], { env: { ...env, COLUMNS: "40" } });
  assertStringIncludes(narrow.out, "harness      Claude Code\nversion      2.1.0\nstatus       healthy\n");
  assert(narrow.out.split("\n").every((line) => line.startsWith("✓") || line.length <= 80), narrow.out);

  await place.stopDaemon();
  const away = await place.connect(["status"], { env });
  assertEquals(away.code, 3);
  assertMatch(away.out, /^Claude Code +2\.1\.0 +degraded +me\/laptop +down /m);
  assertStringIncludes(away.err, `The daemon at ${place.url} is not reachable`);
  await world.write(".claude/settings.json", "{}\n");
  const broken = await place.connect(["status"], { env });
  assertEquals(broken.code, 1, "installed, and its hooks are gone");
  assertMatch(broken.out, /^Claude Code +2\.1\.0 +broken /m);
  assertEquals((await place.connect(["doctor"], { env })).code, 1);
});

Deno.test("signet-connect status --watch follows a hook and ends with 130 on Ctrl-C", async () => {
  await using place = await Connected.create();
  const { world } = place;
  assertEquals((await place.install(CONNECT, ["pyagent"])).code, 0);
  await using child = new Deno.Command(CONNECT, {
    args: ["status", "--watch", "pyagent"],
    env: { HOME: world.home, PATH: "/usr/bin:/bin" },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let seen = "";
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) seen += text;
  })();
  const shows = (row: RegExp) => until(`${row} is shown`, () => row.test(seen));
  await shows(/^PyAgent +healthy +me\/laptop +ok +not yet +0$/m);
  assertEquals((await place.hook("pyagent")).code, 0);
  await shows(/^PyAgent +healthy +me\/laptop +ok +1, .* ago +0$/m);
  child.kill("SIGINT");
  assertEquals((await child.status).code, 130);
  await reading;
});

Deno.test("signet-connect names the argument it did not understand, and suggests another", async () => {
  await using place = await Connected.create();
  const cases: [string[], string][] = [
    [["install", "pygent"], "There is no harness pygent. Did you mean pyagent?"],
    [["status", "cursor"], "There is no harness cursor."],
    [["instal"], "There is no command instal. Did you mean install?"],
    [["api-key", "creat"], "api-key needs one of create, list, revoke. Did you mean create?"],
    [["install"], "Which harness? Name one or more, or --all."],
    [["upgrade"], "No release was given, and it is not known where the programs came from."],
    [["setup"], "setup is interactive and needs a terminal."],
    [["api-key", "create", "--mode", "admin", "--name", "x", "--connector", "codx"], "Did you mean codex?"],
  ];
  const before = await place.world.snapshot();
  for (const [args, sentence] of cases) {
    const { code, err, out } = await place.connect(args);
    assertEquals([code, out], [2, ""], args.join(" "));
    assertStringIncludes(err, sentence);
    assertMatch(err, /\n {2}- /, "and the next step");
  }
  assertStringIncludes(
    (await place.connect(["setup"])).err,
    "signet-connect install --all --url URL --api-key-file FILE --agent-id ID",
  );
  const help = await place.connect(["help", "api-key"]);
  for (const verb of ["create", "list", "revoke"]) assertStringIncludes(help.out, `  api-key ${verb} `);
  assertEquals(await place.world.snapshot(), before);
});

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import { CONNECT, Connected, PYAGENT } from "../worlds/connected.ts";

const CONFIG = ".pyagent/config.yaml";
const SETTINGS = ".claude/settings.json";

Deno.test("signet-connect install makes a link per harness, whose hooks call it, and uninstall removes them", async () => {
  await using place = await Connected.create();
  const { world } = place;
  const before = await world.snapshot();
  const dry = await place.install(CONNECT, ["pyagent", "claude-code"], "--dry-run");
  assertStringIncludes(dry.out, "~/.local/bin/signet-pyagent");
  assertEquals(await world.snapshot(), before);

  assertEquals((await place.install(CONNECT, ["pyagent", "claude-code"])).code, 0);
  assertEquals(await place.programs(), [
    "signet-claude-code -> signet-connect",
    "signet-connect",
    "signet-pyagent -> signet-connect",
  ]);
  const bin = `${world.home}/.local/bin`;
  assertStringIncludes(await world.read(CONFIG), `"${bin}/signet-pyagent" hook session-start --project`);
  assertStringIncludes(await world.read(SETTINGS), `${bin}/signet-claude-code`);
  for (const file of [CONFIG, SETTINGS]) assert(!(await world.read(file)).includes("signet-connect"), file);
  for (const args of [["doctor"], ["status"], ["sync", "--all"]]) {
    const { code, err, out } = await place.connect(args);
    assertEquals([code, err], [0, ""], `${args}: ${out}`);
  }
  const again = await place.connect(["install", "pyagent", "claude-code"]);
  assertStringIncludes(again.out, "PyAgent is already connected; nothing to change");
  const through = await world.run(`${bin}/signet-pyagent`, ["install"]);
  assertStringIncludes(through.out, "PyAgent is already connected; nothing to change");

  // Each goes with its link, and the program with the last one.
  assertEquals((await world.run(`${bin}/signet-pyagent`, ["uninstall"])).code, 0);
  assertEquals(await place.programs(), ["signet-claude-code -> signet-connect", "signet-connect"]);
  assertEquals((await world.run(`${bin}/signet-claude-code`, ["uninstall"])).code, 0);
  assertEquals(await world.snapshot(), before);
});

Deno.test("a hook through a link names its harness, and the drain that it starts delivers the end of the session", async () => {
  await using place = await Connected.create();
  const { world } = place;
  assertEquals((await place.install(CONNECT, ["pyagent", "claude-code"])).code, 0);
  const hook = (event: string) =>
    world.sh(`".local/bin/signet-pyagent" hook ${event} --project /home/u/proj`, {
      input: JSON.stringify({ session_id: "s1", cwd: "/home/u/proj" }),
    });
  const sent = (event: string) =>
    place.daemon.daemon.requests().filter(({ path }) => path === `/api/hooks/${event}`);
  assertEquals((await hook("session-start")).code, 0);
  assertEquals(sent("session-start").map(({ harness }) => harness), ["pyagent"]);
  assertEquals((await hook("session-end")).code, 0);
  await until("the end is delivered", () => sent("session-end").length === 1);
});

Deno.test("hooks that call signet-connect -H keep their command, byte for byte", async () => {
  await using place = await Connected.create({ ".local/bin/signet-pyagent": "not a program\n" });
  const { world } = place;
  await world.sh("chmod 644 .local/bin/signet-pyagent");
  assertEquals((await place.install(CONNECT, ["pyagent"])).code, 0);
  const config = await world.read(CONFIG);
  assertMatch(config, /bin\/signet-connect" hook session-start -H pyagent/);
  // As it was before there were links: nothing is in their place now.
  await world.sh("rm .local/bin/signet-pyagent");
  const again = await place.install(CONNECT, ["pyagent", "claude-code"]);
  assertEquals([again.code, again.err], [0, ""]);
  assertEquals(await world.read(CONFIG), config);
  assertEquals(await place.programs(), ["signet-claude-code -> signet-connect", "signet-connect"]);
  assertEquals((await place.connect(["doctor", "pyagent"])).code, 0);
});

Deno.test("without its ledger, uninstall removes the hooks, and keeps programs and links that may be somebody else's", async () => {
  await using place = await Connected.create();
  const { world } = place;
  assertEquals((await place.install(CONNECT, ["pyagent"])).code, 0);
  await world.sh("rm .local/state/signet/pyagent/ledger.json");
  const removed = await place.connect(["uninstall", "pyagent"]);
  assertEquals(removed.code, 0, removed.err);
  assert(!(await world.read(CONFIG)).includes("signet"));
  assertStringIncludes(removed.err, "signet-connect was kept because there is no record of it");
  assertEquals(await place.programs(), ["signet-connect", "signet-pyagent -> signet-connect"]);
});

Deno.test("a link named signet-pyagent prints what the standalone program prints", async () => {
  await using place = await Connected.create();
  const { world } = place;
  const link = `${world.root}/path/signet-pyagent`;
  await Deno.mkdir(`${world.root}/path`);
  await Deno.symlink(CONNECT, link);
  const calls = [
    ["--version"],
    ["--help"],
    ["install", "--help"],
    ["hook", "--help"],
    ["help", "exit-codes"],
    ["capabilities", "--json"],
    ["completions", "bash"],
    ["upgrade"],
    ["install", "codex"],
    ["status"],
  ];
  for (const args of calls) {
    assertEquals(await world.run(link, args), await world.run(PYAGENT, args), args.join(" "));
  }
});

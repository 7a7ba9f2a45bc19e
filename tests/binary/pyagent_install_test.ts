import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HarnessConnector } from "../../connectors/base/harness_connector.ts";
import { pyagent } from "../../connectors/pyagent/harness.ts";
import { BINARY, CONFIG, CONFIG_PATH, LAPTOP, Scene } from "../worlds/pyagent_scene.ts";

/** The library's view of a home, as another program would ask it. */
function connector(home: string): HarnessConnector {
  return new HarnessConnector(pyagent, {
    host: { os: Deno.build.os, env: (name) => name === "HOME" ? home : undefined },
  });
}

Deno.test("signet-pyagent install adds lines to a config in use and changes none; uninstall restores it to the byte", async () => {
  await using scene = await Scene.set();
  const { world } = scene;
  const before = await world.snapshot();
  assertEquals(connector(world.home).isInstalled(), false);

  const { out, err } = await scene.install();
  assertStringIncludes(out, `✓ Connected PyAgent to ${scene.daemon.url} as agent ${LAPTOP.agent}`);
  assertStringIncludes(out, "signet-pyagent doctor");
  assertEquals(err, "");
  const config = await world.read(CONFIG_PATH);
  const added = config.split("\n");
  // Taking our lines out, in order, must leave the user's file: nothing moved, nothing reformatted.
  for (const line of CONFIG.split("\n")) {
    const at = added.indexOf(line);
    assert(at >= 0, `${JSON.stringify(line)} is not as it was`);
    added.splice(at, 1);
  }
  assertEquals(added.filter((line) => line.includes("signet-pyagent")).length, 4, added.join("\n"));
  assertEquals(withoutLines(config, added), CONFIG);
  assert(!config.includes(LAPTOP.key) && !config.includes("sig_sk_"));

  assertEquals(connector(world.home).isInstalled(), true);
  assertEquals(connector(world.home).getConfigPath(), `${world.home}/${CONFIG_PATH}`);
  const status = await scene.signet(["status"]);
  assertEquals(status.code, 0, status.out + status.err);
  assertMatch(status.out, /✓ PyAgent is connected and healthy \(~\/\.pyagent\/config\.yaml\)/);
  assertEquals((await scene.signet(["health", "--json"])).code, 0);
  assertEquals((await scene.signet(["doctor"])).code, 0);

  const installed = await world.snapshot();
  assertMatch((await scene.install()).out, /is already connected; nothing to change/);
  assertEquals(without(await world.snapshot(), "hook.log"), without(installed, "hook.log"));

  await scene.uninstall();
  assertEquals(connector(world.home).isInstalled(), false);
  assertEquals(await world.read(CONFIG_PATH), CONFIG);
  assertEquals(await world.snapshot(), before);
});

function withoutLines(text: string, gone: readonly string[]): string {
  const left = [...gone];
  return text.split("\n").filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  }).join("\n");
}

const without = (snapshot: Map<string, string>, name: string) =>
  new Map([...snapshot].filter(([path]) => !path.endsWith(name)));

Deno.test("signet-pyagent: status and isInstalled() look at the hooks themselves", async () => {
  await using scene = await Scene.set();
  await scene.install();
  const config = await scene.world.read(CONFIG_PATH);
  const [line = ""] = config.split("\n").filter((each) => each.includes("hook user-prompt-submit"));
  await scene.world.write(CONFIG_PATH, config.replace(line, line.replace("signet-pyagent", "somebody-else")));
  assertEquals(connector(scene.world.home).isInstalled(), false);
  const status = await scene.signet(["status", "--json"]);
  assertEquals([status.code, JSON.parse(status.out).connected], [1, false]);
  await scene.install();
  assertEquals(connector(scene.world.home).isInstalled(), true);
});

Deno.test("signet-pyagent: installing and uninstalling again and again leaves no trace", async () => {
  await using scene = await Scene.set();
  const before = await scene.world.snapshot();
  for (let round = 0; round < 3; round++) {
    await scene.install();
    if (round === 1) await scene.install("--no-mcp");
    await scene.uninstall();
    assertEquals(await scene.world.snapshot(), before, `round ${round}`);
  }
  const { code, out } = await scene.signet(["uninstall", "--yes"]);
  assertEquals([code, out.includes("was not connected; nothing to remove")], [0, true]);
  assertEquals(await scene.world.snapshot(), before);
});

Deno.test("signet-pyagent install --no-mcp --no-identity --no-skills: later commands expect what was asked for", async () => {
  await using scene = await Scene.set();
  const { world } = scene;
  await scene.install("--no-mcp", "--no-identity", "--no-skills");
  const bare = [...(await world.snapshot()).keys()].filter((path) => path.startsWith("/.pyagent"));
  assertEquals(bare, ["/.pyagent", "/.pyagent/config.yaml"]);
  assert(!(await world.read(CONFIG_PATH)).includes("mcp\n"));
  assertEquals((await scene.signet(["status"])).code, 0);
  const doctor = await scene.signet(["doctor"]);
  assertEquals(doctor.code, 0, doctor.out + doctor.err);
  assertEquals((await scene.signet(["sync"])).code, 0);
  assertEquals([...(await world.snapshot()).keys()].filter((path) => path.startsWith("/.pyagent")), bare);

  // With the flags reversed, everything is installed.
  await scene.install();
  const full = [...(await world.snapshot()).keys()];
  for (const path of ["/.pyagent/identity/AGENTS.md", "/.pyagent/skills/tidy"]) {
    assert(full.includes(path), path);
  }
  assertStringIncludes(await world.read(CONFIG_PATH), "signet:");
});

Deno.test("signet-pyagent uninstall --keep-credentials leaves them for an install without flags", async () => {
  await using scene = await Scene.set();
  const { world } = scene;
  const before = await world.snapshot();
  await scene.install();
  await scene.uninstall("--keep-credentials");
  const credentials = "/.config/signet/connectors/pyagent.json";
  const left = [...(await world.snapshot())].filter(([path]) => !before.has(path));
  assertEquals(left.filter(([, what]) => !what.startsWith("directory")).map(([path]) => path), [credentials]);
  assertMatch(left.find(([path]) => path === credentials)?.[1] ?? "", /^600 /);
  const again = await scene.signet(["install"]);
  assertEquals(again.code, 0, again.err);
  assertStringIncludes(again.out, `as agent ${LAPTOP.agent}`);
  await scene.uninstall();
  // ~/.config was there when it was installed again, so it stays.
  const after = await world.snapshot();
  if (!before.has("/.config")) after.delete("/.config");
  assertEquals(after, before);
});

Deno.test("signet-pyagent uninstall removes credentials that were kept, with their directories", async () => {
  await using scene = await Scene.set();
  const { world } = scene;
  await Deno.mkdir(`${world.home}/.config`, { recursive: true });
  const before = await world.snapshot();
  await scene.install();
  await scene.uninstall("--keep-credentials");
  await scene.uninstall();
  assertEquals(await world.snapshot(), before);
});

Deno.test("signet-pyagent in a directory on PATH stays there through installs and uninstall, which names it", async () => {
  await using scene = await Scene.set();
  const { world } = scene;
  const place = `${world.home}/.local/bin/signet-pyagent`;
  await Deno.mkdir(`${world.home}/.local/bin`, { recursive: true });
  await Deno.copyFile(BINARY, place);
  const before = await world.snapshot();
  const env = { PATH: `${world.home}/.local/bin:/usr/bin:/bin` };
  const args = ["install", "--url", scene.daemon.url, "--api-key-stdin", "--agent-id", LAPTOP.agent];
  for (let round = 0; round < 2; round++) {
    const ran = await world.run(place, args, { env, input: LAPTOP.key });
    assertEquals(ran.code, 0, ran.err);
    assert((await Deno.stat(place)).isFile);
  }
  const [started] = await scene.fire("on_session_start", { session_id: "s1", cwd: "/home/u/proj" });
  assertEquals(started?.code, 0);
  const removed = await world.run(place, ["uninstall", "--yes"], { env });
  assertEquals(removed.code, 0, removed.err);
  assertStringIncludes(removed.err, "signet-pyagent was not copied by install and was kept");
  assertEquals(await world.snapshot(), before);
});

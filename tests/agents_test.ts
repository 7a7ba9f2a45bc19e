import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DEEP } from "../connectors/base/testing/deep.ts";
import { draw, SEEDED, seededRandom } from "../connectors/base/testing/seed.ts";
import { newKey, serve } from "../mock_daemon/mod.ts";
import { CONNECTORS } from "../scripts/contract/connector_files.ts";
import { Spool } from "../hooks/spool/spool.ts";
import { call } from "./worlds/cli_call.ts";
import { findConnector } from "./worlds/find_connector.ts";
import { entry } from "./worlds/hooks/sample_entry.ts";
import { programArgs } from "./worlds/programs.ts";
import { World } from "./worlds/world.ts";

const ME = newKey();
const BOB = newKey();
const KEYS = [
  { key: ME, name: "me", scope: { agent: "me" } },
  { key: BOB, name: "bob", scope: { agent: "bob" } },
];

/** Programs differ in how they read input and settings. The rest is the same code, and is tried with three of them. */
const WHOLE = ["signet-connect", "signet-claude-code", "signet-codex"];
/** Of the others, four are tried: other ones in each run, or all in a deep run. */
const OTHERS = draw(
  CONNECTORS.filter(({ binary }) => !WHOLE.includes(binary)),
  DEEP ? Infinity : 4,
  seededRandom(),
);

for (const connector of [...CONNECTORS.filter(({ binary }) => WHOLE.includes(binary)), ...OTHERS]) {
  const { binary, harnesses, folder } = connector;
  const harness = binary === "signet-connect" ? harnesses.find(({ id }) => id === "codex") : harnesses[0];
  if (!harness) throw new Error(`${binary} serves no harness`);
  const which = harnesses.length > 1 ? ["-H", harness.id] : [];

  Deno.test(`${binary}: a directory gets the agent that agent set gives it, with that agent's key ${SEEDED}`, async () => {
    await using world = await World.create({ "bob.key": `${BOB}\n`, "work/x": "", "work/inner/x": "" });
    const mock = serve({ auth: "team", keys: KEYS });
    try {
      const env = { HOME: world.home, SIGNET_API_KEY: ME };
      const signet = (args: string[], more = {}) =>
        call(connector, [...args, ...which], { env: { HOME: world.home, ...more }, columns: 300 });
      const install = ["install", "--yes", "--url", mock.url, "--agent-id", "me", "--no-mcp"];
      assertEquals((await signet(["agent", "set", "bob"])).code, 1, "before the install");
      assertEquals((await signet(install, env)).code, 0);
      const work = `${world.home}/work`;
      const set = ["agent", "set", "bob", "--project", work, "--api-key-file", `${world.home}/bob.key`];
      const stored = await signet(set);
      assertEquals(stored.code, 0, stored.out + stored.err);
      const file = `${world.home}/.config/signet/connectors/${harness.id}.json`;
      assertEquals((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);

      const hook = async (cwd: string, more: Record<string, string> = {}) => {
        const argv = programArgs(`${folder}/main.ts`);
        const input = JSON.stringify({ session_id: crypto.randomUUID(), cwd, source: "startup" });
        const denoDir = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
        const options = { input, env: { DENO_DIR: denoDir, ...more } };
        await world.run(Deno.execPath(), [...argv, "hook", "session-start", ...which], options);
        const sent = mock.daemon.requests({ event: "session-start" }).at(-1);
        return [sent?.agent, sent?.status];
      };
      assertEquals(await hook(`${work}/inner`), ["bob", 200]);
      if (!WHOLE.includes(binary) && !harness.sharesEnvironment) return;
      // Codex's hooks may have the variables of another window.
      const first = { SIGNET_AGENT_ID: "me", SIGNET_API_KEY: ME };
      assertEquals(await hook(work, first), [harness.sharesEnvironment ? "bob" : "me", 200]);
      assertEquals(await hook(`${world.home}/elsewhere`), ["me", 200]);
      assertEquals(await hook("/home/u/other", { SIGNET_AGENT_ID: "bob" }), ["bob", 200], "its stored key");

      const listed = await signet(["agent", "list"]);
      assertMatch(listed.out, /bob +\S+ +\S*work/);
      assertStringIncludes(listed.out, `Sessions in ${Deno.cwd()} use agent me`);
      assert(!(listed.out + stored.out + stored.err).includes(BOB), "the key is never shown");

      assertEquals((await signet(["install", "--yes", "--no-mcp"])).code, 0);
      assertEquals(await hook(work), ["bob", 200], "a second install keeps it");
      assertEquals((await signet(["agent", "unset", "bob", "--project", work])).code, 0);
      assertEquals(await hook(work), ["me", 200]);
      assertEquals((await signet(["agent", "unset", "bob"])).code, 0);
      assertEquals((await Deno.readTextFile(file)).includes(BOB), false);
      assertEquals((await signet(["agent", "unset", "bob"])).code, 1);
    } finally {
      await mock.shutdown();
    }
  });
}

const codex = findConnector("signet-codex");

Deno.test("status and doctor say which agent this directory gets, and why", async () => {
  await using world = await World.create({ ".codex/config.toml": "" });
  const mock = serve({});
  try {
    const env = { HOME: world.home };
    const signet = (args: string[], more = {}) => call(codex, args, { env: { ...env, ...more } });
    await signet(["install", "--yes", "--url", mock.url, "--agent-id", "me"]);
    const quiet = await signet(["status"]);
    assert(!quiet.out.includes("Sessions in"), "there is one agent");
    await signet(["agent", "set", "bob", "--project", Deno.cwd()]);
    const file = `${world.home}/.config/signet/connectors/codex.json`;
    const sentence = `Sessions in ${Deno.cwd()} use agent bob (${file}, project ${Deno.cwd()})`;
    for (const command of ["status", "doctor"]) {
      const { out } = await signet([command]);
      assertStringIncludes(out.replace(/\s+/g, " "), sentence, command);
    }
    const { here } = JSON.parse((await signet(["status", "--json"])).out);
    assertEquals([here.agent_id, here.directory], ["bob", Deno.cwd()]);
    await signet(["agent", "unset", "bob"]);
    const shell = await signet(["status"], { SIGNET_AGENT_ID: "eve" });
    assertMatch(shell.out + shell.err, /SIGNET_AGENT_ID=eve may not reach/);
  } finally {
    await mock.shutdown();
  }
});

Deno.test("agent set takes no unusable id, directory or second word, and writes nothing", async () => {
  await using world = await World.create();
  const env = { HOME: world.home };
  await call(codex, ["install", "--yes", "--url", "http://127.0.0.1:9"], { env });
  const file = `${world.home}/.config/signet/connectors/codex.json`;
  const before = await Deno.readTextFile(file);
  for (
    const args of [["set"], ["set", "../x"], ["set", "a", "b"], ["set", "a", "--project", "/no/such/dir"], [
      "unset",
    ]]
  ) assertEquals((await call(codex, ["agent", ...args], { env })).code, 2, args.join(" "));
  assertEquals(await Deno.readTextFile(file), before);
});

Deno.test("an event waits for the key of its own agent, and status says for whom", async () => {
  await using world = await World.create({ "bob.key": BOB });
  const mock = serve({ auth: "team", keys: KEYS });
  try {
    const env = { HOME: world.home };
    const signet = (args: string[], more = {}) => call(codex, args, { env: { ...env, ...more } });
    await signet(["install", "--yes", "--url", mock.url, "--agent-id", "me"], { SIGNET_API_KEY: ME });
    const spool = new Spool(`${world.home}/.local/state/signet/codex`);
    spool.add(entry("s", { url: mock.url, harness: "codex", agentId: "bob", keyFrom: "own" }));
    assertEquals((await signet(["flush"])).code, 3);
    assertEquals(mock.daemon.requests({ event: "session-end" }).length, 0, "not with another agent's key");
    const { out, err } = await signet(["status"]);
    assertStringIncludes((out + err).replace(/\s+/g, " "), "agent bob has no key here: run agent set bob");
    await signet(["agent", "set", "bob", "--api-key-file", `${world.home}/bob.key`]);
    assertEquals((await signet(["flush"])).code, 0);
    assertEquals(mock.daemon.requests({ event: "session-end" }).map(({ status }) => status), [200]);
  } finally {
    await mock.shutdown();
  }
});

import { assert, assertEquals, assertMatch } from "@std/assert";
import { World } from "../worlds/world.ts";
import { BINARY, CONFIG_PATH, LAPTOP, Scene } from "../worlds/pyagent_scene.ts";

interface Case {
  readonly config?: string;
  readonly args?: string[];
  readonly key?: string;
  readonly code: number;
  readonly says: RegExp;
}

/** Exit codes as `help exit-codes` has them: 2 the command line, 5 a file of the user's, 6 the key, 7 the daemon. */
const CASES: Record<string, Case> = {
  "YAML that does not parse": {
    config: "hooks:\n  - [\n",
    code: 5,
    says: /config\.yaml:\d+:\d+: .*Fix the file/s,
  },
  "YAML with a tab": { config: "hooks:\n\t- a\n", code: 5, says: /config\.yaml:\d+:\d+: / },
  "hooks: 3": { config: "hooks: 3\n", code: 5, says: /config\.yaml:1:\d+: .*hooks/ },
  "a file that is not text": { config: "\u0000", code: 5, says: /config\.yaml/ },
  "a URL with a typo": { args: ["--url", "htp://127.0.0.1:1"], code: 2, says: /"htp:\/\/127\.0\.0\.1:1"/ },
  "a URL without a scheme": { args: ["--url", "127.0.0.1:3850"], code: 2, says: /127\.0\.0\.1:3850/ },
  "a URL with a path typo": { args: ["--url", "http//127.0.0.1"], code: 2, says: /http\/\/127/ },
  "a host that does not exist": {
    args: ["--url", "http://127.0.0.1:9"],
    code: 7,
    says: /127\.0\.0\.1:9 is not reachable/,
  },
  "an empty key": { key: "", code: 2, says: /The key is empty/ },
  "a key with a line break": { key: "sig_sk_a\nsig_sk_b", code: 2, says: /space or a control character/ },
  "a key that the daemon does not know": { key: "sig_sk_wrong", code: 6, says: /requires a valid API key/ },
  "an agent that is not the key's": {
    args: ["--agent-id", "ana/other"],
    code: 6,
    says: /The key belongs to agent ana\/laptop, not to ana\/other: .* refuses it \(HTTP 403\)/,
  },
  "an agent id with a space": { args: ["--agent-id", "ana laptop"], code: 2, says: /"ana laptop"/ },
  "an agent id with a line break": { args: ["--agent-id", "ana\nlaptop"], code: 2, says: /agent id/ },
  "an agent id with ..": { args: ["--agent-id", "ana/../root"], code: 2, says: /"ana\/\.\.\/root"/ },
  "an empty agent id": { args: ["--agent-id", ""], code: 2, says: /--agent-id needs a value/ },
};

Deno.test("signet-pyagent install, given something bad: one clear error, its exit code, nothing written", async (t) => {
  await using scene = await Scene.set();
  for (const [name, { config, args = [], key, code, says }] of Object.entries(CASES)) {
    await t.step(name, async () => {
      if (config !== undefined) await scene.world.write(CONFIG_PATH, config);
      const before = await scene.world.snapshot();
      // The last of two equal flags counts, so that a case can say otherwise.
      const given = ["--url", scene.daemon.url, "--agent-id", LAPTOP.agent, ...args];
      const ran = await scene.signet(["install", ...given, "--api-key-stdin"], { input: key ?? LAPTOP.key });
      assertEquals(ran.code, code, ran.err);
      assertEquals(ran.out, "");
      assertMatch(ran.err, says);
      assertEquals(ran.err.match(/^✗ /gm)?.length, 1, ran.err);
      assert(!/sig_sk_\w/.test(ran.err), ran.err);
      assertEquals(await scene.world.snapshot(), before);
      if (config !== undefined) await scene.world.write(CONFIG_PATH, "a: 1\n");
    });
  }
});

Deno.test("signet-pyagent install over a config that is a directory writes nothing", async () => {
  await using world = await World.create({ [`${CONFIG_PATH}/inside.txt`]: "mine\n" });
  const before = await world.snapshot();
  const ran = await world.run(BINARY, ["install", "--url", "http://127.0.0.1:9", "--yes"]);
  assertEquals(ran.code, 5, ran.err);
  assertMatch(ran.err, /✗ .*config\.yaml is not a file/);
  assertEquals(await world.snapshot(), before);
});

Deno.test({
  name: "signet-pyagent install and uninstall over a config that may not be read, or written, touch nothing",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  async fn() {
    await using world = await World.create({ [CONFIG_PATH]: "a: 1\n" });
    // Root reads everything: someone without rights has to try.
    const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    await Deno.chmod(world.root, 0o755);
    for (const [mode, says] of [[0o000, /cannot be read/], [0o444, /read-only/]] as const) {
      await world.sh(`chown -R 65534:65534 "${world.home}"`);
      await Deno.chmod(`${world.home}/${CONFIG_PATH}`, mode);
      const before = await world.snapshot();
      const ran = await world.run("setpriv", [
        ...nobody,
        BINARY,
        "install",
        "--url",
        "http://127.0.0.1:9",
        "--yes",
      ]);
      assertEquals(ran.code, 5, ran.err);
      assertMatch(ran.err, says);
      assertMatch(ran.err, /^✗ .*config\.yaml/);
      assertEquals(await world.snapshot(), before);
    }
  },
});

Deno.test("signet-pyagent without arguments and without a terminal prints nothing: a hook may have lost its arguments", async () => {
  await using world = await World.create();
  for (const input of ["", '{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"hello"}']) {
    assertEquals(await world.run(BINARY, [], { input }), { code: 0, out: "", err: "" });
  }
});

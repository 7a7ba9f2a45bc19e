import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { EXIT } from "../../connectors/base/cli/command.ts";
import { run } from "../../connectors/base/cli/main.ts";
import { serve } from "../../mock_daemon/mod.ts";
import { call } from "../worlds/cli_call.ts";
import { findConnector } from "../worlds/find_connector.ts";
import { World } from "../worlds/world.ts";

const pyagent = findConnector("signet-pyagent");

Deno.test("every failure is one sentence with its subject, the next step, and its own exit code", async () => {
  await using world = await World.create({
    ".pyagent/config.yaml": "hooks: [\n",
    "key.txt": "",
    "two words.txt": "two words\n",
    "other/.pyagent/config.yaml": "",
  });
  const key = "sig_sk_0123456789ab_ZmFpbHVyZS1rZXktbm90LWEtc2VjcmV0LTE";
  const daemon = serve({ auth: "team", keys: [{ key, name: "k", scope: { agent: "other" } }] });
  const before = await world.snapshot();
  const url = ["--url", daemon.url];
  try {
    const failures: [string[], number, RegExp, Record<string, string>?][] = [
      [["install", "--url", "htp://x"], EXIT.usage, /htp:\/\/x/],
      [["install", "--url", "http://u:p@127.0.0.1:1"], EXIT.usage, /127\.0\.0\.1/],
      [
        ["install", "--url", "http://example.test:3850", "--api-key", "k"],
        EXIT.usage,
        /http:\/\/example\.test:3850.*--insecure-http/s,
      ],
      [
        ["install", "--yes", "--url", "http://example.test:3850"],
        EXIT.usage,
        /Prompts would be sent to http:\/\/example\.test:3850 over plain http.*--insecure-http/s,
      ],
      [
        ["install", ...url, "--api-key-file", `${world.home}/key.txt`],
        EXIT.usage,
        /key\.txt.*empty|The key is empty/,
      ],
      [
        ["install", ...url, "--api-key-file", `${world.home}/two words.txt`],
        EXIT.usage,
        /space or a control character/,
      ],
      [
        ["install", ...url, "--api-key-file", `${world.home}/none.txt`],
        EXIT.usage,
        /none\.txt cannot be read/,
      ],
      [["install", ...url, "--api-key", "a", "--api-key-stdin"], EXIT.usage, /more than once/],
      [["install", ...url, "--agent-id", "../x"], EXIT.usage, /\.\.\/x/],
      [["install", ...url], EXIT.file, /config\.yaml:\d+:\d+: /],
      [["status", "--mode", "admin"], EXIT.degraded, /config\.yaml:\d+:\d+: /],
      [["install", ...url], EXIT.key, /requires a valid API key \(HTTP 401/, {
        HOME: `${world.home}/other`,
      }],
      [["recall", "heron"], EXIT.unreachable, /http:\/\/127\.0\.0\.1:9 /, {
        SIGNET_DAEMON_URL: "http://127.0.0.1:9",
      }],
      [["recall", "heron"], EXIT.key, /key/i, {
        SIGNET_DAEMON_URL: daemon.url,
        SIGNET_API_KEY: "sig_sk_wrong",
      }],
      [["recall", "heron"], EXIT.key, /key|agent/i, { SIGNET_DAEMON_URL: daemon.url, SIGNET_API_KEY: key }],
      [["recall", "--limit", "many", "x"], EXIT.usage, /--limit must be a number/],
      [["sync"], EXIT.failed, /PyAgent is not connected/],
      [["install", ...url], EXIT.usage, /HOME is not set/, { HOME: "" }],
    ];
    for (const [args, code, message, more] of failures) {
      const ended = await call(pyagent, args, { env: { HOME: world.home, ...more } });
      assertEquals(ended.code, code, `${args.join(" ")}\n${ended.err}`);
      assertMatch(ended.err, message);
      assertMatch(ended.err, /^[✗!] [A-Z/-].*[.:]?$/m);
      if (code !== EXIT.degraded) assertMatch(ended.err, /^ {2}- \S/m);
      assert(!/\bat (async )?\S+ \(|TypeError|undefined|\[object/.test(ended.err), ended.err);
    }
    assertEquals(await world.snapshot(), before);
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("a file in the place of a directory is named, in text and as JSON", async () => {
  await using world = await World.create({ ".local/state/signet/pyagent": "" });
  const env = { HOME: world.home };
  const { code, err } = await call(pyagent, ["uninstall"], { env });
  assertEquals(code, EXIT.failed);
  assertMatch(err, /^✗ .*signet\/pyagent.*\.\n {2}- \S/);
  const json = await call(pyagent, ["uninstall", "--json"], { env });
  assertStringIncludes(JSON.parse(json.out).error, "signet/pyagent");
});

Deno.test("an internal error still leaves one JSON document", async () => {
  const broken = {
    ...pyagent,
    commands: pyagent.commands.map((each) => ({
      ...each,
      load: () => Promise.reject(new TypeError("a bug")),
    })),
  };
  let out = "";
  const terminal = { stdout: false, stderr: false, stdin: false, columns: 80, err() {} };
  const host = { env: () => undefined, os: Deno.build.os };
  await assertRejects(
    () => run(broken, ["status", "--json"], host, { ...terminal, out: (text) => out += text }),
    TypeError,
  );
  assertEquals(JSON.parse(out), { error: "TypeError: a bug", code: EXIT.failed });
});

Deno.test("install does not claim a connection where another plugin has our file's name", async () => {
  await using world = await World.create({
    ".config/opencode/plugins/signet.mjs": 'const SIGNET = 1; post("/api/hooks/session-start");\n',
  });
  const daemon = serve({});
  try {
    const opencode = findConnector("signet-opencode");
    const env = { HOME: world.home };
    const install = ["install", "--yes", "--url", daemon.url];
    const before = await world.snapshot();
    const blocked = await call(opencode, install, { env });
    assertEquals(blocked.code, EXIT.file);
    assertMatch(
      blocked.err,
      /The original Signet is connected here: \S+signet\.mjs:1 \(its plugin\)\.\n {2}- Nothing was written.*--replace-signet-cli/,
    );
    assertEquals(await world.snapshot(), before);
    const replaced = await call(opencode, [...install, "--replace-signet-cli"], { env });
    assertEquals(replaced.code, EXIT.ok, replaced.err);
    assertStringIncludes(replaced.out, "✓ Connected OpenCode");
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("status names a config that is there and cannot be read", async () => {
  await using world = await World.create({ ".pyagent/config.yaml/not-a-file": "" });
  const { err, out } = await call(pyagent, ["status", "--json"], { env: { HOME: world.home } });
  assertMatch(err, /config\.yaml cannot be read/);
  assertMatch(JSON.parse(out).problems[0], /config\.yaml cannot be read/);
});

Deno.test("install says so where a shell would not find the program", async () => {
  await using world = await World.create({ ".pyagent/config.yaml": "a: 1\n" });
  const install = ["install", "--yes", "--url", "http://127.0.0.1:9"];
  const bin = `${world.home}/.local/bin`;
  for (const [path, found] of [["/usr/bin", false], [`/usr/bin:${bin}`, true]] as const) {
    const { out } = await call(pyagent, install, { env: { HOME: world.home, PATH: path } });
    assertEquals(
      /\/\.local\/bin is not on PATH: add it, or run \S+\/signet-pyagent$/m.test(out),
      !found,
      out,
    );
  }
});

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EXIT } from "../../connectors/base/cli/command.ts";
import { serve } from "../../mock_daemon/mod.ts";
import type { Connector } from "../../scripts/contract/connector_files.ts";
import { call } from "../worlds/cli_call.ts";
import { findConnector } from "../worlds/find_connector.ts";
import { World } from "../worlds/world.ts";

const pyagent = findConnector("signet-pyagent");
const connect = findConnector("signet-connect");

Deno.test("a typing error is answered with a suggestion", async () => {
  const mistakes: [Connector, string[], RegExp, string][] = [
    [pyagent, ["instal"], /There is no command instal\. Did you mean install\?/, "signet-pyagent --help"],
    [pyagent, ["config"], /config needs one of show\./, "signet-pyagent help config"],
    [pyagent, ["config", "shwo"], /Did you mean show\?/, "signet-pyagent help config"],
    [
      pyagent,
      ["install", "--ulr", "x"],
      /There is no flag --ulr here\. Did you mean --url\?/,
      "signet-pyagent install --help",
    ],
    [pyagent, ["status", "--jsno"], /Did you mean --json\?/, "signet-pyagent status --help"],
    [
      pyagent,
      ["status", "--mode", "raedonly"],
      /must be one of .*Did you mean readonly\?/,
      "signet-pyagent status --help",
    ],
    [pyagent, ["help", "exit-code"], /Did you mean exit-codes\?/, "signet-pyagent help"],
    [pyagent, ["completions", "bsh"], /Did you mean bash\?/, "signet-pyagent completions bash"],
    [pyagent, ["install", "--url"], /--url needs a value: --url URL\./, "signet-pyagent install --help"],
    [
      pyagent,
      ["frobnicate-the-daemon"],
      /There is no command frobnicate-the-daemon\.\n/,
      "signet-pyagent --help",
    ],
    [
      pyagent,
      ["uninstall", "codex"],
      /signet-pyagent only serves PyAgent, not codex\./,
      "signet-pyagent uninstall --help",
    ],
    [connect, ["status", "pyagnt"], /There is no harness pyagnt\. Did you mean pyagent\?/, "one of pyagent"],
    [connect, ["api-key", "creat"], /Did you mean create\?/, "signet-connect help api-key"],
    [
      connect,
      ["install", "pi", "--ulr", "x"],
      /Did you mean --url\?/,
      "signet-connect install --help",
    ],
    [
      pyagent,
      ["login"],
      /signet-pyagent has no command login; signet-connect does\./,
      "signet-connect setup",
    ],
    [pyagent, ["update"], /signet-connect does\./, "signet-connect upgrade"],
  ];
  for (const [binary, args, message, next] of mistakes) {
    const { code, out, err } = await call(binary, args);
    assertEquals([code, out], [EXIT.usage, ""], args.join(" "));
    assertMatch(err, message);
    assertStringIncludes(err, `  - ${next}`);
    const json = await call(binary, ["--json", ...args]);
    const document = JSON.parse(json.out);
    assertEquals([json.code, document.code], [EXIT.usage, EXIT.usage]);
    assertEquals(typeof document.error, "string");
  }
});

Deno.test("the words that people type lead to the command that they mean", async () => {
  await using world = await World.create({ ".claude/keep": "" });
  const env = { HOME: world.home };
  const same = async (typed: string[], meant: string[]) =>
    assertEquals(await call(connect, typed, { env }), await call(connect, meant, { env }), typed.join(" "));
  await same(["list"], ["status"]);
  await same(["logs"], ["log"]);
  await same(["remove", "claude"], ["uninstall", "claude-code"]);
  await same(["update", "--help"], ["upgrade", "--help"]);
  await same(["login", "--help"], ["setup", "--help"]);
  await same(["version"], ["--version"]);
  await same(["status", "Claude Code"], ["status", "claude-code"]);
  await same(["status", "-H", "signet-claude-code", "--json=true"], ["status", "claude-code", "--json"]);
  assertStringIncludes((await call(connect, ["--help"])).out, "-V, --version");
});

Deno.test("recall needs no -H if all connected harnesses use the same memory", async () => {
  await using world = await World.create({ ".claude/keep": "", ".pyagent/keep": "" });
  const daemon = serve();
  try {
    const env = { HOME: world.home };
    const none = await call(connect, ["recall", "heron"], { env });
    assertEquals([none.code, none.out], [EXIT.failed, ""]);
    assertStringIncludes(none.err, "No harness is connected.\n  - signet-connect setup");
    const install = (...args: string[]) =>
      call(connect, ["install", ...args, "--yes", "--url", daemon.url], { env });
    await install("pyagent", "claude", "--agent-id", "u/a");
    assertEquals((await call(connect, ["remember", "Heron is a database"], { env })).code, EXIT.ok);
    assertStringIncludes((await call(connect, ["recall", "Heron"], { env })).out, "Heron is a database");
    await install("claude", "--agent-id", "u/b");
    const differ = await call(connect, ["recall", "Heron"], { env });
    assertEquals(differ.code, EXIT.usage);
    assertMatch(
      differ.err,
      /do not use the same memory; name one\.\n.* -H pyagent \(agent u\/a at .*\n.* -H claude-code \(agent u\/b/,
    );
    assertEquals((await call(connect, ["recall", "Heron", "-H", "claude"], { env })).code, EXIT.ok);
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("what follows -- is text, even if it looks like a flag", async () => {
  await using world = await World.create();
  const env = { HOME: world.home, SIGNET_DAEMON_URL: "http://127.0.0.1:1" };
  const { code, out, err } = await call(pyagent, ["remember", "--", "--version --json"], { env });
  assertEquals(code, EXIT.ok, err);
  assert(!out.includes("signet-pyagent 0."), out);
  assertStringIncludes(err, "saved on disk");
});

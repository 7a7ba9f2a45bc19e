import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { EXIT } from "../connectors/base/cli/command.ts";
import { run } from "../connectors/base/cli/main.ts";
import { createUi } from "../connectors/base/cli/output/ui.ts";
import { Spool } from "../hooks/spool/spool.ts";
import { serve } from "../mock_daemon/mod.ts";
import { type Connector, CONNECTORS } from "../scripts/contract/connector_files.ts";
import { until } from "../connectors/base/testing/until.ts";
import { call } from "./worlds/cli_call.ts";
import { entry } from "./worlds/sample_entry.ts";
import { World } from "./worlds/world.ts";

function program(binary: string): Connector {
  const found = CONNECTORS.find((each) => each.binary === binary);
  if (!found) throw new Error(`There is no ${binary}`);
  return found;
}
const pyagent = program("signet-pyagent");
const connect = program("signet-connect");

// deno-lint-ignore no-control-regex -- control characters are what it looks for
const COLOR = /\x1b\[/;

Deno.test("a typing error is answered with a suggestion", async () => {
  const slips: [Connector, string[], RegExp, string][] = [
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
  for (const [binary, args, said, next] of slips) {
    const { code, out, err } = await call(binary, args);
    assertEquals([code, out], [EXIT.usage, ""], args.join(" "));
    assertMatch(err, said);
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

Deno.test("on a terminal, sentences wrap between words and commands stay whole", () => {
  const lines: string[] = [];
  const ui = createUi({
    json: false,
    quiet: false,
    env: () => undefined,
    terminal: {
      stdin: true,
      stdout: true,
      stderr: true,
      columns: 40,
      out: (text) => lines.push(text),
      err: (text) => lines.push(text),
    },
  });
  ui.warn("The daemon at http://127.0.0.1:3850 is not reachable: connection refused.");
  ui.next(`To check that it works, run: ${ui.bold("signet-connect doctor claude-code codex")}`);
  assertEquals(
    // deno-lint-ignore no-control-regex -- colors
    lines.join("").replace(/\x1b\[\d+m/g, ""),
    [
      "! The daemon at http://127.0.0.1:3850 is",
      "  not reachable: connection refused.",
      "  - To check that it works, run:",
      "    signet-connect doctor claude-code codex",
      "",
    ].join("\n"),
  );
});

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
    for (const [args, code, said, more] of failures) {
      const ended = await call(pyagent, args, { env: { HOME: world.home, ...more } });
      assertEquals(ended.code, code, `${args.join(" ")}\n${ended.err}`);
      assertMatch(ended.err, said);
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

Deno.test("a bug of ours still leaves one JSON document", async () => {
  const slip = {
    ...pyagent,
    commands: pyagent.commands.map((each) => ({
      ...each,
      load: () => Promise.reject(new TypeError("a slip")),
    })),
  };
  let out = "";
  const terminal = { stdout: false, stderr: false, stdin: false, columns: 80, err() {} };
  const host = { env: () => undefined, os: Deno.build.os };
  await assertRejects(
    () => run(slip, ["status", "--json"], host, { ...terminal, out: (text) => out += text }),
    TypeError,
  );
  assertEquals(JSON.parse(out), { error: "TypeError: a slip", code: EXIT.failed });
});

Deno.test("install does not claim a connection where another plugin has our file's name", async () => {
  await using world = await World.create({
    ".config/opencode/plugins/signet.mjs": 'const SIGNET = 1; post("/api/hooks/session-start");\n',
  });
  const daemon = serve({});
  try {
    const opencode = program("signet-opencode");
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

Deno.test("what follows -- is text, even if it looks like a flag", async () => {
  await using world = await World.create();
  const env = { HOME: world.home, SIGNET_DAEMON_URL: "http://127.0.0.1:1" };
  const { code, out, err } = await call(pyagent, ["remember", "--", "--version --json"], { env });
  assertEquals(code, EXIT.ok, err);
  assert(!out.includes("signet-pyagent 0."), out);
  assertStringIncludes(err, "saved on disk");
});

Deno.test("colour is used only on terminals that allow it", async () => {
  const cases: [boolean, Record<string, string>, boolean][] = [
    [false, {}, false],
    [true, {}, true],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [false, { CLICOLOR_FORCE: "1" }, true],
  ];
  for (const [terminal, env, colored] of cases) {
    const { out } = await call(pyagent, ["--help"], { terminal, env });
    assertEquals(COLOR.test(out), colored, JSON.stringify({ terminal, env }));
  }
});

Deno.test("help environment names every SIGNET variable that the code reads", async () => {
  const { out } = await call(pyagent, ["help", "environment"], { env: { COLUMNS: "200" } });
  const read = new Set<string>();
  const look = async (dir: URL): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(dir)) {
      if (isDirectory) await look(new URL(`${name}/`, dir));
      else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) {
        const text = await Deno.readTextFile(new URL(name, dir));
        for (const [, found = ""] of text.matchAll(/\benv\("(SIGNET_[A-Z_]+)"\)/g)) read.add(found);
      }
    }
  };
  for (const dir of ["../hooks/", "../connectors/"]) await look(new URL(dir, import.meta.url));
  assert(read.size > 8, [...read].join(" "));
  for (const name of read) assertStringIncludes(out, name);
});

Deno.test("text fits a narrow terminal, except for lines to copy", async () => {
  await using world = await World.create({ ".pyagent/config.yaml": "a: 1\n" });
  const env = { HOME: world.home, SIGNET_DAEMON_URL: "http://127.0.0.1:9" };
  const pages = [
    [],
    ["capabilities"],
    ...connect.commands.map(({ id }) => ["help", ...id.split(".")]),
    ...["exit-codes", "environment", "files", "modes"].map((topic) => ["help", topic]),
  ];
  for (const page of pages) {
    for (const options of [{ env, columns: 40, terminal: true }, { env: { ...env, COLUMNS: "40" } }]) {
      const { code, out } = await call(connect, page, options);
      assertEquals(code, 0);
      // deno-lint-ignore no-control-regex -- control characters are what it looks for
      for (const line of out.replace(/\x1b\[\d+m/g, "").split("\n")) {
        const copied = /^ {2}(signet-connect |[-~]|[A-Z_]+[,= ])/.test(line);
        if (!copied) assert(line.length <= 40, `${page.join(" ")}: ${line}`);
      }
    }
  }
});

Deno.test("status names a config that is there and cannot be read", async () => {
  await using world = await World.create({ ".pyagent/config.yaml/not-a-file": "" });
  const { err, out } = await call(pyagent, ["status", "--json"], { env: { HOME: world.home } });
  assertMatch(err, /config\.yaml cannot be read/);
  assertMatch(JSON.parse(out).problems[0], /config\.yaml cannot be read/);
});

Deno.test("flush keeps what was meant for another daemon, and --rebind delivers it", async () => {
  await using world = await World.create();
  const daemon = serve();
  try {
    const env = { HOME: world.home, SIGNET_DAEMON_URL: daemon.url };
    const body = { harness: "pyagent", agentId: "default", sessionKey: "moved", runtimePath: "legacy" };
    new Spool(`${world.home}/.local/state/signet/pyagent`).add(
      entry("moved", { url: "http://127.0.0.1:9", harness: "pyagent", body }),
    );
    const kept = await call(pyagent, ["flush"], { env });
    assertEquals(kept.code, EXIT.degraded);
    assertStringIncludes(kept.err, "meant for http://127.0.0.1:9");
    assertStringIncludes(kept.out, `To deliver them to ${daemon.url}, run: signet-pyagent flush --rebind`);
    const sent = await call(pyagent, ["flush", "--rebind"], { env });
    assertEquals([sent.code, sent.out], [EXIT.ok, "✓ Delivered 1 event\n"]);
  } finally {
    await daemon.shutdown();
  }
});

Deno.test("status and flush say what the limits of the spool cost; flush resets it", async () => {
  await using world = await World.create();
  const daemon = serve();
  try {
    const env = { HOME: world.home, SIGNET_DAEMON_URL: daemon.url };
    const small = new Spool(`${world.home}/.local/state/signet/pyagent`, Date.now, {
      count: 1,
      bytes: 1e9,
      rejected: 1,
    });
    for (const key of ["a", "b", "c"]) small.add(entry(key, { url: daemon.url, harness: "pyagent" }));
    for (const label of ["x", "y"]) {
      const [item] = small.list();
      if (item) small.reject(item, label);
      small.add(entry(label, { url: daemon.url, harness: "pyagent" }));
    }
    const full = "2 events were dropped because the spool was full; the last one on ";
    const rejected = "1 event was dropped because rejected/ was full; the last one on ";
    for (const command of ["status", "flush"]) {
      const { err } = await call(pyagent, [command], { env });
      assertStringIncludes(err, full, command);
      assertStringIncludes(err, rejected, command);
    }
    const { err } = await call(pyagent, ["flush"], { env });
    assertEquals(err.includes("dropped"), false);
    const { out } = await call(pyagent, ["status", "--json"], { env });
    assertEquals(JSON.parse(out).spool.dropped, []);
  } finally {
    await daemon.shutdown();
  }
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

Deno.test("--quiet leaves warnings and errors, --json leaves one document", async () => {
  await using world = await World.create({ ".pyagent/config.yaml": "a: 1\n" });
  const env = { HOME: world.home };
  const install = ["install", "--yes", "--url", "http://127.0.0.1:9"];
  for (const flag of ["--quiet", "-q"]) {
    const { code, out, err } = await call(pyagent, [flag, ...install], { env });
    assertEquals([code, out], [0, ""]);
    assertMatch(err, /^! The daemon at http:\/\/127\.0\.0\.1:9 is not reachable/);
  }
  for (
    const args of [install, ["status"], ["doctor"], ["sync"], ["flush"], ["uninstall", "--yes"], ["help"], [
      "--version",
    ]]
  ) {
    const { out } = await call(pyagent, [...args, "--json"], { env, terminal: true });
    assertEquals(out, JSON.stringify(JSON.parse(out), null, 2) + "\n", args.join(" "));
  }
});

Deno.test("during() shows on a terminal what takes longer than a second, and clears the line", async () => {
  const said: string[] = [];
  const ui = (stderr: boolean, quiet = false) =>
    createUi({
      json: false,
      quiet,
      env: () => undefined,
      terminal: { stdout: true, stdin: true, stderr, columns: 80, out() {}, err: (text) => said.push(text) },
    });
  let end = () => {};
  const slow = new Promise<string>((resolve) => end = () => resolve("done"));
  // The step ends when the text has appeared: no clock decides.
  const shown = ui(true).during("Copying", slow);
  await until("the words appear", () => said.length > 0);
  end();
  assertEquals(await shown, "done");
  assertStringIncludes(said[0] ?? "", "… Copying");
  assertEquals(said.at(-1), "\r\x1b[2K");
  said.length = 0;
  assertEquals(await ui(true).during("Copying", Promise.resolve("at once")), "at once");
  assertEquals(await ui(false).during("Copying", Promise.resolve("no terminal")), "no terminal");
  assertEquals(await ui(true, true).during("Copying", Promise.resolve("quiet")), "quiet");
  assertEquals(said, []);
});

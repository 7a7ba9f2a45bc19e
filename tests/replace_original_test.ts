import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { EXIT } from "../connectors/base/cli/command.ts";
import { digest } from "../connectors/base/fs/digest.ts";
import { PROFILE_NAMES, serve } from "../mock_daemon/mod.ts";
import { call } from "./worlds/cli_call.ts";
import { findConnector } from "./worlds/find_connector.ts";
import { World } from "./worlds/world.ts";

const HOME = "@HOME@";

/** What the connectors of Signet 0.58 and 0.145 leave, beside things of the user. */
const LEFT: [title: string, binary: string, files: Record<string, string>, gone: RegExp][] = [
  ["Claude Code, both versions", "signet-claude-code", {
    ".claude/settings.json": `{
  "model": "opus",
  "hooks": {
    "SessionStart": [
      { "hooks": [{ "type": "command", "command": "signet hook session-start -H claude-code --project \\"$(pwd)\\"", "timeout": 3000 }] },
      { "hooks": [{ "type": "command", "command": "mine" }] }
    ],
    "SessionEnd": [{ "hooks": [{ "type": "command", "command": "signet hook session-end -H claude-code" }] }]
  }
}
`,
    ".claude.json":
      `{ "mcpServers": { "signet": { "type": "stdio", "command": "signet-mcp", "args": [], "env": {} } } }\n`,
  }, /signet hook|signet-mcp/],
  ["Codex, 0.145", "signet-codex", {
    ".codex/hooks.json": `{
  "_signet": true,
  "hooks": {
    "SessionStart": [
      {
        "_signet": true,
        "hooks": [{ "type": "command", "command": "signet hook session-start -H codex --codex-json", "timeout": 20 }]
      }
    ],
    "Stop": [{ "_signet": true, "hooks": [{ "type": "command", "command": "signet hook session-end -H codex" }] }]
  }
}
`,
    ".codex/config.toml": `model = "gpt"   # mine

# Signet MCP server
[mcp_servers.signet]
command = 'signet-mcp'

[hooks.state."${HOME}/.codex/hooks.json:session_start:0:0"]
enabled = true
trusted_hash = 'sha256:0123'

[hooks.state."${HOME}/.codex/hooks.json:stop:0:0"]
enabled = true
trusted_hash = 'sha256:4567'

[hooks.state."${HOME}/mine/hooks.json:stop:0:0"]
trusted_hash = 'sha256:89ab'

[marketplaces.signet-local]
source = "/tmp/x"

[plugins."signet@signet-local"]
enabled = true
`,
  }, /_signet|signet hook|signet-mcp|0123|4567|signet-local/],
  ["Codex, 0.145 with a remote daemon", "signet-codex", {
    ".codex/hooks.json": '{"_signet":true,"hooks":{}}\n',
    ".codex/config.toml": `[mcp_servers.signet]
url = "https://signet.example/mcp"

[mcp_servers.signet.http_headers]
Authorization = "Bearer x"
`,
  }, /_signet|signet\.example|http_headers/],
  ["Codex, 0.58", "signet-codex", {
    ".config/signet/bin/codex": '#!/bin/sh\nREAL_CODEX_BIN="/usr/bin/codex"\necho "[signet] codex wrapper"\n',
    ".zshrc": `alias ll='ls -l'
# >>> signet codex >>>
case ":$PATH:" in
  *) export PATH="$HOME/.config/signet/bin:$PATH" ;;
esac
# <<< signet codex <<<
export EDITOR=vi
`,
    ".bashrc": "# >>> signet codex >>>\nexport PATH=x\n# <<< signet codex <<<\n",
    ".codex/config.toml": "",
  }, /signet codex|REAL_CODEX_BIN/],
  ["OpenCode", "signet-opencode", {
    ".config/opencode/opencode.json": `{
  // mine
  "plugin": ["./plugins/signet.mjs", "./mine.js"],
  "mcp": { "signet": { "type": "local", "command": ["signet-mcp"], "enabled": true } }
}
`,
    ".config/opencode/plugins/signet.mjs":
      'const SIGNET = 1; export default () => post("/api/hooks/session-start");\n',
  }, /signet-mcp|const SIGNET = 1/],
  ["OpenClaw", "signet-openclaw", {
    ".openclaw/openclaw.json": `{
  // mine
  plugins: {
    allow: ["mine", "signet-memory-openclaw"],
    slots: { memory: "signet-memory-openclaw" },
    entries: {
      "signet-memory-openclaw": { enabled: true, config: { daemonUrl: "http://localhost:3850" } },
      mine: { enabled: true },
    },
  },
  hooks: { internal: { enabled: true, entries: { "signet-memory": { enabled: true } } } },
}
`,
  }, /signet-memory/],
];

const CASES = LEFT.flatMap((left) => PROFILE_NAMES.map((profile) => ({ left, profile })));

for (const { left: [title, binary, files, gone], profile } of CASES) {
  Deno.test(`install replaces the original Signet, and uninstall brings it back to the byte (${title}; daemon ${profile})`, async () => {
    await using world = await World.create();
    for (const [path, text] of Object.entries(files)) {
      await world.write(path, text.replaceAll(HOME, world.home));
      if (path.endsWith("/codex")) await Deno.chmod(`${world.home}/${path}`, 0o755);
    }
    const program = findConnector(binary);
    const daemon = serve({ profile });
    await using _ = { [Symbol.asyncDispose]: () => daemon.shutdown() };
    const env = { HOME: world.home };
    const install = ["install", "--yes", "--url", daemon.url, "--no-identity", "--no-skills"];
    const before = await world.snapshot();
    const everything = async () =>
      (await Promise.all(Object.keys(files).map((path) => world.read(path).catch(() => "")))).join("\n");

    const refused = await call(program, install, { env });
    assertEquals(refused.code, EXIT.file, refused.err);
    assertStringIncludes(refused.err, "The original Signet is connected here");
    assertStringIncludes(refused.err, "--replace-signet-cli");
    assertEquals(await world.snapshot(), before, "a refusal writes nothing");

    const shown = await call(program, [...install, "--replace-signet-cli", "--dry-run"], { env });
    assertEquals([shown.code, shown.err], [EXIT.ok, ""]);
    assert(gone.test(shown.out), shown.out);
    assertEquals(await world.snapshot(), before);

    const replaced = await call(program, [...install, "--replace-signet-cli"], { env });
    assertEquals(replaced.code, EXIT.ok, replaced.err + replaced.out);
    assertStringIncludes(replaced.out, "✓ Connected");
    const now = await everything();
    assert(!gone.test(now), now);
    if (Object.values(files).some((text) => text.includes("mine"))) assertStringIncludes(now, "mine");
    const again = await call(program, install, { env });
    assertEquals([again.code, again.err], [EXIT.ok, ""], "a second install needs no flag");

    const removed = await call(program, ["uninstall", "--yes"], { env });
    assertEquals(removed.code, EXIT.ok, removed.err);
    assertEquals(await world.snapshot(), before);
  });
}

Deno.test("uninstall brings the wrapper of 0.58 back beside what the user wrote since", async () => {
  await using world = await World.create({
    ".zshrc": "alias a=b\n# >>> signet codex >>>\nexport PATH=x\n# <<< signet codex <<<\nexport EDITOR=vi\n",
    ".codex/config.toml": "",
  });
  const program = findConnector("signet-codex");
  const daemon = serve({});
  await using _ = { [Symbol.asyncDispose]: () => daemon.shutdown() };
  const env = { HOME: world.home };
  const install = ["install", "--yes", "--url", daemon.url, "--replace-signet-cli", "--trust-hooks"];
  assertEquals((await call(program, install, { env })).code, EXIT.ok);
  await world.write(".zshrc", "alias a=b\nexport EDITOR=vi\nalias new=line\n");
  const removed = await call(program, ["uninstall", "--yes"], { env });
  assertEquals(removed.code, EXIT.ok, removed.err);
  assertEquals(
    await world.read(".zshrc"),
    "alias a=b\n# >>> signet codex >>>\nexport PATH=x\n# <<< signet codex <<<\nexport EDITOR=vi\nalias new=line\n",
  );
});

const OPENCLAW = `{
  plugins: {
    allow: ["mine", "signet-memory-openclaw"],
    entries: { "signet-memory-openclaw": { enabled: true } },
  },
}
`;

/** Connects OpenClaw in place of the original, changes something, and uninstalls. */
async function replacedMeanwhile(change: (world: World) => Promise<void>): Promise<string> {
  await using world = await World.create({ ".openclaw/openclaw.json": OPENCLAW });
  const program = findConnector("signet-openclaw");
  const daemon = serve({});
  await using _ = { [Symbol.asyncDispose]: () => daemon.shutdown() };
  const env = { HOME: world.home };
  const install = ["install", "--yes", "--url", daemon.url, "--replace-signet-cli"];
  assertEquals((await call(program, install, { env })).code, EXIT.ok);
  await change(world);
  const removed = await call(program, ["uninstall", "--yes"], { env });
  assertEquals(removed.code, EXIT.ok, removed.err);
  return await world.read(".openclaw/openclaw.json");
}

Deno.test("uninstall brings the original's entries back beside what the user wrote since", async () => {
  const now = await replacedMeanwhile(async (world) => {
    const text = await world.read(".openclaw/openclaw.json");
    await world.write(".openclaw/openclaw.json", text.replace("{", '{\n  // new\n  theme: "dark",'));
  });
  assertEquals(now, OPENCLAW.replace("{", '{\n  // new\n  theme: "dark",'));
});

Deno.test("uninstall brings back no entry that is not the original Signet's, whatever the ledger says", async () => {
  const state = ".local/state/signet/openclaw";
  const evil = '{ plugins: { allow: ["mine", "evil"] } }\n';
  const now = await replacedMeanwhile(async (world) => {
    const ledger = JSON.parse(await world.read(`${state}/ledger.json`));
    const file = ledger.files.find(({ kind }: { kind: string }) => kind === "edit");
    file.before = await digest(new TextEncoder().encode(evil));
    file.originals = [{ kind: "item", path: ["plugins", "allow"], value: "evil" }];
    await world.write(`${state}/ledger.json`, JSON.stringify(ledger));
    await world.write(`${state}/backups/${file.backup}`, evil);
  });
  assert(!now.includes("evil"), now);
  assertStringIncludes(now, "mine");
});

Deno.test("install --replace-signet-cli --trust-hooks trusts our hooks at the places that they end up in", async () => {
  const group = (command: string) => ({ hooks: [{ type: "command", command }] });
  await using world = await World.create({
    ".codex/hooks.json": JSON.stringify({
      _signet: true,
      hooks: { SessionStart: [group("signet hook session-start -H codex --codex-json")] },
    }),
    ".codex/config.toml": "",
  });
  const program = findConnector("signet-codex");
  const daemon = serve({});
  await using _ = { [Symbol.asyncDispose]: () => daemon.shutdown() };
  const install = ["install", "--yes", "--url", daemon.url, "--replace-signet-cli", "--trust-hooks"];
  assertEquals((await call(program, install, { env: { HOME: world.home } })).code, EXIT.ok);
  assertStringIncludes(await world.read(".codex/config.toml"), "hooks.json:session_start:0:0");
});

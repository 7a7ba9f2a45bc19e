import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HARNESSES } from "../../connectors/registry.ts";
import { serve } from "../../mock_daemon/mod.ts";
import { CONNECTORS } from "../../scripts/contract/connector_files.ts";
import { treeOf } from "../../connectors/base/testing/tree_of.ts";
import { call } from "../worlds/cli_call.ts";
import { findConnector } from "../worlds/find_connector.ts";
import { World } from "../worlds/world.ts";

/** What a user has in the config before. */
const CONFIGS: Record<string, [path: string, text: string]> = {
  "claude-code": [
    ".claude/settings.json",
    '{\n  "model":   "opus",\n  "hooks": { "Stop": [ { "hooks": [{"type":"command","command":"mine"}] } ] }\n}\n',
  ],
  codex: [
    ".codex/hooks.json",
    '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"mine"}]}]}}',
  ],
  copilot: [
    ".copilot/hooks/signet.json",
    '{\n  "hooks": { "agentStop": [ {"type":"command","command":"mine"} ] }\n}\n',
  ],
  kimi: [
    ".kimi-code/config.toml",
    '# mine\n[[hooks]]\nevent = "Stop"   # counts\ncommand = "mine"\n',
  ],
  gemini: [
    ".gemini/settings.json",
    '{\n  // mine\n  "hooks": { "AfterTool": [{ "hooks": [{ "type": "command", "command": "mine" }] }] }\n}\n',
  ],
};

/** Our events in a config, in order. */
function hooksIn(text: string): string[] {
  return [...text.matchAll(/ hook ([a-z-]+)/g)].map(([, event = ""]) => event).sort();
}

for (const harness of HARNESSES.filter(({ agents }) => agents !== undefined)) {
  const connector = CONNECTORS.find(({ binary }) => binary === harness.binary);
  const config = CONFIGS[harness.id];
  if (connector === undefined || config === undefined) continue;
  const [path, text] = config;

  Deno.test(`${harness.id}: install --agents stays on until --no-agents, and leaves nothing behind`, async () => {
    await using world = await World.create({ [path]: text });
    const mock = serve({});
    try {
      const before = await treeOf(world.home);
      const signet = async (...args: string[]) => {
        const ran = await call(connector, args, { env: { HOME: world.home, PATH: "/usr/bin:/bin" } });
        assertEquals(ran.code === 0 || args[0] === "doctor" || args[0] === "status", true, ran.out + ran.err);
        return ran;
      };
      const read = async () => hooksIn(await Deno.readTextFile(`${world.home}/${path}`));
      const flags = ["--yes", "--url", mock.url, "--agent-id", "me"];
      await signet("install", ...flags);
      const plain = await read();
      await signet("install", ...flags, "--agents");
      const meshed = await read();
      const added = meshed.filter((event) => !plain.includes(event));
      assert(["post-tool", "pre-tool", "turn-end", "waiting"].every((event) => added.includes(event)));
      const status = JSON.parse((await signet("status", "--json")).out);
      assertEquals((Array.isArray(status) ? status[0] : status).agents.on, true);
      assertStringIncludes((await signet("status")).out, "agents: on;");

      await signet("install", ...flags);
      assertEquals(await read(), meshed, "a later install keeps it");
      const whole = await Deno.readTextFile(`${world.home}/${path}`);
      await Deno.writeTextFile(
        `${world.home}/${path}`,
        whole.replace(" hook post-tool", " no-hook post-tool"),
      );
      await signet("doctor", "--fix");
      assertEquals(await read(), meshed, "doctor --fix brings it back");
      await Deno.writeTextFile(`${world.home}/${path}`, whole);

      await signet("install", ...flags, "--no-agents");
      assertEquals(await read(), plain);
      await signet("install", ...flags, "--agents");
      const agents = `${world.home}/.local/state/signet/agents`;
      await Deno.mkdir(`${agents}/sessions`, { recursive: true });
      await signet("uninstall", "--yes");
      assertEquals(await Deno.stat(agents).catch(() => undefined), undefined);
      const after = await treeOf(world.home);
      assertEquals(after[path]?.text, before[path]?.text);
      const configs = (tree: object) =>
        Object.keys(tree).filter((name) => /hooks|settings|config\.toml/.test(name));
      assertEquals(configs(after), configs(before));
    } finally {
      await mock.shutdown();
    }
  });
}

Deno.test("capabilities says for each harness what agents can do", async () => {
  const connect = findConnector("signet-connect");
  const { out } = await call(connect, ["capabilities"], { columns: 400 });
  assertMatch(out, /agents +messages arrive after each tool call/);
  assertMatch(out, /agents +no: /);
  const data = JSON.parse((await call(connect, ["capabilities", "--json"])).out);
  const claude = data.harnesses.find(({ id }: { id: string }) => id === "claude-code");
  assertMatch(claude.agents.idle, /woken at once/);
});

Deno.test("codex names the trust step for every hook of --agents before it is needed", async () => {
  const codex = findConnector("signet-codex");
  await using world = await World.create({});
  const mock = serve({});
  try {
    const env = { HOME: world.home, PATH: "/usr/bin:/bin" };
    const install = ["install", "--yes", "--url", mock.url, "--agents"];
    const ran = await call(codex, install, { env });
    assertStringIncludes(ran.out, "trust the 8 Signet hooks");
  } finally {
    await mock.shutdown();
  }
});

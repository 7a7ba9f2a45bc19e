import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { configAfter } from "../../connectors/base/agents/clear_agents.ts";
import { changeConfig, configFiles } from "../../connectors/base/agents/config/config_store.ts";
import { setInText } from "../../connectors/base/agents/config/edit_config.ts";
import { effectiveConfig } from "../../connectors/base/agents/config/effective_config.ts";
import { parseTransport, readTransport } from "../../connectors/base/agents/transport/read_transport.ts";
import { UserError } from "../../connectors/base/cli/command.ts";
import { treeOf } from "../../connectors/base/testing/tree_of.ts";
import { serve } from "../../mock_daemon/mod.ts";
import { parseAgentConfig } from "../../hooks/agents/config/agent_config.ts";
import { readYaml } from "../../hooks/agents/config/read_yaml.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";

const YAML = ".config/signet/agents.yaml";

async function config(machine: AgentMachine, ...args: string[]) {
  return await machine.run("agents", "config", ...args);
}

Deno.test("agents config init, set and unset edit the user's file and nothing else in it", async () => {
  await using machine = await AgentMachine.make();
  assertEquals((await config(machine, "init")).code, 0);
  const template = await machine.read(YAML);
  assertStringIncludes(template, "# locks: on");
  const { mode } = await Deno.stat(`${machine.path}/${YAML}`);
  assertEquals((mode ?? 0) & 0o777, 0o600);
  assertStringIncludes((await config(machine, "init")).out, "nothing was changed");
  assertEquals(await machine.read(YAML), template);
  await machine.write(YAML, `${template}# mine\nlocks: on   # for now\n`);
  assertEquals((await config(machine, "set", "locks", "strict")).code, 0);
  assertEquals((await config(machine, "set", "allow", "laptop", "server")).code, 0);
  assertEquals((await config(machine, "set", "start.codex", "--", "--sandbox", "read-only")).code, 0);
  assertEquals(
    await machine.read(YAML),
    `${template}# mine\nlocks: strict   # for now\nallow: [laptop, server]\n` +
      "start:\n  codex: ['--sandbox', read-only]\n",
  );
  assertEquals((await config(machine, "unset", "start.codex")).code, 0);
  assertStringIncludes((await config(machine, "set", "locks", "strict")).out, "was so already");
  const { data } = await machine.json("agents", "config", "show", "--scope", "user");
  assertEquals(data.values, [
    { key: "allow", value: ["laptop", "server"], from: ["user"] },
    { key: "locks", value: "strict", from: ["user"] },
  ]);
});

Deno.test("agents config refuses what makes no sense, and says what would", async () => {
  await using machine = await AgentMachine.make();
  const cases: readonly [args: string[], code: number, err: RegExp][] = [
    [["set", "lokcs", "on"], 2, /no key lokcs. Did you mean locks\?/],
    [["set", "locks", "of"], 2, /locks must be one of/],
    [["set", "locks"], 2, /What is set to what/],
    [["set", "flow", "a", "b"], 2, /takes one value/],
    [["set", "start", "x"], 2, /start needs a harness/],
    [["set", "locks.codex", "on"], 2, /locks has no keys below it/],
    [["set", "perTenMinutes", "-1"], 2, /-1/],
    [["set", "transport", "nats://me:secret@host"], 2, /must not hold a password/],
    [["set", "transport", "http://host"], 2, /URL of a NATS server/],
    [["set", "transport", "nats://host", "--scope", "project"], 2, /Only your own file/],
    [["set", "start.codex", "x", "--scope", "local"], 2, /Only your own file/],
    [["set", "locks", "on", "--scope", "galaxy"], 2, /--scope must be one of user, project, local/],
    [["unset"], 2, /One key/],
    [["shwo"], 2, /Did you mean show\?/],
  ];
  for (const [args, code, err] of cases) {
    const called = await config(machine, ...args);
    assertEquals(called.code, code, args.join(" "));
    assertMatch(called.err, err);
    assert(!called.err.includes("secret"));
  }
  await assertRejects(() => machine.read(YAML), Deno.errors.NotFound);
  const readonly = await config(machine, "set", "locks", "on", "--mode", "readonly");
  assertEquals(readonly.code, 4);
});

Deno.test("agents config does not write to a broken file, and show names the line", async () => {
  await using machine = await AgentMachine.make();
  const text = "locks: on\n\tdeny: x\n";
  await machine.write(YAML, text);
  const set = await config(machine, "set", "locks", "off");
  assertEquals(set.code, 5);
  assertMatch(set.err, /agents\.yaml:2: it has a tab/);
  assertEquals(await machine.read(YAML), text);
  const show = await config(machine, "show");
  assertEquals(show.code, 5);
  assertMatch(show.err, /agents\.yaml:2: it has a tab.+messages are held/s);
  assertEquals((await machine.run("agents", "instructions", "files")).code, 5);
  await machine.write(YAML, "x".repeat(10_000_000));
  assertEquals((await config(machine, "show")).code, 5);
  assertEquals((await config(machine, "set", "locks", "off")).code, 5);
});

Deno.test("agents config takes over the settings of agents.json", async () => {
  await using machine = await AgentMachine.make();
  const json = { deny: ["guest"], perTenMinutes: 3, start: { codex: ["--sandbox", "read-only"] } };
  await machine.write(".config/signet/agents.json", JSON.stringify(json));
  const { out } = await config(machine, "set", "locks", "auto");
  assertStringIncludes(out, "agents.json, which you can delete now");
  const { data } = await machine.json("agents", "config", "show", "--scope", "user");
  assertEquals(data.values, [
    { key: "deny", value: ["guest"], from: ["user"] },
    { key: "perTenMinutes", value: 3, from: ["user"] },
    { key: "locks", value: "auto", from: ["user"] },
    { key: "start", value: json.start, from: ["user"] },
  ]);
});

Deno.test("effectiveConfig() says what counts, from where, and what a repository cannot loosen", async () => {
  await using machine = await AgentMachine.make();
  const cwd = `${machine.path}/app/src`;
  await Deno.mkdir(cwd, { recursive: true });
  await Deno.mkdir(`${machine.path}/app/.git`);
  await machine.write(YAML, "allow: [a, b]\nlocks: strict\nrules: one\nflow: roundtrip\nlokcs: x\n");
  await machine.write(
    "app/.signet/agents.yaml",
    "allow: [b, evil]\nlocks: off\nrules: [two]\ndeny: [c]\nperTenMinutes: 500\n" +
      "transport: nats://evil\nstart:\n  codex: [--yolo]\nrulesFor:\n  codex: [three]\n",
  );
  await machine.write("app/.signet/agents.local.yaml", "flow: oneway\nperTenMinutes: 5\n");
  const { values, ignored } = effectiveConfig(await configFiles(machine.host, cwd), machine.host);
  assertEquals(values.map(({ key, value, from }) => [key, value, from.join()]), [
    ["rules", ["one", "two"], "user,project"],
    ["rulesFor", { codex: ["three"] }, "project"],
    ["flow", "oneway", "local"],
    ["allow", ["b"], "user,project"],
    ["deny", ["c"], "project"],
    ["stop", [], "default"],
    ["perTenMinutes", 5, "local"],
    ["locks", "strict", "user"],
    ["transport", "daemon", "default"],
    ["start", {}, "default"],
  ]);
  assertEquals(ignored.map(({ scope, key, line }) => `${scope} ${key}:${line}`), [
    "user lokcs:5",
    "project transport:6",
    "project start:7",
    "project allow:1",
    "project perTenMinutes:5",
    "project locks:2",
  ]);
  assertMatch(ignored[0]?.why ?? "", /Did you mean locks\?/);
  assertMatch(ignored[3]?.why ?? "", /evil is not on the user's list/);
});

Deno.test("changeConfig() writes the repository's file, and no link", async () => {
  await using machine = await AgentMachine.make();
  await Deno.mkdir(`${machine.path}/app/.git`, { recursive: true });
  const set = () =>
    changeConfig(
      "project",
      machine.host,
      `${machine.path}/app`,
      (text) => setInText(text, ["locks"], "strict"),
    );
  const done = await set();
  assertEquals([done.state, done.path], ["created", `${machine.path}/app/.signet/agents.yaml`]);
  assertEquals((await set()).state, "unchanged");
  await Deno.remove(done.path);
  await machine.write("secret", "locks: off\n");
  await Deno.symlink(`${machine.path}/secret`, done.path);
  await assertRejects(set, UserError, "is a link");
  assertEquals(await machine.read("secret"), "locks: off\n");
});

Deno.test("changeConfig() writes the user's file through a link, and not over somebody else's change", async () => {
  await using machine = await AgentMachine.make();
  await machine.write("dotfiles/agents.yaml", "# mine\n");
  await Deno.mkdir(`${machine.path}/.config/signet`, { recursive: true });
  await Deno.symlink(`${machine.path}/dotfiles/agents.yaml`, `${machine.path}/${YAML}`);
  assertEquals((await config(machine, "set", "locks", "auto")).code, 0);
  assertEquals(await machine.read("dotfiles/agents.yaml"), "# mine\nlocks: auto\n");
  await assertRejects(
    () =>
      changeConfig("user", machine.host, machine.path, (text) => {
        Deno.writeTextFileSync(`${machine.path}/dotfiles/agents.yaml`, "# changed\n");
        return setInText(text, ["locks"], "off");
      }),
    UserError,
    "changed at the same time",
  );
  assertEquals(await machine.read(YAML), "# changed\n");
});

Deno.test("agents instructions shows what a session gets, and sends it", async () => {
  await using machine = await AgentMachine.make();
  await machine.write(YAML, "rules: You are {{handle}} of {{agent_id}}.\n");
  const session = machine.begin("codex", { key: "3f9a0000", agentId: "me" });
  const show = await machine.run("agents", "instructions", "show", "codex-3f9a");
  assertStringIncludes(show.out, "- You are codex-3f9a of me.");
  assertStringIncludes((await machine.run("agents", "instructions", "show", "gemini")).out, "gemini-xxxx");
  assertEquals((await machine.run("agents", "instructions", "show", "nobody")).code, 2);
  const dry = await machine.run("agents", "instructions", "send", "codex", "--dry-run");
  assertEquals(dry.out, show.out);
  assertEquals(machine.unread(session), []);
  assertEquals((await machine.run("agents", "instructions", "send", "codex", "--as", "person")).code, 0);
  assertEquals(machine.unread(session).map((text) => `${text}\n`), [show.out]);
  assertEquals((await machine.run("agents", "instructions", "send", "gemini")).code, 2);
});

Deno.test("the file in docs/agents_yaml.md is one that hooks read, with every key", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/agents_yaml.md", import.meta.url));
  const [, example = ""] = /```yaml\n([^]*?)```/.exec(text) ?? [];
  const { fields, lines } = readYaml(example);
  const { config, unknown } = parseAgentConfig(fields, lines);
  assertEquals(unknown, []);
  assertEquals(Object.values(config).filter((value) => value === undefined), []);
});

Deno.test("readTransport() takes the user's choice, and no other way if the file is broken", async () => {
  await using machine = await AgentMachine.make();
  assertEquals(readTransport(machine.host), { kind: "daemon" });
  await config(machine, "set", "transport", "nats://alice@bus.example:4222");
  assertEquals(readTransport(machine.host), {
    kind: "nats",
    url: "nats://bus.example:4222",
    servers: ["bus.example:4222"],
    tls: true,
    user: "alice",
  });
  assertEquals(parseTransport("tls://[::1]:4222"), {
    kind: "nats",
    url: "tls://[::1]:4222",
    servers: ["[::1]:4222"],
    tls: true,
    user: undefined,
  });
  assertEquals(parseTransport("nats://127.0.0.1:1, nats://localhost"), {
    kind: "nats",
    url: "nats://127.0.0.1:1,nats://localhost",
    servers: ["127.0.0.1:1", "localhost:4222"],
    tls: false,
    user: undefined,
  });
  for (const wrong of ["ws://x", "http://x", "nats://", "nats://x/path", "nats://a:b@x", "nats://x,y", ""]) {
    await assertRejects(async () => await parseTransport(wrong), UserError, "transport must");
  }
  await machine.write(YAML, "transport: [a]\n");
  await assertRejects(async () => await readTransport(machine.host), UserError, "transport must be a string");
});

Deno.test("uninstall removes an agents.yaml that only commands wrote, and names one that was edited", async () => {
  const mock = serve({});
  try {
    for (const edited of [false, true]) {
      await using machine = await AgentMachine.make();
      await Deno.remove(`${machine.path}/.local`, { recursive: true });
      await config(machine, "init");
      await machine.run("install", "claude-code", "--yes", "--agents", "--url", mock.url, "--agent-id", "me");
      await config(machine, "set", "locks", "strict");
      if (edited) await machine.write(YAML, `${await machine.read(YAML)}# by hand\n`);
      await config(machine, "set", "deny", "guest");
      const dry = await machine.run("uninstall", "--all", "--dry-run");
      assertEquals(dry.out.includes("agents.yaml would be removed"), !edited, dry.out);
      const { code, out } = await machine.run("uninstall", "claude-code", "--yes");
      assertEquals(code, 0, out);
      assertMatch(out, edited ? /agents\.yaml stays, because you have edited it/ : /- ~\/.+agents\.yaml$/m);
      const left = Object.keys(await treeOf(machine.path)).filter((path) => path.includes("signet"));
      assertEquals(left, edited ? [".config/signet", ".config/signet/agents.yaml"] : []);
    }
  } finally {
    await mock.shutdown();
  }
});

Deno.test("configAfter() keeps agents.yaml while a harness needs it", async () => {
  await using machine = await AgentMachine.make();
  const settings = { url: "http://127.0.0.1:1", agentId: "me" };
  await config(machine, "set", "locks", "strict");
  const after = async (...leaving: string[]) => (await configAfter(leaving, machine.host))?.kind;
  assertEquals(await after("codex"), "removed");
  await machine.write(".config/signet/connectors/pi.json", JSON.stringify(settings), 0o600);
  assertEquals(await after("codex"), undefined, "codex never took part, and pi stays");
  await machine.connect("codex", settings);
  await machine.connect("gemini", settings);
  assertEquals([await after("codex"), await after("codex", "gemini")], [undefined, "removed"]);
});

Deno.test("doctor and status name a broken agents.yaml, keys that do not count, and a server that is away", async () => {
  await using machine = await AgentMachine.make();
  const mock = serve({});
  try {
    await machine.run("install", "claude-code", "--yes", "--agents", "--url", mock.url, "--agent-id", "me");
    await machine.write(YAML, "deny: [a]\nlocks: maybe\n");
    for (const command of ["status", "doctor", "health"]) {
      const { code, data } = await machine.json(command, "claude-code");
      assert(code !== 0, command);
      assertMatch(JSON.stringify(data), /agents\.yaml:2: locks must be one of/, command);
    }
    await machine.write(YAML, "lokcs: strict\n");
    await machine.write(".config/signet/agents.json", "{}");
    const { out, err } = await machine.run("status", "claude-code");
    assertMatch(
      out + err,
      /agents\.yaml:1: lokcs does not count: there is no such key. Did you mean locks\?/,
    );
    await machine.write(YAML, "transport: nats://127.0.0.1:1\n");
    const status = await machine.run("status", "claude-code");
    assertStringIncludes(status.out, "between machines through nats://127.0.0.1:1");
    const doctor = await machine.run("doctor", "claude-code");
    assertEquals(doctor.code === 0, false);
    assertStringIncludes(doctor.out + doctor.err, "The NATS server at nats://127.0.0.1:1");
  } finally {
    await mock.shutdown();
  }
});

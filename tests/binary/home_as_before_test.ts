import { assert, assertEquals } from "@std/assert";
import { saveOutsideAgents } from "../../connectors/base/agents/peers/outside.ts";
import { CONNECT } from "../worlds/connected.ts";
import { type RunOptions, World } from "../worlds/world.ts";

/** Commands that write files before anything is installed, with the exit code of each. */
const WRITERS: readonly [code: number, ...args: string[]][] = [
  [0, "agents", "config", "init"],
  [0, "agents", "config", "set", "locks", "strict"],
  [0, "lock", "proj/a.ts"],
  [4, "send", "codex", "--as", "person", "hello"],
  [0, "inbox"],
  [4, "wait", "--idle", "codex"],
  [0, "a2a", "tokens", "create", "e2e"],
];

const NATS = ["agents", "config", "set", "transport", "nats://127.0.0.1:9"];

/** A home with a project in it and nothing else. */
async function emptyHome() {
  const world = await World.create({ "proj/a.ts": "a\n" });
  const run = async (args: readonly string[], code: number, options: RunOptions = {}) => {
    const ran = await world.run(CONNECT, args, options);
    assertEquals(ran.code, code, `${args.join(" ")}: ${ran.out}${ran.err}`);
  };
  const install = (options?: RunOptions) =>
    run(["install", "pi", "codex", "--yes", "--url", "http://127.0.0.1:9"], 0, options);
  const uninstall = (options?: RunOptions) => run(["uninstall", "--all", "--yes"], 0, options);
  return { world, run, install, uninstall, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

for (const [code, ...args] of WRITERS) {
  Deno.test(`${args.join(" ")} before an install: uninstall leaves the home as it was`, async () => {
    await using home = await emptyHome();
    const before = await home.world.snapshot();
    await home.run(args, code);
    assert((await home.world.snapshot()).size > before.size, "the command writes nothing");
    await home.install();
    await home.uninstall();
    assertEquals(await home.world.snapshot(), before);
  });
}

Deno.test("all of these commands, a hook and a login, and then only an uninstall: the home is as it was", async () => {
  await using home = await emptyHome();
  const { world, run } = home;
  await world.write("token", "secret\n");
  const before = await world.snapshot();
  for (const [code, ...args] of WRITERS) await run(args, code);
  await run(NATS, 0);
  // It is stored, and nobody is there to accept it.
  await run(["agents", "login", "--token-file", "token"], 3);
  const input = JSON.stringify({ session_id: "s1", cwd: "/home/u/app", source: "startup" });
  await run(["hook", "session-start", "-H", "codex"], 0, { input });
  saveOutsideAgents({ os: "linux", env: (name) => name === "HOME" ? world.home : undefined }, [
    { alias: "x", url: "http://127.0.0.1:9/", token: "t" },
  ]);
  await home.uninstall();
  assertEquals(await world.snapshot(), before);
});

Deno.test("directories that were there before stay, although they are empty", async () => {
  await using home = await emptyHome();
  for (const dir of [".config", ".local/state/signet"]) {
    await Deno.mkdir(`${home.world.home}/${dir}`, { recursive: true });
  }
  const before = await home.world.snapshot();
  for (const [code, ...args] of WRITERS) await home.run(args, code);
  await home.install();
  await home.uninstall();
  // Everything in this directory is ours.
  before.delete("/.local/state/signet");
  assertEquals(await home.world.snapshot(), before);
});

Deno.test("an agents.yaml that the user has edited stays, with its directory and nothing else", async () => {
  await using home = await emptyHome();
  const before = await home.world.snapshot();
  await home.run(["agents", "config", "init"], 0);
  const file = `${home.world.home}/.config/signet/agents.yaml`;
  await Deno.writeTextFile(file, "# mine\n", { append: true });
  await home.install();
  await home.uninstall();
  const added = [...(await home.world.snapshot()).keys()].filter((path) => !before.has(path));
  assertEquals(added, ["/.config", "/.config/signet", "/.config/signet/agents.yaml"]);
});

Deno.test("XDG directories outside of the home are as they were, too", async () => {
  await using home = await emptyHome();
  await using elsewhere = await World.create();
  const env = { XDG_CONFIG_HOME: `${elsewhere.home}/c/d`, XDG_STATE_HOME: `${elsewhere.home}/s/t` };
  const before = [await home.world.snapshot(), await elsewhere.snapshot()];
  await home.run(["agents", "config", "init"], 0, { env });
  await home.run(["lock", "proj/a.ts"], 0, { env });
  await home.install({ env });
  await home.uninstall({ env });
  assertEquals([await home.world.snapshot(), await elsewhere.snapshot()], before);
});

Deno.test("an agents.yaml of our commands goes with the credentials, if those were kept at first", async () => {
  await using home = await emptyHome();
  const file = "/.config/signet/agents.yaml";
  await home.run(["agents", "config", "init"], 0);
  await home.install();
  await home.run(["uninstall", "--all", "--yes", "--keep-credentials"], 0);
  assert((await home.world.snapshot()).has(file));
  await home.uninstall();
  assert(!(await home.world.snapshot()).has(file));
});

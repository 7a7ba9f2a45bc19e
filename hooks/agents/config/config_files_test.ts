import { assertEquals, assertMatch } from "@std/assert";
import { ScratchHome } from "../../../connectors/base/testing/scratch_home.ts";
import { loadLockMode } from "../locks/lock_mode.ts";
import { DEFAULT_POLICY, loadPolicy } from "../messages/policy.ts";
import {
  type ConfigFile,
  describeProblem,
  MAX_CONFIG,
  readRepositoryConfig,
  readUserConfig,
} from "./config_files.ts";
import { repositoryRoot } from "./repository_root.ts";

class Home extends ScratchHome {
  static async make(): Promise<Home> {
    return new Home(await ScratchHome.makeRoot());
  }

  get host() {
    return { env: (name: string) => name === "HOME" ? this.path : undefined, os: Deno.build.os };
  }

  file(path: string): string {
    return `${this.path}/${path}`;
  }

  /** The user's file with this text. */
  async user(text: string): Promise<ConfigFile> {
    await this.write(".config/signet/agents.yaml", text);
    return readUserConfig(this.host);
  }

  async project(): Promise<ConfigFile> {
    const [project] = await readRepositoryConfig(`${this.path}/app`);
    if (project === undefined) throw new Error("There is always a first file.");
    return project;
  }
}

const HOLDS_ALL = { ...DEFAULT_POLICY, deny: ["*"] };

Deno.test("readUserConfig() takes effect as soon as the file is saved", async () => {
  await using home = await Home.make();
  assertEquals(loadPolicy(undefined, home.host), DEFAULT_POLICY);
  assertEquals((await loadLockMode(home.host))(), "on");
  await home.user("allow: [laptop] # mine\ndeny: guest\nperTenMinutes: 5\nlocks: auto\n");
  assertEquals(loadPolicy(undefined, home.host), {
    allow: ["laptop"],
    deny: ["guest"],
    stop: [],
    perTenMinutes: 5,
  });
  assertEquals((await loadLockMode(home.host))(), "auto");
});

Deno.test("readUserConfig() reads agents.json where there is no agents.yaml", async () => {
  await using home = await Home.make();
  await home.write(".config/signet/agents.json", '{"allow":["laptop"],"locks":"off"}');
  assertEquals(loadPolicy(undefined, home.host).allow, ["laptop"]);
  assertEquals((await loadLockMode(home.host))(), "off");
  await home.user("locks: on");
  assertEquals(loadPolicy(undefined, home.host).allow, []);
  assertEquals((await loadLockMode(home.host))(), "on");
});

Deno.test("readUserConfig() holds everything if the file is broken, and says where", async () => {
  await using home = await Home.make();
  const cases: readonly [text: string, problem: RegExp][] = [
    ["locks: on\n\tdeny: x\n", /agents\.yaml:2: it has a tab/],
    ["deny: [a]\ndeny: [b]\n", /:2: the key deny is there twice/],
    ["a: &a [x]\nb: [*a, *a]\n", /:1: anchors/],
    ["# mine\nlocks: tight\n", /:2: locks must be one of off, on, auto, strict/],
    ["start:\n  codex: [1]\n", /:2: start\.codex must be a list of strings/],
    ["perTenMinutes: many\n", /:1: perTenMinutes must be a number/],
    [`rules: ${"x".repeat(10_000_000)}\n`, /at most 65536 bytes/],
  ];
  for (const [text, problem] of cases) {
    const file = await home.user(text);
    assertEquals(file.state, "broken", text.slice(0, 50));
    assertMatch(describeProblem(file), problem);
    assertEquals(loadPolicy(undefined, home.host), HOLDS_ALL);
    assertEquals((await loadLockMode(home.host))(), "strict");
  }
  await Deno.remove(home.file(".config/signet/agents.yaml"));
  await Deno.mkdir(home.file(".config/signet/agents.yaml"));
  assertEquals(loadPolicy(undefined, home.host), HOLDS_ALL);
});

Deno.test("readUserConfig() names unknown keys and goes on", async () => {
  await using home = await Home.make();
  const file = await home.user("lokcs: strict\ndeny: [guest]\n__proto__: x\n");
  assertEquals(file.state, "broken", "a key begins with a letter");
  const typo = await home.user("lokcs: strict\ndeny: [guest]\nconstructor: x\n");
  assertEquals([typo.state, typo.unknown, typo.config.deny], ["read", ["lokcs", "constructor"], ["guest"]]);
});

Deno.test("readRepositoryConfig() reads regular files in a real directory only", async () => {
  await using home = await Home.make();
  const path = home.file("app/.signet/agents.yaml");
  assertEquals((await home.project()).state, "missing");
  await home.write("app/.signet/agents.yaml", "\ufeffrules: |\r\n  Be brief.\r\nlocks: strict\r\n");
  assertEquals((await home.project()).config.rules, ["Be brief.\n"]);
  assertEquals((await home.project()).config.locks, "strict");
  await Deno.writeTextFile(path, `rules: ${"x".repeat(MAX_CONFIG)}`);
  assertMatch(describeProblem(await home.project()), /larger than/);
  await Deno.writeFile(path, new Uint8Array([0x61, 0x3a, 0x20, 0xff]));
  assertMatch(describeProblem(await home.project()), /UTF-8/);
  await Deno.remove(path);
  await home.write("secret.yaml", "rules: secret");
  await Deno.symlink(home.file("secret.yaml"), path);
  assertEquals((await home.project()).state, "broken");
  assertEquals((await home.project()).config.rules, undefined);
  await Deno.remove(home.file("app/.signet"), { recursive: true });
  await home.write("other/agents.yaml", "rules: secret");
  await Deno.symlink(home.file("other"), home.file("app/.signet"));
  assertEquals((await home.project()).state, "missing");
});

Deno.test("readRepositoryConfig() does not open a FIFO", async () => {
  if (Deno.build.os === "windows") return;
  await using home = await Home.make();
  await Deno.mkdir(home.file("app/.signet"), { recursive: true });
  const { success } = await new Deno.Command("mkfifo", { args: [home.file("app/.signet/agents.yaml")] })
    .output();
  assertEquals(success, true);
  assertMatch(describeProblem(await home.project()), /not a regular file/);
});

Deno.test("repositoryRoot() is the nearest directory with .git, else the directory itself", async () => {
  await using home = await Home.make();
  await Deno.mkdir(home.file("app/.git"), { recursive: true });
  await Deno.mkdir(home.file("app/src/deep"), { recursive: true });
  assertEquals(repositoryRoot(home.file("app/src/deep")), home.file("app"));
  assertEquals(repositoryRoot("/no/such/directory"), "/no/such/directory");
  assertEquals(repositoryRoot(""), "");
});

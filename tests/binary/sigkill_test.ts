import { assert, assertEquals, fail } from "@std/assert";
import type { Harness } from "../../connectors/base/harness.ts";
import { HARNESSES } from "../../connectors/registry.ts";
import { DEEP } from "../../connectors/base/testing/deep.ts";
import { SEEDED, seededRandom } from "../../connectors/base/testing/seed.ts";
import { HarnessHome } from "../worlds/install/harness_home.ts";
import { World } from "../worlds/world.ts";
import { DIST } from "../worlds/built.ts";

const ROUNDS = DEEP ? 200 : 20;
const BINARY = `${DIST}/signet-connect`;
const random = seededRandom();
const LEFTOVER = /\.signet-[0-9a-f]{12}\.tmp$/;

interface Life {
  readonly world: World;
  /** On PATH: it runs from there, and is not copied. */
  readonly path: string;
}

/** The program as a download leaves it. */
async function provide(world: World): Promise<void> {
  const program = `${world.root}/opt/signet-connect`;
  await Deno.mkdir(`${world.root}/opt`, { recursive: true });
  await Deno.link(BINARY, program).catch(async (error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) await Deno.copyFile(BINARY, program);
  });
}

async function spawn({ world, path }: Life, args: readonly string[]): Promise<Deno.ChildProcess> {
  await provide(world);
  return new Deno.Command(`${world.root}/opt/signet-connect`, {
    args: [...args],
    cwd: world.home,
    env: { HOME: world.home, PATH: path, SIGNET_API_KEY: "sig_test", NO_PROXY: "*" },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

const install = (id: string) => ["install", id, "--url", "http://127.0.0.1:9", "--yes"];
const uninstall = (id: string) => ["uninstall", id, "--yes"];

async function finished(life: Life, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const { code, stdout, stderr } = await (await spawn(life, args)).output();
  assertEquals(code, 0, new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr));
  return performance.now() - began;
}

/** Kills the program at a moment between its start and its usual end. */
async function killed(life: Life, args: readonly string[], after: number): Promise<void> {
  const child = await spawn(life, args);
  const timer = setTimeout(() => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It was faster.
    }
  }, after);
  try {
    await child.output();
  } finally {
    clearTimeout(timer);
  }
}

async function files(world: World): Promise<Map<string, string>> {
  return new Map(
    [...await world.snapshot()].filter(([path]) => !/^\.?\/?\.local(?:\/state)?\/?$/.test(path)),
  );
}

/** The configs of a harness, as its users have them. */
class Configs {
  /** Their texts after an install of the program in `opt`. */
  installed: string[] = [];

  constructor(readonly world: World, readonly paths: readonly string[], readonly before: readonly string[]) {}

  static async furnish(harness: Harness, world: World): Promise<Configs> {
    const home = new HarnessHome(harness, world.home);
    await home.furnish();
    const paths = home.configs().map(({ path }) => path);
    const configs = new Configs(world, paths, paths.map((path) => Deno.readTextFileSync(path)));
    return configs;
  }

  read(): string[] {
    return this.paths.map((path) => Deno.readTextFileSync(path));
  }

  /** The configs that are neither as they were nor as an install of the program at `program` leaves them. */
  torn(program: string): string[] {
    return this.read().filter((now, i) =>
      now !== this.before[i] && now !== this.installed[i]?.replaceAll(`${this.world.root}/opt/`, program)
    );
  }
}

Deno.test(`a SIGKILL at ${ROUNDS} random moments of install and uninstall, over all harnesses, leaves whole files, and the next run repairs them ${SEEDED}`, async () => {
  await using world = await World.create();
  const configs = new Map<Harness, Configs>();
  for (const harness of HARNESSES) configs.set(harness, await Configs.furnish(harness, world));
  const before = await files(world);
  const placed: Life = { world, path: `${world.root}/opt:/usr/bin:/bin` };
  const copied: Life = { world, path: "/usr/bin:/bin" };

  let usual = 0;
  for (const [{ id }, of] of configs) {
    usual = Math.max(usual, await finished(placed, install(id)));
    of.installed = of.read();
    assert(of.paths.length === 0 || of.installed.some((text, i) => text !== of.before[i]), id);
    await finished(placed, uninstall(id));
    assertEquals(await files(world), before, id);
  }

  for (let round = 0; round < ROUNDS; round++) {
    const [{ id }, of] = [...configs][round % configs.size] ?? fail();
    // A copy of the program is the longest step: it gets one round in four.
    const life = round % 4 === 3 ? copied : placed;
    const moment = random() * usual;
    const installs = Math.floor(round / configs.size) % 2 === 0;
    const name = `round ${round}, ${installs ? "install" : "uninstall"} of ${id} killed after ${moment} ms`;
    if (!installs) await finished(life, install(id));
    await killed(life, installs ? install(id) : uninstall(id), moment);
    const program = life === placed ? `${world.root}/opt/` : `${world.home}/.local/bin/`;
    assertEquals(of.torn(program), [], name);

    if (round % 3 === 0) await finished(life, install(id));
    await finished(life, uninstall(id));
    const after = await files(world);
    assertEquals([...after.keys()].filter((path) => LEFTOVER.test(path)), [], name);
    assertEquals(after, before, name);
  }
});

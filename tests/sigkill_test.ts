import { assert, assertEquals } from "@std/assert";
import { SEEDED, seededRandom } from "../connectors/base/testing/seed.ts";
import { World } from "./worlds/world.ts";
import { ROOT, script } from "./worlds/built.ts";

const DEEP = Deno.env.get("SIGNET_TEST_DEEP") === "1";
const ROUNDS = DEEP ? 200 : 20;
const BINARY = `${ROOT}/dist/signet-pyagent`;
const random = seededRandom();
const LEFTOVER = /\.signet-[0-9a-f]{12}\.tmp$/;

interface Life {
  readonly world: World;
  /** On PATH: it runs from there, and is not copied. */
  readonly path: string;
}

/** Uninstalling removes the program from where it runs: this puts it back, as a download would. */
async function provide(world: World): Promise<void> {
  const program = `${world.root}/opt/signet-pyagent`;
  await Deno.mkdir(`${world.root}/opt`, { recursive: true });
  await Deno.link(BINARY, program).catch(async (error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) await Deno.copyFile(BINARY, program);
  });
}

async function spawn({ world, path }: Life, args: readonly string[]): Promise<Deno.ChildProcess> {
  await provide(world);
  return new Deno.Command(`${world.root}/opt/signet-pyagent`, {
    args: [...args],
    cwd: world.home,
    env: { HOME: world.home, PATH: path, SIGNET_API_KEY: "sig_test", NO_PROXY: "*" },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

const INSTALL = ["install", "--url", "http://127.0.0.1:9", "--yes"];
const UNINSTALL = ["uninstall", "--yes"];

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

Deno.test(`a SIGKILL at ${ROUNDS} random moments of install and uninstall leaves whole files, and the next run repairs them ${SEEDED}`, async () => {
  // On a machine without npm the runtime is Deno's own download.
  const built = await script("build", ["pyagent"], { env: { SIGNET_DENORT_DOWNLOAD: "" } });
  assertEquals(built.code, 0, built.stderr);
  const config = await Deno.readTextFile(`${ROOT}/tests/fixtures/configs/pyagent/config.yaml`);
  await using world = await World.create({ ".pyagent/config.yaml": config });
  const before = await files(world);
  const lives: Life[] = [{ world, path: `${world.root}/opt:/usr/bin:/bin` }, {
    world,
    path: "/usr/bin:/bin",
  }];

  const usual = await finished(lives[0] ?? { world, path: "" }, INSTALL);
  const installed = await world.read(".pyagent/config.yaml");
  assert(installed !== config);
  await finished(lives[0] ?? { world, path: "" }, UNINSTALL);
  assertEquals(await files(world), before);

  for (let round = 0; round < ROUNDS; round++) {
    // A copy of the program is the longest step: it gets one round in four.
    const life = lives[round % 4 === 3 ? 1 : 0] ?? { world, path: "" };
    const moment = random() * usual;
    const installs = round % 2 === 0;
    if (!installs) await finished(life, INSTALL);
    await killed(life, installs ? INSTALL : UNINSTALL, moment);
    const now = await world.read(".pyagent/config.yaml");
    const wanted = life === lives[0]
      ? installed
      : installed.replaceAll(`${world.root}/opt/`, `${world.home}/.local/bin/`);
    assert(
      now === config || now === wanted,
      `round ${round}, killed after ${moment} ms: a torn config\n${now}`,
    );

    if (round % 3 === 0) await finished(life, INSTALL);
    await finished(life, UNINSTALL);
    const after = await files(world);
    assertEquals(
      [...after.keys()].filter((path) => LEFTOVER.test(path)),
      [],
      `round ${round}, killed after ${moment} ms`,
    );
    assertEquals(after, before, `round ${round}, killed after ${moment} ms`);
  }
});

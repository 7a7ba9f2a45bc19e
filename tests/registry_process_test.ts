import { assert, assertEquals, assertMatch } from "@std/assert";
import { HARNESSES } from "../connectors/registry.ts";
import { findEdits } from "../connectors/base/edit/config.ts";
import { canReadUnprivileged, UNPRIVILEGED } from "../connectors/base/testing/unprivileged.ts";
import { treeOf } from "../connectors/base/testing/tree_of.ts";
import { HarnessHome } from "./worlds/install/harness_home.ts";
import { lines } from "./worlds/lines.ts";
import { programArgs } from "./worlds/programs.ts";
import { copyProgram } from "../connectors/base/testing/write_program.ts";

const SCRIPT = new URL("./worlds/install/apply_once.ts", import.meta.url).pathname;
const CONFIG = new URL("../deno.json", import.meta.url).pathname;

function once(verb: string, harness: string, home: string): Promise<Deno.CommandOutput> {
  return new Deno.Command(Deno.execPath(), {
    args: [...programArgs("tests/worlds/install/apply_once.ts"), verb, harness, home],
    stdout: "piped",
    stderr: "piped",
  }).output();
}

Deno.test("two installs at once, and an uninstall with an install, leave a consistent state", async () => {
  for (const harness of HARNESSES.slice(0, 3)) {
    await using home = await HarnessHome.make(harness);
    await home.furnish();
    const before = await treeOf(home.path);
    const both = await Promise.all([
      once("install", harness.id, home.path),
      once("install", harness.id, home.path),
    ]);
    for (const { code, stdout, stderr } of both) {
      assertEquals(code, 0, new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr));
    }
    for (const { path, format, edits } of home.configs()) {
      assert(
        findEdits(format, await Deno.readTextFile(path), edits).every(({ state }) => state === "present"),
      );
    }
    assertEquals((await home.planInstall()).changes, []);
    const mixed = await Promise.all([
      once("uninstall", harness.id, home.path),
      once("install", harness.id, home.path),
    ]);
    for (const { code, stdout } of mixed) assertEquals(code, 0, new TextDecoder().decode(stdout));
    await home.uninstall();
    assertEquals(await treeOf(home.path), before);
  }
});

/** Installs and uninstalls as an unprivileged user: file modes do not stop root. */
class Nobody implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #answers: AsyncGenerator<string>;

  private constructor(readonly dir: string) {
    // Deno and its packages may be in root's home, where nobody else may look.
    const deno = [`${dir}/deno`, "run", "-A", "--no-config", "--no-lock", `${dir}/apply_once.js`];
    const [program = "", ...args] = [...UNPRIVILEGED, ...deno];
    this.#child = new Deno.Command(program, {
      args,
      cwd: dir,
      env: { HOME: "/nonexistent", DENO_DIR: `${dir}/cache`, PATH: "/usr/bin:/bin", NO_COLOR: "1" },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#answers = lines(this.#child.stdout);
  }

  static async create(): Promise<Nobody> {
    const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "signet nobody " }));
    await copyProgram(Deno.execPath(), `${dir}/deno`);
    await Deno.mkdir(`${dir}/cache`);
    const bundled = await new Deno.Command(Deno.execPath(), {
      args: [
        "bundle",
        "--quiet",
        "--platform",
        "deno",
        "--config",
        CONFIG,
        "-o",
        `${dir}/apply_once.js`,
        SCRIPT,
      ],
      stderr: "piped",
    }).output();
    assert(bundled.success, new TextDecoder().decode(bundled.stderr));
    await Deno.chmod(dir, 0o755);
    await own(`${dir}/cache`);
    return new Nobody(dir);
  }

  /** Why it failed; null if it did not. */
  async once(verb: string, harness: string, home: string): Promise<string | null> {
    await own(home);
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify([verb, harness, home])}\n`));
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("The process ended.");
    return JSON.parse(value);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close().catch(() => {});
    await Array.fromAsync(this.#answers);
    await this.#child.status;
    await Deno.remove(this.dir, { recursive: true });
  }
}

async function own(dir: string): Promise<void> {
  if (Deno.uid() !== 0) return;
  await new Deno.Command("chown", { args: ["-R", "65534:65534", dir] }).output();
}

async function stops(user: Nobody, home: HarnessHome): Promise<void> {
  await home.furnish();
  await Deno.chmod(home.path, 0o755);
  const before = await treeOf(home.path);
  const configs = home.configs().map(({ path }) => path);
  const last = configs.at(-1) ?? "";
  const dir = last.slice(0, last.lastIndexOf("/"));

  await Deno.chmod(last, 0o440);
  const file = await user.once("install", home.harness.id, home.path);
  assertMatch(file ?? "", /is read-only; make it writable \(chmod u\+w\) and try again/);
  await Deno.chmod(last, 0o640);
  assertEquals(await treeOf(home.path), before);

  await Deno.chmod(last, 0o200);
  const unreadable = await user.once("install", home.harness.id, home.path);
  assertMatch(unreadable ?? "", /cannot be read \(permission denied\); make it readable and try again/);
  await Deno.chmod(last, 0o640);
  assertEquals(await treeOf(home.path), before);

  // The home itself has to stay writable: the state goes there first, and has to go again.
  if (dir !== home.path) {
    await Deno.chmod(dir, 0o550);
    const directory = await user.once("install", home.harness.id, home.path);
    await Deno.chmod(dir, before[dir.slice(home.path.length + 1)]?.mode ?? 0o755);
    assertMatch(directory ?? "", /cannot be written \(permission denied\); nothing was changed/);
    assertEquals(await treeOf(home.path), before);
  }

  assertEquals(await user.once("install", home.harness.id, home.path), null);
  assertEquals(await user.once("uninstall", home.harness.id, home.path), null);
  assertEquals(await treeOf(home.path), before);
}

Deno.test({
  name: "a read-only file or directory stops the install with a clear message, and nothing is changed",
  ignore: !canReadUnprivileged(),
  fn: stopsForEachHarness,
});

async function stopsForEachHarness(t: Deno.TestContext): Promise<void> {
  await using user = await Nobody.create();
  for (const harness of HARNESSES) {
    const ignore = new HarnessHome(harness, "/home/u").configs().length === 0;
    await t.step({
      name: harness.id + (ignore ? " (it has no config to edit)" : ""),
      ignore,
      async fn() {
        await using home = await HarnessHome.make(harness);
        await stops(user, home);
      },
    });
  }
}

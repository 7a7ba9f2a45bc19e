/**
 * Runs `deno test` with the arguments of this script, and with a directory for scratch
 * homes that it removes afterwards: in memory, where Linux offers enough of it. Together
 * the tests make and remove a hundred thousand small files, and on a disk that takes
 * longer than everything else.
 *
 * Without a path it runs every test, many files in one module (test_modules.ts), and starts
 * programs from bundles (worlds/programs.ts).
 */
import { statfsSync } from "node:fs";
import { testModules } from "./test_modules.ts";
import { bundlePrograms } from "./worlds/programs.ts";

const MEMORY = "/dev/shm";
/** More than all tests need at the same time. Containers often have 64 MB. */
const ENOUGH_BYTES = 2 ** 31;

/** Whether files in `/dev/shm` can be written, be large, and be run as programs. */
function hasMemory(): boolean {
  try {
    const mounts = Deno.readTextFileSync("/proc/self/mounts").split("\n").map((line) => line.split(" "));
    const [, , , options = ""] = mounts.find(([, path, type]) => path === MEMORY && type === "tmpfs") ?? [];
    if (!/^rw(?:,|$)/.test(options) || options.split(",").includes("noexec")) return false;
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** A process that a test left behind may still write here: that must not fail the run. */
async function remove(dir: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      return await Deno.remove(dir, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const isChosen = Deno.env.get("TMPDIR") !== undefined;
const scratch = await Deno.makeTempDir({
  dir: !isChosen && hasMemory() ? MEMORY : undefined,
  prefix: "signet-",
});
// Programs run as other users in here, too.
if (Deno.build.os !== "windows") await Deno.chmod(scratch, 0o755);
try {
  const isWhole = Deno.args.every((arg) => arg.startsWith("-"));
  const ignored = Deno.args.flatMap((arg) => /^--ignore=(.*)$/.exec(arg)?.[1]?.split(",") ?? []);
  const paths = isWhole ? testModules(scratch, ignored) : [];
  const bundles = isWhole ? await bundlePrograms(`${scratch}/programs`) : undefined;
  // Many tests wait for a process or a timer: two for each core keep it busy.
  const tests = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...Deno.args, ...paths],
    env: {
      TMPDIR: scratch,
      DENO_JOBS: Deno.env.get("DENO_JOBS") ?? `${2 * navigator.hardwareConcurrency}`,
      ...bundles?.env,
    },
  }).spawn();
  // Ctrl-C reaches the tests as well: this process outlives them, and cleans up.
  Deno.addSignalListener("SIGINT", () => {});
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => tests.kill("SIGTERM"));
  await bundles?.done.catch((error) => {
    tests.kill("SIGTERM");
    throw error;
  });
  Deno.exitCode = (await tests.status).code;
} finally {
  await remove(scratch);
}

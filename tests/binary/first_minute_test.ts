import { assertEquals, assertStringIncludes } from "@std/assert";
import { run } from "../../scripts/build/run.ts";
import { hostTarget } from "../../scripts/build/targets.ts";
import { contents, path } from "../worlds/install/install_machine.ts";
import { DIST, ROOT, scratchDir, script } from "../worlds/built.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";

/** The mock daemon, as a program of its own, asking everyone for a key. */
async function startDaemon(dir: string) {
  const child = new Deno.Command(`${DIST}/signet-mock-daemon`, {
    args: ["--port", "0", "--auth", "team", "--admin-key-file", `${dir}/admin-key`],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = ((await reader.read()).value ?? "").trim();
  await reader.cancel();
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

Deno.test("a newcomer with a URL and a key is connected with sh and curl, and leaves no trace", async () => {
  await using work = await scratchDir();
  const made = await script("release", [
    "--out",
    work.dir,
    "--xz-level",
    "0",
    "--target",
    hostTarget().label,
    "connect",
    "pyagent",
  ]);
  assertEquals(made.code, 0, made.stderr);
  await using files = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const file = await Deno.open(`${work.dir}/release/${new URL(request.url).pathname.slice(1)}`);
    return new Response(file.readable);
  });
  await using daemon = await startDaemon(work.dir);
  const home = `${work.dir}/home`;
  await Deno.mkdir(home);

  const ended = await run("/bin/sh", [`${ROOT}/tests/binary/first_minute.sh`], {
    cwd: home,
    env: {
      HOME: home,
      PATH: await path({ without: ["xz", "unzip"], plus: ["head"] }),
      RELEASE: `http://127.0.0.1:${files.addr.port}`,
      DAEMON: daemon.url,
      ADMIN_KEY_FILE: `${work.dir}/admin-key`,
    },
    clearEnv: true,
    timeoutMs: HANG_MS,
  });
  assertEquals(ended.code, 0, `${ended.stdout}\n${ended.stderr}`);
  assertStringIncludes(ended.stdout, "✓ Connected PyAgent");
  assertStringIncludes(ended.stdout, "✓ PyAgent is connected");
  const left = contents(home).filter((name) => ![".local", ".local/bin"].includes(name));
  assertEquals(left, []);
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../hooks/daemon/version.ts";
import { machineOfFile } from "../../scripts/build/machine.ts";
import { run } from "../../scripts/build/run.ts";
import { scratchDir, script } from "../worlds/built.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";

Deno.test("the arm64 binary starts, and answers a hook, under qemu", async () => {
  await using made = await scratchDir();
  const out = made.dir;
  const built = await script("build", ["--out", out, "--target", "linux-arm64", "pyagent"]);
  assertEquals(built.code, 0, built.stderr);
  const binary = `${out}/signet-pyagent-linux-arm64`;
  assertEquals(await machineOfFile(binary), "linux-arm64");

  await using home = await scratchDir();
  const emulated = async (args: string[], env: Record<string, string> = {}) =>
    await run("qemu-aarch64-static", ["-L", "/usr/aarch64-linux-gnu", binary, ...args], {
      cwd: home.dir,
      env: { HOME: home.dir, NO_COLOR: "1", ...env },
      input: "{}",
      timeoutMs: HANG_MS,
    });
  const version = await emulated(["--version"]);
  assertEquals(version.code, 0, version.stderr);
  assertStringIncludes(version.stdout, VERSION);
  const hook = await emulated(["hook", "session-start"], { SIGNET_NO_HOOKS: "1" });
  assertEquals(hook.code, 0, hook.stderr);
});

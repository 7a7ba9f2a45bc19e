import { assertEquals } from "@std/assert";
import { failure, run } from "./run.ts";

Deno.test("run() has no time limit unless one is given, and failure() names it", async () => {
  const script = (code: string, timeoutMs?: number) =>
    run(Deno.execPath(), ["eval", code], { timeoutMs, env: { NO_COLOR: "1" } });
  const good = await script("console.log(1)");
  assertEquals([good.code, good.late, good.stdout], [0, false, "1\n"]);
  const late = await script("await new Promise((done) => setTimeout(done, 600_000))", 1);
  assertEquals([late.late, failure(late, 30 * 60_000)], [true, "it did not end in 30 minutes"]);
  const failed = await script("console.error('no space left'); Deno.exit(3)");
  assertEquals(failure(failed, 1), "no space left");
  assertEquals(failure(await script("Deno.exit(3)"), 1), "exit code 3");
});

import { assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { HANG_MS } from "../connectors/base/testing/until.ts";
import { run } from "./build/run.ts";
import { writeProgram } from "../connectors/base/testing/write_program.ts";

const CI_RUN = fromFileUrl(new URL("../.ci/run", import.meta.url));

/** Runs .ci/run in a tree whose `scripts/deno task NAME` runs the shell commands in `answers`. */
async function ci(answers: Record<string, string>, stages: readonly string[]) {
  const root = await Deno.makeTempDir();
  await Deno.mkdir(`${root}/.ci`);
  await Deno.mkdir(`${root}/scripts`);
  await Deno.copyFile(CI_RUN, `${root}/.ci/run`);
  const arms = Object.entries(answers).map(([task, body]) => `${task}) ${body};;`).join("\n");
  await writeProgram(`${root}/scripts/deno`, `#!/bin/sh\ncase "$2" in\n${arms}\nesac\n`);
  const ended = await run("bash", [`${root}/.ci/run`, ...stages], { cwd: "/", timeoutMs: HANG_MS });
  return {
    code: ended.code,
    last: ended.stdout.trim().split("\n").at(-1),
    stdout: ended.stdout,
    stderr: ended.stderr,
  };
}

Deno.test({
  name: ".ci/run adds up the counts of all stages, and fails if one fails",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const cases: [string, Record<string, string>, string[], string, number][] = [
      [
        "success",
        {
          test: "echo 'ok | 10 passed (3 steps) | 0 failed | 2 ignored (1s)'",
          e2e: "echo 'total: 5 passed, 0 failed'",
          build: "",
        },
        ["test", "build", "e2e"],
        "16 passed, 0 failed",
        0,
      ],
      [
        "a failure",
        { test: "echo 'FAILED | 10 passed | 2 failed (1s)'; exit 1" },
        ["test"],
        "10 passed, 2 failed",
        1,
      ],
      [
        "died after counting",
        { test: "echo 'ok | 10 passed | 0 failed'; exit 1" },
        ["test"],
        "10 passed, 1 failed",
        1,
      ],
      ["nothing counted", { test: "echo hello" }, ["test"], "0 passed, 1 failed", 1],
      ["nothing ran", { test: "echo 'ok | 0 passed | 0 failed'" }, ["test"], "0 passed, 1 failed", 1],
      ["no such task", { build: "exit 1" }, ["build"], "0 passed, 1 failed", 1],
      [
        "the sum is the last count",
        { e2e: "echo 'pi: 3 passed, 1 failed (2 s)'; echo 'total: 7 passed, 1 failed, 1 not run'; exit 1" },
        ["e2e"],
        "7 passed, 1 failed",
        1,
      ],
    ];
    for (const [title, answers, stages, last, code] of cases) {
      const ended = await ci(answers, stages);
      assertEquals([ended.last, ended.code], [last, code], `${title}:\n${ended.stdout}${ended.stderr}`);
    }
    const wrong = await ci({}, ["tset"]);
    assertEquals(wrong.code, 2);
    assertStringIncludes(wrong.stderr, "unknown stage tset");
  },
});

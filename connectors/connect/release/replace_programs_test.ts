import { assertEquals, assertRejects } from "@std/assert";
import { applyPlan } from "../../base/install/apply/apply.ts";
import { UserError } from "../../base/cli/command.ts";
import { digest } from "../../base/fs/digest.ts";
import { realOs } from "../../base/fs/os.ts";
import type { PlanInput } from "../../base/install/plan/plan.ts";
import { planInstall } from "../../base/install/plan/plan_install.ts";
import { planUninstall } from "../../base/install/plan/plan_uninstall.ts";
import { withHome } from "../../base/testing/scratch.ts";
import { treeOf } from "../../base/testing/tree_of.ts";
import { until } from "../../base/testing/until.ts";
import { type Replacement, replacePrograms, startCheck } from "./replace_programs.ts";

function request(home: string, harness: string): PlanInput {
  return {
    harness,
    stateDir: `${home}/.local/state/signet/${harness}`,
    targets: [{
      kind: "program",
      path: `${home}/.local/bin/signet-${harness}`,
      from: `${home}/download/signet-pyagent-1`,
    }],
  };
}

/** Two harnesses, each with its program, and a replacement for both. */
async function installed(home: string): Promise<Replacement[]> {
  const text = "#!/bin/sh\necho new\n";
  return await Promise.all(["pi", "codex"].map(async (harness) => {
    const planned = request(home, harness);
    await applyPlan(realOs, await planInstall(realOs, planned));
    const staged = `${home}/download/new-${harness}`;
    await Deno.writeTextFile(staged, text, { mode: 0o755 });
    return {
      path: `${home}/.local/bin/signet-${harness}`,
      name: `signet-${harness}`,
      recordedIn: [planned.stateDir],
      links: [],
      staged,
      digest: await digest(new TextEncoder().encode(text)),
    };
  }));
}

const signal = new AbortController().signal;

/**
 * Linux does not run a file that is open for writing, which a child that another test starts
 * at this moment has open until its exec.
 */
async function startedAtLast(path: string): Promise<void> {
  let busy: string | undefined;
  await until("the program can be run", async () => {
    busy = await startCheck(path).then(() => undefined, (error: Error) => error.message);
    return busy === undefined || !busy.includes("Text file busy");
  });
  assertEquals(busy, undefined);
}

Deno.test("replacePrograms() replaces all programs, and uninstall still recognizes them", async () => {
  await withHome({}, async (home) => {
    const before = await treeOf(home);
    const replacements = await installed(home);
    await replacePrograms(realOs, replacements, { signal, check: startedAtLast });
    for (const { path } of replacements) {
      assertEquals(await Deno.readTextFile(path), "#!/bin/sh\necho new\n");
      assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o755);
    }
    for (const harness of ["pi", "codex"]) {
      const plan = await planUninstall(realOs, request(home, harness));
      assertEquals(plan.warnings, []);
      await applyPlan(realOs, plan);
      await Deno.remove(`${home}/download/new-${harness}`);
    }
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("replacePrograms() rolls back if a new program does not start", async () => {
  await withHome({}, async (home) => {
    const replacements = await installed(home);
    const before = await treeOf(home);
    let started = 0;
    const check = () => ++started === 2 ? Promise.reject(new Error("it crashed")) : Promise.resolve();
    const error = await assertRejects(
      () => replacePrograms(realOs, replacements, { signal, check }),
      UserError,
      "The upgrade was rolled back (it crashed).",
    );
    assertEquals(error.next, "Nothing was changed.");
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("replacePrograms() starts a program through its links too, and rolls back if one does not start", async () => {
  await withHome({}, async (home) => {
    const [first, second] = await installed(home);
    if (!first || !second) throw new Error("two programs are expected");
    const link = `${home}/.local/bin/signet-gemini`;
    await Deno.symlink("signet-codex", link);
    const before = await treeOf(home);
    const started: string[] = [];
    const check = (path: string) => {
      started.push(path);
      return path === link ? Promise.reject(new Error("not through the link")) : Promise.resolve();
    };
    await assertRejects(
      () => replacePrograms(realOs, [first, { ...second, links: [link] }], { signal, check }),
      UserError,
      "The upgrade was rolled back (not through the link).",
    );
    assertEquals(started, [first.path, second.path, link]);
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("replacePrograms() rolls back when it is interrupted", async () => {
  await withHome({}, async (home) => {
    const replacements = await installed(home);
    const before = await treeOf(home);
    const stop = new AbortController();
    const check = () => Promise.resolve(stop.abort());
    await assertRejects(
      () => replacePrograms(realOs, replacements, { signal: stop.signal, check }),
      UserError,
      "interrupted",
    );
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("startCheck() runs --version and hook", async () => {
  const cases: [string, string | undefined][] = [
    ['#!/bin/sh\n[ "$1" = --version ] && echo "signet-pi 1.2.3"\nexit 0\n', undefined],
    ["#!/bin/sh\necho no such library >&2\nexit 127\n", "--version: no such library"],
    ['#!/bin/sh\n[ "$1" = --version ] && exit 0\nexit 9\n', "hook --help: exit code 9"],
    ["\x7fELF", "--version: "],
  ];
  for (const [text, problem] of cases) {
    const path = await Deno.makeTempFile({ prefix: "signet-" });
    try {
      await Deno.writeTextFile(path, text);
      await Deno.chmod(path, 0o755);
      if (problem === undefined) assertEquals(await startCheck(path), "1.2.3");
      else await assertRejects(() => startCheck(path), Error, problem);
    } finally {
      await Deno.remove(path);
    }
  }
});

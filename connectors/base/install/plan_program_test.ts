import { assert, assertEquals } from "@std/assert";
import { applyPlan } from "./apply.ts";
import type { Target } from "../harness.ts";
import { type Os, realOs } from "../fs/os.ts";
import type { PlanRequest } from "./plan.ts";
import { planInstall } from "./plan_install.ts";
import { planUninstall } from "./plan_uninstall.ts";
import { withHome } from "../testing/scratch.ts";
import { treeOf } from "../testing/tree_of.ts";

/** A program that runs from where the hooks call it. */
async function inPlace(home: string): Promise<PlanRequest> {
  const path = `${home}/.local/bin/signet-pyagent`;
  await Deno.mkdir(`${home}/.local/bin`, { recursive: true });
  await Deno.writeTextFile(path, "version 1", { mode: 0o755 });
  const targets: Target[] = [{ kind: "program", path, from: path }];
  return { harness: "pyagent", stateDir: `${home}/.local/state/signet/pyagent`, targets };
}

const install = async (request: PlanRequest, os: Os = realOs) =>
  await applyPlan(os, await planInstall(os, request));
const uninstall = async (request: PlanRequest, os: Os = realOs) =>
  await applyPlan(os, await planUninstall(os, request));

Deno.test("planProgram() does not copy a program that runs in place; uninstall removes it, even after a manual upgrade", async () => {
  for (const upgraded of [false, true]) {
    await withHome({}, async (home) => {
      const request = await inPlace(home);
      const before = await treeOf(home);
      for (let round = 0; round < 2; round++) await install(request);
      assertEquals((await treeOf(home))[".local/bin/signet-pyagent"], before[".local/bin/signet-pyagent"]);
      if (upgraded) await Deno.writeTextFile(`${home}/.local/bin/signet-pyagent`, "version 2");
      const { warnings } = await uninstall(request);
      assertEquals(warnings, []);
      const { ".local/bin/signet-pyagent": program, ...rest } = before;
      assert(program);
      assertEquals(await treeOf(home), rest);
    });
  }
});

Deno.test("planProgram() does not record a program of another user", async () => {
  await withHome({}, async (home) => {
    const request = await inPlace(home);
    const before = await treeOf(home);
    const someone = (path: string) => path.endsWith("/bin/signet-pyagent");
    const os: Os = {
      ...realOs,
      async lstat(path) {
        const found = await realOs.lstat(path);
        return found && someone(path) ? { ...found, uid: (found.uid ?? 0) + 1 } : found;
      },
    };
    await install(request, os);
    await uninstall(request, os);
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("planUninstall() keeps a program that is neither the installed one nor the running one", async () => {
  await withHome({}, async (home) => {
    const request = await inPlace(home);
    await install(request);
    await Deno.writeTextFile(`${home}/.local/bin/signet-pyagent`, "another");
    await Deno.writeTextFile(`${home}/elsewhere`, "the one that runs", { mode: 0o755 });
    const targets: Target[] = request.targets.map((target) =>
      target.kind === "program" ? { ...target, from: `${home}/elsewhere` } : target
    );
    const { warnings } = await uninstall({ ...request, targets });
    assertEquals(warnings.length, 1);
    assertEquals(await Deno.readTextFile(`${home}/.local/bin/signet-pyagent`), "another");
  });
});

Deno.test("planUninstall() warns about a program that it keeps because there is no record", async () => {
  await withHome({}, async (home) => {
    const { targets, ...rest } = await inPlace(home);
    const notes = `${home}/notes.md`;
    const request: PlanRequest = {
      ...rest,
      targets: [...targets, { kind: "file", path: notes, text: "ours", owns: (text) => text === "ours" }],
    };
    await install(request);
    await Deno.remove(`${request.stateDir}/ledger.json`);
    const { removed, warnings } = await uninstall(request);
    assertEquals(removed, [notes]);
    assert(warnings.some((each) => /\.local\/bin\/signet-pyagent was kept/.test(each)), warnings.join("\n"));
    assertEquals((await uninstall(request)).warnings, [], "nothing of ours is left to speak of");
  });
});

import { assert, assertEquals } from "@std/assert";
import { applyPlan } from "../apply/apply.ts";
import type { Target } from "../../harness.ts";
import { type Os, realOs } from "../../fs/os.ts";
import type { PlanInput } from "./plan.ts";
import { planInstall } from "./plan_install.ts";
import { planUninstall } from "./plan_uninstall.ts";
import { withHome } from "../../testing/scratch.ts";
import { treeOf } from "../../testing/tree_of.ts";

/** A program that runs from where the hooks call it. */
async function inPlace(home: string): Promise<PlanInput> {
  const path = `${home}/.local/bin/signet-pyagent`;
  await Deno.mkdir(`${home}/.local/bin`, { recursive: true });
  await Deno.writeTextFile(path, "version 1", { mode: 0o755 });
  const targets: Target[] = [{ kind: "program", path, from: path }];
  return { harness: "pyagent", stateDir: `${home}/.local/state/signet/pyagent`, targets };
}

const install = async (request: PlanInput, os: Os = realOs) =>
  await applyPlan(os, await planInstall(os, request));
const uninstall = async (request: PlanInput, os: Os = realOs) =>
  await applyPlan(os, await planUninstall(os, request));

Deno.test("planProgram() does not copy a program that runs in place, and uninstall keeps and names it", async () => {
  for (const upgraded of [false, true]) {
    await withHome({}, async (home) => {
      const request = await inPlace(home);
      const program = `${home}/.local/bin/signet-pyagent`;
      for (let round = 0; round < 2; round++) await install(request);
      if (upgraded) await Deno.writeTextFile(program, "version 2");
      const before = await treeOf(home);
      const { warnings, removed } = await uninstall(request);
      assertEquals(warnings, [
        `${program} was not copied by install and was kept; delete it if nothing else needs it`,
      ]);
      assertEquals(removed, []);
      assertEquals((await treeOf(home))[".local/bin/signet-pyagent"], before[".local/bin/signet-pyagent"]);
    });
  }
});

Deno.test("planUninstall() keeps a program that was there before, even if install brought it up to date", async () => {
  await withHome({}, async (home) => {
    const { targets: [placed], ...rest } = await inPlace(home);
    if (placed?.kind !== "program") throw new Error("The first target is not the program.");
    const newer = { ...rest, targets: [{ ...placed, from: `${home}/download/signet-pyagent-2` }] };
    await install(newer);
    assertEquals(await Deno.readTextFile(placed.path), "#!/bin/sh\necho 2\n");
    const { warnings } = await uninstall(newer);
    assertEquals(warnings.length, 1);
    assertEquals(await Deno.readTextFile(placed.path), "#!/bin/sh\necho 2\n");
  });
});

Deno.test("planUninstall() removes a copied program, also if it ran in place since", async () => {
  await withHome({}, async (home) => {
    const before = await treeOf(home);
    const path = `${home}/.local/bin/signet-pyagent`;
    const stateDir = `${home}/.local/state/signet/pyagent`;
    const at = (from: string): PlanInput => ({
      harness: "pyagent",
      stateDir,
      targets: [{ kind: "program", path, from }],
    });
    await install(at(`${home}/download/signet-pyagent-1`));
    await install(at(path));
    const { warnings } = await uninstall(at(path));
    assertEquals(warnings, []);
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("planUninstall() keeps a copied program that someone replaced", async () => {
  await withHome({}, async (home) => {
    const path = `${home}/.local/bin/signet-pyagent`;
    const request: PlanInput = {
      harness: "pyagent",
      stateDir: `${home}/.local/state/signet/pyagent`,
      targets: [{ kind: "program", path, from: `${home}/download/signet-pyagent-1` }],
    };
    await install(request);
    await Deno.writeTextFile(path, "another");
    const { warnings } = await uninstall(request);
    assertEquals(warnings, [`${path} is not the program that was installed and was kept`]);
    assertEquals(await Deno.readTextFile(path), "another");
  });
});

Deno.test("planUninstall() warns about a program that it keeps because there is no record", async () => {
  await withHome({}, async (home) => {
    const { targets, ...rest } = await inPlace(home);
    const notes = `${home}/notes.md`;
    const request: PlanInput = {
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

import { assert, assertEquals, assertRejects } from "@std/assert";
import { applyPlan } from "../apply/apply.ts";
import type { Target } from "../../harness.ts";
import { realOs } from "../../fs/os.ts";
import { combinePlans, type PlanInput } from "../plan/plan.ts";
import { planInstall } from "../plan/plan_install.ts";
import { planUninstall } from "../plan/plan_uninstall.ts";
import { withHome } from "../../testing/scratch.ts";
import { treeOf } from "../../testing/tree_of.ts";

/** A harness that has its own secret and shares the program with the others. */
function request(home: string, harness: string, program = "signet-connect"): PlanInput {
  const targets: Target[] = [
    { kind: "program", path: `${home}/.local/bin/${program}`, from: `${home}/download/signet-pyagent-1` },
    { kind: "secret", path: `${home}/.config/signet/connectors/${harness}.json`, text: "{}\n" },
  ];
  return { harness, stateDir: `${home}/.local/state/signet/${harness}`, targets };
}

const install = async (request: PlanInput) => applyPlan(realOs, await planInstall(realOs, request));
const uninstall = async (request: PlanInput) => applyPlan(realOs, await planUninstall(realOs, request));

for (const order of [["pi", "codex"], ["codex", "pi"]] as const) {
  Deno.test(`a shared program and directories are removed with the last harness: ${order.join(", then ")}`, async () => {
    await withHome({}, async (home) => {
      const before = await treeOf(home);
      await install(request(home, "pi"));
      await install(request(home, "codex"));
      await uninstall(request(home, order[0]));
      assert(await realOs.stat(`${home}/.local/bin/signet-connect`), "the other one's hooks call it");
      await uninstall(request(home, order[1]));
      assertEquals(await treeOf(home), before);
    });
  });
}

Deno.test("harnesses installed and uninstalled in one plan leave the home as it was", async () => {
  await withHome({}, async (home) => {
    const before = await treeOf(home);
    const [pi, codex] = [request(home, "pi"), request(home, "codex")];
    await applyPlan(realOs, combinePlans(await planInstall(realOs, pi), await planInstall(realOs, codex)));
    const plan = combinePlans(
      await planUninstall(realOs, pi),
      await planUninstall(realOs, { ...codex, leaving: ["pi"] }),
    );
    assertEquals(plan.changes.filter(({ kind }) => kind === "remove-program").length, 1);
    await applyPlan(realOs, plan);
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("planInstall() with another program keeps the old one while another harness calls it", async () => {
  await withHome({}, async (home) => {
    const before = await treeOf(home);
    await install(request(home, "pi"));
    await install(request(home, "codex"));
    await install(request(home, "pi", "signet-pi"));
    assert(await realOs.stat(`${home}/.local/bin/signet-connect`));
    await install(request(home, "codex", "signet-codex"));
    assertEquals(await realOs.stat(`${home}/.local/bin/signet-connect`), undefined);
    await uninstall(request(home, "codex", "signet-codex"));
    await uninstall(request(home, "pi", "signet-pi"));
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("a program that another harness installed is shared", async () => {
  await withHome({}, async (home) => {
    const before = await treeOf(home);
    await install(request(home, "pi"));
    const program = `${home}/.local/bin/signet-connect`;
    const codex = request(home, "codex");
    const inPlace = {
      ...codex,
      targets: codex.targets.map((target) =>
        target.kind === "program" ? { ...target, from: program } : target
      ),
    };
    await install(inPlace);
    await uninstall(request(home, "pi"));
    assert(await realOs.stat(program), "codex's hooks call it");
    await uninstall(inPlace);
    assertEquals(await treeOf(home), before);
  });
});

Deno.test("applyPlan() undoes everything when it is aborted, at any harness", async () => {
  for (const at of [0, 1]) {
    await withHome({}, async (home) => {
      const before = await treeOf(home);
      const plans = [
        await planInstall(realOs, request(home, "pi")),
        await planInstall(realOs, request(home, "codex")),
      ];
      const stop = new AbortController();
      let parts = 0;
      await assertRejects(
        () =>
          applyPlan(realOs, combinePlans(...plans), {
            signal: stop.signal,
            onPart: () => parts++ === at && stop.abort(),
          }),
        Error,
        "nothing was changed",
      );
      assertEquals(await treeOf(home), before);
    });
  }
});

import { assertEquals, assertRejects } from "@std/assert";
import { realOs } from "../fs/os.ts";
import { applyPlan } from "../install/apply/apply.ts";
import { planInstall } from "../install/plan/plan_install.ts";
import { planUninstall } from "../install/plan/plan_uninstall.ts";
import { withHome } from "../testing/scratch.ts";
import { treeOf } from "../testing/tree_of.ts";
import { recordedSource, recordSource } from "./release_source_record.ts";

const URL = "https://downloads.example/signet/v0.1.0";

Deno.test("recordSource() is kept by a failed install and an idle uninstall, and goes with the last harness", async () => {
  await withHome({}, async (home) => {
    const host = { os: "linux" as const, env: (name: string) => name === "HOME" ? home : undefined };
    const before = await treeOf(home);
    assertEquals(await recordedSource(host), undefined);
    await recordSource(host, URL);
    assertEquals(await recordedSource(host), URL);
    const recorded = await treeOf(home);
    const request = (harness: string) => ({
      harness,
      stateDir: `${home}/.local/state/signet/${harness}`,
      targets: [{
        kind: "secret" as const,
        path: `${home}/.config/signet/connectors/${harness}.json`,
        text: "{}\n",
      }],
    });

    await applyPlan(realOs, await planUninstall(realOs, request("pi")));
    assertEquals(await treeOf(home), recorded, "nothing was installed");
    const failing = { ...realOs, syncDir: () => Promise.reject(new Error("no space left")) };
    await assertRejects(async () => await applyPlan(failing, await planInstall(realOs, request("pi"))));
    assertEquals(await treeOf(home), recorded, "the install was rolled back");

    for (const harness of ["pi", "codex"]) {
      await applyPlan(realOs, await planInstall(realOs, request(harness)));
    }
    await applyPlan(realOs, await planUninstall(realOs, request("pi")));
    assertEquals(await recordedSource(host), URL);
    await applyPlan(realOs, await planUninstall(realOs, request("codex")));
    assertEquals(await recordedSource(host), undefined);
    await Deno.remove(`${home}/.local/state`).catch(() => {});
    await Deno.remove(`${home}/.local`).catch(() => {});
    assertEquals(await treeOf(home), before);
  });
});

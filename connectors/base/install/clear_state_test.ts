import { assertEquals } from "@std/assert";
import { realOs } from "../fs/os.ts";
import { requestFor, withHome } from "../testing/scratch.ts";
import { treeOf } from "../testing/tree_of.ts";
import { applyPlan } from "./apply/apply.ts";
import { clearState } from "./clear_state.ts";
import { planInstall } from "./plan/plan_install.ts";
import { planUninstall } from "./plan/plan_uninstall.ts";

/** Installs and uninstalls while a drain writes: during the changes, and after each of the first clears. */
async function uninstallBeside(home: string, late: { during?: string; clears?: number }): Promise<void> {
  const request = requestFor(home);
  const { stateDir } = request;
  await applyPlan(realOs, await planInstall(realOs, request));
  let clears = 0;
  await applyPlan(realOs, await planUninstall(realOs, request), {
    onPart() {
      if (late.during === undefined) return;
      const path = `${stateDir}/${late.during}`;
      Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      Deno.writeTextFileSync(path, "{}\n");
    },
    async clear() {
      await clearState(stateDir, { keepSpool: true });
      if (clears++ < (late.clears ?? 0)) await Deno.writeTextFile(`${stateDir}/hook.log`, "{}\n");
    },
  });
}

Deno.test("uninstall leaves nothing behind if a drain writes its log meanwhile", async (t) => {
  for (const late of [{ during: "hook.log" }, { clears: 1 }, { during: "drain.lock", clears: 3 }]) {
    await t.step(JSON.stringify(late), () =>
      withHome({}, async (home) => {
        const before = await treeOf(home);
        await uninstallBeside(home, late);
        assertEquals(await treeOf(home), before);
      }));
  }
});

Deno.test("uninstall keeps an event that a hook spools meanwhile", () =>
  withHome({}, async (home) => {
    await uninstallBeside(home, { during: "spool/1.json" });
    assertEquals(await Deno.readTextFile(`${requestFor(home).stateDir}/spool/1.json`), "{}\n");
  }));

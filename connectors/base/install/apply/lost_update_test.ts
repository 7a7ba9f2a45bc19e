import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Os, realOs } from "../../fs/os.ts";
import { requestFor, withHome } from "../../testing/scratch.ts";
import { treeOf } from "../../testing/tree_of.ts";
import { applyPlan } from "./apply.ts";
import { planInstall } from "../plan/plan_install.ts";
import { planUninstall } from "../plan/plan_uninstall.ts";

const CONFIG = ".pyagent/config.yaml";

/** A system on which the harness rewrites its config at one moment of an install. */
function busyOs(path: string, moment: (call: string, path: string) => boolean, times = 1): Os {
  let left = times;
  const rewrite = async (call: string, at: string) => {
    if (left <= 0 || !moment(call, at)) return;
    left--;
    await Deno.writeTextFile(path, `from_the_harness_${left}: 1\n` + await Deno.readTextFile(path));
  };
  return {
    ...realOs,
    async copy(from, to, mode) {
      await realOs.copy(from, to, mode);
      await rewrite("copy", to);
    },
    async create(to, bytes, mode) {
      await realOs.create(to, bytes, mode);
      await rewrite("create", to);
    },
    async overwrite(to, bytes) {
      await realOs.overwrite(to, bytes);
      await rewrite("overwrite", to);
    },
    async rename(from, to) {
      await realOs.rename(from, to);
      await rewrite("rename", to);
    },
  };
}

const MOMENTS: Record<string, (call: string, path: string) => boolean> = {
  "while the program is copied": (call, path) => call === "copy" && path.includes("signet-pyagent"),
  "after the ledger was written": (call, path) => call === "rename" && path.endsWith("ledger.json"),
  "after the new config was written, before it is renamed": (call, path) =>
    call === "overwrite" && path.includes("config.yaml.signet-"),
  "right after the rename": (call, path) => call === "rename" && path.endsWith("config.yaml"),
};

for (const [moment, isMoment] of Object.entries(MOMENTS)) {
  Deno.test(`applyPlan() keeps what the harness writes to its config ${moment}`, () =>
    withHome({}, async (home) => {
      const before = await treeOf(home);
      const path = `${home}/${CONFIG}`;
      const request = requestFor(home);
      const { plan } = await applyPlan(busyOs(path, isMoment), await planInstall(realOs, request));
      assertEquals(plan.changes.filter((change) => change.path === path).length, 1);
      assertEquals(plan.changes.filter(({ kind }) => kind === "program").length, 1);
      const installed = await Deno.readTextFile(path);
      assertStringIncludes(installed, "from_the_harness_0: 1");
      assertStringIncludes(installed, "hook session-start");

      await Deno.writeTextFile(path, installed.replace("from_the_harness_0: 1\n", ""));
      await applyPlan(busyOs(path, isMoment), await planUninstall(realOs, request));
      const left = await Deno.readTextFile(path);
      assert(!left.includes("signet"), left);
      assertEquals(left.replace("from_the_harness_0: 1\n", ""), before[CONFIG]?.text);
    }));
}

Deno.test("applyPlan() gives up on a config that changes every time, and changes nothing", () =>
  withHome({}, async (home) => {
    const path = `${home}/${CONFIG}`;
    const os = busyOs(path, (call, at) => call === "overwrite" && at.includes("config.yaml.signet-"), 1000);
    const plan = await planInstall(realOs, requestFor(home));
    const error = await assertRejects(
      () => applyPlan(os, plan),
      Error,
      "is being written by another program",
    );
    assertStringIncludes(error.message, "nothing was changed");
    const tree = await treeOf(home);
    assertStringIncludes(tree[CONFIG]?.text ?? "", "from_the_harness_");
    assert(!tree[CONFIG]?.text?.includes("signet"));
    assertEquals(tree[".local"], undefined);
  }));

Deno.test("applyPlan() rolls back without losing what the harness wrote after our rename", () =>
  withHome({}, async (home) => {
    const path = `${home}/${CONFIG}`;
    const before = await Deno.readTextFile(path);
    const busy = busyOs(path, (call, at) => call === "rename" && at.endsWith("config.yaml"));
    const os: Os = {
      ...busy,
      symlink: () => Promise.reject(new Error("disk on fire")),
    };
    const plan = await planInstall(realOs, requestFor(home));
    await assertRejects(() => applyPlan(os, plan), Error, "(disk on fire); nothing was changed");
    assertEquals(await Deno.readTextFile(path), "from_the_harness_0: 1\n" + before);
  }));

Deno.test("an uninstall from the ledger alone removes what a killed copy of the program left", () =>
  withHome({}, async (home) => {
    const before = await treeOf(home);
    const os: Os = {
      ...realOs,
      async copy(from, to, mode) {
        await realOs.copy(from, to, mode);
        throw new Deno.errors.Interrupted("killed");
      },
      // A killed process cleans up nothing.
      remove: () => Promise.resolve(),
    };
    const plan = await planInstall(realOs, requestFor(home));
    await assertRejects(() => applyPlan(os, plan));
    const left = Object.keys(await treeOf(home)).filter((path) => path.endsWith(".tmp"));
    assertEquals(left.length, 1, left.join(" "));
    await applyPlan(realOs, await planUninstall(realOs, requestFor(home, [])));
    assertEquals(await treeOf(home), before);
  }));

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Os, realOs } from "../../fs/os.ts";
import { isOnPath } from "../../testing/on_path.ts";
import { requestFor, withHome } from "../../testing/scratch.ts";
import { applyPlan } from "./apply.ts";
import type { Plan } from "../plan/plan.ts";
import { planInstall } from "../plan/plan_install.ts";
import { planUninstall } from "../plan/plan_uninstall.ts";
import { showPlan } from "../plan/show_plan.ts";

const CONFIG = ".pyagent/config.yaml";

/** Installs and uninstalls, and calls `check` after each. */
async function roundTrip(home: string, os: Os, check: (plan: Plan) => Promise<void>): Promise<void> {
  const request = requestFor(home);
  const before = await Deno.readTextFile(`${home}/${CONFIG}`);
  const plan = await planInstall(os, request);
  await applyPlan(os, plan);
  assertStringIncludes(await Deno.readTextFile(`${home}/${CONFIG}`), "hook session-start");
  await check(plan);
  const back = await planUninstall(os, request);
  await applyPlan(os, back);
  assertEquals(await Deno.readTextFile(`${home}/${CONFIG}`), before);
  await check(back);
}

async function output(program: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

const hasTools = isOnPath("setfacl") && isOnPath("setfattr");

Deno.test({
  name: `a config keeps its ACL and extended attributes${hasTools ? "" : " (needs setfacl and setfattr)"}`,
  ignore: !hasTools,
  fn: () =>
    withHome({}, async (home) => {
      const path = `${home}/${CONFIG}`;
      await output("setfacl", "-m", "u:65534:rw,g:65534:r", path);
      await output("setfattr", "-n", "user.note", "-v", "mine", path);
      const look = async () =>
        await output("getfacl", "-p", path) + await output("getfattr", "--absolute-names", "-d", path);
      const before = await look();
      assertStringIncludes(before, "user:nobody:rw-");
      assertStringIncludes(before, 'user.note="mine"');
      await roundTrip(home, realOs, async (plan) => {
        assertEquals(await look(), before);
        assert(!/^# /m.test(showPlan(plan)), "nothing is lost, so nothing is noted");
      });
    }),
});

Deno.test("a config with two names stays one file, and the diff says how", () =>
  withHome({}, async (home) => {
    const other = `${home}/dotfiles.yaml`;
    await Deno.link(`${home}/${CONFIG}`, other);
    const { ino } = await Deno.stat(other);
    await roundTrip(home, realOs, async (plan) => {
      assertEquals((await Deno.stat(`${home}/${CONFIG}`)).ino, ino);
      assertEquals(await Deno.readTextFile(other), await Deno.readTextFile(`${home}/${CONFIG}`));
      assertStringIncludes(showPlan(plan), "# written in place, because it has more than one name");
    });
  }));

Deno.test("a config with two names keeps its bytes if writing it in place fails", () =>
  withHome({}, async (home) => {
    const path = `${home}/${CONFIG}`;
    await Deno.link(path, `${home}/dotfiles.yaml`);
    const before = await Deno.readTextFile(path);
    let failing = true;
    const os: Os = {
      ...realOs,
      async overwrite(to, bytes) {
        if (to !== path || !failing) return await realOs.overwrite(to, bytes);
        failing = false;
        await realOs.overwrite(to, bytes.subarray(0, 10));
        throw new Error("disk full");
      },
    };
    const plan = await planInstall(os, requestFor(home));
    let message = "";
    await applyPlan(os, plan).catch((error) => message = error.message);
    assertStringIncludes(message, "(disk full); nothing was changed");
    assertEquals(await Deno.readTextFile(path), before);
  }));

const isRoot = Deno.build.os !== "windows" && Deno.uid() === 0;

Deno.test({
  name: "root keeps the owner of a user's config",
  ignore: !isRoot,
  fn: () =>
    withHome({}, async (home) => {
      await Deno.chown(`${home}/${CONFIG}`, 65534, 65534);
      await roundTrip(home, realOs, async () => {
        const { uid, gid } = await Deno.stat(`${home}/${CONFIG}`);
        assertEquals([uid, gid], [65534, 65534]);
      });
    }),
});

Deno.test({
  name: "a user who may write another user's config keeps its owner, by writing it in place",
  ignore: !isRoot,
  fn: () =>
    withHome({}, async (home) => {
      const path = `${home}/${CONFIG}`;
      await Deno.chown(path, 65534, 65534);
      // What `cp -a` does without the right to give a file away.
      const os: Os = {
        ...realOs,
        uid: () => 1000,
        async copyWithAttributes(from, to) {
          await Deno.copyFile(from, to);
          return true;
        },
      };
      await roundTrip(home, os, async (plan) => {
        assertEquals((await Deno.stat(path)).uid, 65534);
        assertStringIncludes(showPlan(plan), "# written in place, because it belongs to another user");
      });
      const closed: Os = { ...os, isWritable: () => Promise.resolve(false) };
      assertStringIncludes(
        showPlan(await planInstall(closed, requestFor(home))),
        "# its owner is not kept: only root can create a file of another user",
      );
    }),
});

Deno.test("attributes that cannot be copied do not stop an install, and the diff says so", () =>
  withHome({}, async (home) => {
    const os: Os = {
      ...realOs,
      copyWithAttributes: () => Promise.resolve(false),
      keepsAttributes: () => Promise.resolve(false),
    };
    await roundTrip(home, os, (plan) => {
      assertStringIncludes(showPlan(plan), "# its ACL and extended attributes, if any, are not kept");
      return Promise.resolve();
    });
    assertEquals(
      [...Deno.readDirSync(`${home}/.pyagent`)].map(({ name }) => name).sort(),
      ["config.yaml", "identity"],
    );
  }));

import { assert, assertEquals } from "@std/assert";
import { applyPlan } from "./apply.ts";
import type { Os } from "../../fs/os.ts";
import type { PlanInput } from "../plan/plan.ts";
import { planInstall } from "../plan/plan_install.ts";
import { planUninstall } from "../plan/plan_uninstall.ts";
import { copyTree } from "../../testing/copy_tree.ts";
import { DEEP } from "../../testing/deep.ts";
import { dyingOs } from "../../testing/os/dying_os.ts";
import { quickOs } from "../../testing/os/quick_os.ts";
import { SEED, SEEDED } from "../../testing/seed.ts";
import { everyTarget, requestFor, scratchHome } from "../../testing/scratch.ts";
import { type Found, treeOf } from "../../testing/tree_of.ts";

type Act = (os: Os, home: string) => Promise<unknown>;
const installed = (version: number): Act => async (os, home) =>
  await applyPlan(os, await planInstall(os, at(home, version)));
const uninstalled: Act = async (os, home) => await applyPlan(os, await planUninstall(os, at(home, 1)));

function at(home: string, version: number): PlanInput {
  return requestFor(home, everyTarget(home, version));
}

/** The user's files: everything but Signet's state, whose records may differ. */
async function world(home: string): Promise<Record<string, Found>> {
  const tree = await treeOf(home);
  return Object.fromEntries(
    Object.entries(tree)
      // Killed before its first file, an install leaves the empty directories that its lock needed.
      .filter(([path]) => !path.startsWith(".local/state") && path !== ".local")
      .map((
        [path, found],
      ) => [path, {
        ...found,
        ...found.text === undefined ? {} : { text: found.text.replaceAll(home, "~") },
      }]),
  );
}

async function worldAfter(acts: readonly Act[]): Promise<Record<string, Found>> {
  const home = await scratchHome();
  try {
    for (const act of acts) await act(quickOs, home);
    return await world(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

const CASES: { name: string; first: Act[]; dying: Act; heal: Act[]; healed: Act[] }[] = [
  {
    name: "install, then install",
    first: [],
    dying: installed(1),
    heal: [installed(1)],
    healed: [installed(1)],
  },
  { name: "install, then uninstall", first: [], dying: installed(1), heal: [uninstalled], healed: [] },
  {
    name: "install, then install and uninstall",
    first: [],
    dying: installed(1),
    heal: [installed(1), uninstalled],
    healed: [],
  },
  {
    name: "upgrade, then upgrade",
    first: [installed(1)],
    dying: installed(2),
    heal: [installed(2)],
    healed: [installed(2)],
  },
  {
    name: "upgrade, then uninstall",
    first: [installed(1)],
    dying: installed(2),
    heal: [uninstalled],
    healed: [],
  },
  {
    name: "upgrade, then upgrade and uninstall",
    first: [installed(1)],
    dying: installed(2),
    heal: [installed(2), uninstalled],
    healed: [],
  },
  {
    name: "uninstall, then uninstall",
    first: [installed(1)],
    dying: uninstalled,
    heal: [uninstalled],
    healed: [],
  },
  {
    name: "uninstall, then install and uninstall",
    first: [installed(1)],
    dying: uninstalled,
    heal: [installed(1), uninstalled],
    healed: [],
  },
];

for (const { name, first, dying, heal, healed } of CASES) {
  Deno.test(`applyPlan() killed at any step of ${name} leaves whole files, and the next run repairs the rest ${SEEDED}`, async () => {
    const expected = await worldAfter(healed);
    const before = await worldAfter(first);
    const after = await worldAfter([...first, dying]);
    const home = await scratchHome();
    for (const act of first) await act(quickOs, home);
    // Copied for each step, which is quicker than to act again. Files in a home have its path in them.
    const saved = `${home}-saved`;
    Deno.renameSync(home, saved);
    // Every second step, other ones in other runs; or every step in a deep run.
    let step = DEEP ? 1 : 1 + (SEED & 1);
    for (let finished = false; !finished; step += DEEP ? 1 : 2) {
      copyTree(saved, home);
      try {
        const { os } = dyingOs(step);
        try {
          await dying(os, home);
          finished = true;
        } catch (error) {
          assert(
            error instanceof Error && /die|dead/.test(error.message),
            `step ${step}: ${error}`,
          );
        }
        const torn = Object.entries(await world(home)).filter(([path, found]) =>
          found.text !== undefined && !/\.signet-[0-9a-f]{12}\.tmp$/.test(path) &&
          found.text !== before[path]?.text && found.text !== after[path]?.text
        );
        assertEquals(torn, [], `killed at step ${step}, every file is old or new`);
        for (const act of heal) await act(quickOs, home);
        assertEquals(await world(home), expected, `killed at step ${step}, then healed`);
        if (healed.length === 0) {
          assertEquals(
            Object.keys(await treeOf(home)).filter((path) => path.startsWith(".local/state/signet")),
            [],
          );
        }
      } finally {
        await Deno.remove(home, { recursive: true });
      }
    }
    await Deno.remove(saved, { recursive: true });
    assert(step > 10, "the plan has many steps");
  });
}

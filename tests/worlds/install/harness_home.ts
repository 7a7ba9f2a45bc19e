import { HARNESSES } from "../../../connectors/registry.ts";
import { applyPlan } from "../../../connectors/base/install/apply/apply.ts";
import type { Harness, InstallFlags, Target } from "../../../connectors/base/harness.ts";
import { type Os, realOs } from "../../../connectors/base/fs/os.ts";
import type { Plan, PlanInput } from "../../../connectors/base/install/plan/plan.ts";
import { planInstall } from "../../../connectors/base/install/plan/plan_install.ts";
import { planUninstall } from "../../../connectors/base/install/plan/plan_uninstall.ts";
import { quickOs } from "../../../connectors/base/testing/os/quick_os.ts";
import { ScratchHome } from "../../../connectors/base/testing/scratch_home.ts";
import { DEFAULT_FLAGS, siteFor } from "../../../connectors/base/site/site.ts";

export type EditTarget = Extract<Target, { kind: "edit" }>;

/** A scratch home in which one harness is installed and uninstalled by its own descriptor. */
export class HarnessHome extends ScratchHome {
  constructor(
    readonly harness: Harness,
    path: string,
    readonly os: Os = realOs,
    readonly flags: InstallFlags = DEFAULT_FLAGS,
  ) {
    super(path);
  }

  /** With the quick system: what the real one does beyond it is tested next to it, once and not per harness. */
  static async make(harness: Harness, flags?: InstallFlags): Promise<HarnessHome> {
    return new HarnessHome(harness, await ScratchHome.makeRoot(), quickOs, flags);
  }

  request(): PlanInput {
    const { harness, path } = this;
    const host = { os: "linux" as const, env: (name: string) => name === "HOME" ? path : undefined };
    const site = siteFor(harness, {
      host,
      program: `${path}/.local/bin/${harness.binary}`,
      flags: this.flags,
    });
    return {
      harness: harness.id,
      stateDir: `${path}/.local/state/signet/${harness.id}`,
      targets: harness.targets(site),
    };
  }

  /** The user's files that the harness's install edits. */
  configs(): EditTarget[] {
    return this.request().targets.filter((target) => target.kind === "edit");
  }

  planInstall(): Promise<Plan> {
    return planInstall(this.os, this.request());
  }

  async install(): Promise<Plan> {
    return (await applyPlan(this.os, await this.planInstall())).plan;
  }

  async uninstall(): Promise<Plan> {
    return (await applyPlan(this.os, await planUninstall(this.os, this.request()))).plan;
  }

  /** Writes the harness's configs as users have them, each changed by `shape`. */
  async furnish(shape: (text: string, target: EditTarget) => string = (text) => text): Promise<void> {
    for (const target of this.configs()) {
      const path = target.path.slice(this.path.length + 1);
      await this.write(path, shape(await wild(this.harness, target), target), 0o640);
    }
  }
}

/** A config in the shape that the harness's users have, with other tools' entries in it. */
export function wild(harness: Harness, target: EditTarget): Promise<string> {
  const name = target.path.slice(target.path.lastIndexOf("/") + 1);
  return Deno.readTextFile(new URL(`../../fixtures/configs/${harness.id}/${name}`, import.meta.url));
}

/** Runs one test for every harness that can take part in the agent mesh, installed with `--agents`. */
export function forEachAgentHarness(title: string, body: (home: HarnessHome) => Promise<void>): void {
  for (const harness of HARNESSES.filter(({ agents }) => agents !== undefined)) {
    Deno.test(`${harness.id}: ${title}`, async () => {
      await using home = await HarnessHome.make(harness, { ...DEFAULT_FLAGS, agents: true });
      await body(home);
    });
  }
}

/** Runs one test for every harness, each in a home of its own; ignored for a harness that lacks what it `needs`. */
export function forEachHarness(
  title: string,
  body: (home: HarnessHome) => Promise<void>,
  needs?: "configs",
): void {
  for (const harness of HARNESSES) {
    const lacking = needs === "configs" && new HarnessHome(harness, "/home/u").configs().length === 0;
    Deno.test({
      name: `${harness.id}: ${title}${lacking ? " (it has no config to edit)" : ""}`,
      ignore: lacking,
      async fn() {
        await using home = await HarnessHome.make(harness);
        await body(home);
      },
    });
  }
}

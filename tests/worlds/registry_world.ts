import { HARNESSES } from "../../connectors/registry.ts";
import { applyPlan } from "../../connectors/base/install/apply.ts";
import type { Harness, Target } from "../../connectors/base/harness.ts";
import { type Os, realOs } from "../../connectors/base/fs/os.ts";
import type { Plan, PlanRequest } from "../../connectors/base/install/plan.ts";
import { planInstall } from "../../connectors/base/install/plan_install.ts";
import { planUninstall } from "../../connectors/base/install/plan_uninstall.ts";
import { siteFor } from "../../connectors/base/site/site.ts";

export type EditTarget = Extract<Target, { kind: "edit" }>;

/** A scratch home in which one harness is installed and uninstalled by its own descriptor. */
export class Home {
  constructor(readonly harness: Harness, readonly path: string, readonly os: Os = realOs) {}

  request(): PlanRequest {
    const { harness, path } = this;
    const host = { os: "linux" as const, env: (name: string) => name === "HOME" ? path : undefined };
    const site = siteFor(harness, { host, program: `${path}/.local/bin/${harness.binary}` });
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

  async write(path: string, text: string, mode = 0o640): Promise<void> {
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text, { mode });
  }

  /** Puts the harness's configs there as somebody has them, each changed by `shape`. */
  async furnish(shape: (text: string, target: EditTarget) => string = (text) => text): Promise<void> {
    for (const target of this.configs()) {
      await this.write(target.path, shape(await wild(this.harness, target), target));
    }
  }
}

/** A config in the shape that the harness's users have, with other tools' entries in it. */
export function wild(harness: Harness, target: EditTarget): Promise<string> {
  const name = target.path.slice(target.path.lastIndexOf("/") + 1);
  return Deno.readTextFile(new URL(`../fixtures/configs/${harness.id}/${name}`, import.meta.url));
}

/** Runs one test for every harness there is, each in a home of its own. A path with a space and a quote in it, as people have. */
export function forEachHarness(title: string, body: (home: Home) => Promise<void>): void {
  for (const harness of HARNESSES) {
    Deno.test(`${harness.id}: ${title}`, async () => {
      const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "signet u's " }));
      try {
        await body(new Home(harness, root));
      } finally {
        await Deno.remove(root, { recursive: true });
      }
    });
  }
}

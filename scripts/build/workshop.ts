import { VERSION } from "../../hooks/daemon/version.ts";
import type { Workshop } from "./build_one.ts";
import { denoDirs } from "./deno_dirs.ts";
import { findDenort, realWays } from "./denort.ts";
import { sha256File } from "./sha256.ts";
import { DENO_VERSION, type Target } from "./targets.ts";

/** The runtime for a target, on this machine. */
export async function locateDenort(root: string, target: Target): Promise<string> {
  if (Deno.version.deno !== DENO_VERSION) {
    throw new Error(
      `This is Deno ${Deno.version.deno}, and the build needs ${DENO_VERSION}: use ./scripts/deno.`,
    );
  }
  return await findDenort(target, realWays((await denoDirs()).denoDir, root));
}

/** What is needed to build for a target; throws where its runtime cannot be had. */
export async function openWorkshop(
  root: string,
  dist: string,
  target: Target,
  named: boolean,
): Promise<Workshop> {
  const denort = await locateDenort(root, target);
  const { npmCache } = await denoDirs();
  await Deno.mkdir(dist, { recursive: true });
  return {
    root,
    dist,
    npmCache,
    version: VERSION,
    target,
    named,
    denort,
    denortSha256: await sha256File(denort),
  };
}

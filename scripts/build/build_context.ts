import { VERSION } from "../../hooks/daemon/version.ts";
import { denoDirs } from "./deno_dirs.ts";
import { findDenort, runtimeSources } from "./denort/denort.ts";
import { sha256File } from "./sha256.ts";
import { DENO_VERSION, type Target } from "./targets.ts";

/** What all binaries of one build share. */
export interface BuildContext {
  readonly root: string;
  readonly dist: string;
  readonly npmCache: string;
  readonly version: string;
  readonly target: Target;
  /** The target was given on the command line, so it is part of the file name. */
  readonly named: boolean;
  readonly denort: string;
  readonly denortSha256: string;
  /** The public key that is written into the programs. */
  readonly releaseKey?: string;
}

/** Finds the runtime for a target. */
export async function locateDenort(root: string, target: Target): Promise<string> {
  if (Deno.version.deno !== DENO_VERSION) {
    throw new Error(
      `The build needs Deno ${DENO_VERSION}, but this is ${Deno.version.deno}: use ./scripts/deno.`,
    );
  }
  return await findDenort(target, runtimeSources((await denoDirs()).denoDir, root));
}

/** Prepares a build for a target; throws if its runtime is not available. */
export async function openBuildContext(
  root: string,
  dist: string,
  target: Target,
  named: boolean,
): Promise<BuildContext> {
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

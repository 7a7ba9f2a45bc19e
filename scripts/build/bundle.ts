import { relative } from "@std/path";
import { normalizeBundle } from "./normalize_bundle.ts";
import { failure, run, STEP_TIMEOUT_MS } from "./run.ts";

export interface BundleOptions {
  /** An import to leave unresolved. */
  readonly external?: string;
  /** Shortens names and drops white space. */
  readonly minify?: boolean;
}

/**
 * Bundles an entry with code splitting: modules that are imported dynamically stay in separate files.
 */
export async function bundle(
  root: string,
  main: string,
  npmCache: string,
  { external, minify = false }: BundleOptions = {},
): Promise<Map<string, string>> {
  const dir = await Deno.makeTempDir({ prefix: "signet-bundle-" });
  try {
    const args = [
      "bundle",
      "-q",
      "--frozen",
      "--code-splitting",
      "--platform",
      "deno",
      "--outdir",
      dir,
      ...(minify ? ["--minify"] : []),
      ...(external === undefined ? [] : ["--external", external]),
      main,
    ];
    const ended = await run(Deno.execPath(), args, { cwd: root, timeoutMs: STEP_TIMEOUT_MS });
    if (ended.code !== 0) {
      throw new Error(`${main} does not bundle: ${failure(ended, STEP_TIMEOUT_MS)}`);
    }
    const files = new Map<string, string>();
    for await (const entry of Deno.readDir(dir)) {
      files.set(entry.name, await Deno.readTextFile(`${dir}/${entry.name}`));
    }
    const seen = relative(await Deno.realPath(root), npmCache).replaceAll("\\", "/");
    return normalizeBundle(files, seen);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

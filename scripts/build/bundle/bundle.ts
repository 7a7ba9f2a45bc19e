import { relative } from "@std/path";
import { normalizeBundle } from "./normalize_bundle.ts";
import { failure, run, STEP_TIMEOUT_MS } from "../run.ts";

export interface BundleOptions {
  /** Imports to leave unresolved. */
  readonly external?: readonly string[];
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
  { external = [], minify = false }: BundleOptions = {},
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
      ...external.flatMap((name) => ["--external", name]),
      main,
    ];
    const ended = await run(Deno.execPath(), args, { cwd: root, timeoutMs: STEP_TIMEOUT_MS });
    if (ended.code !== 0) {
      throw new Error(`${main} does not bundle: ${failure(ended, STEP_TIMEOUT_MS)}`);
    }
    const files = new Map<string, string>();
    for await (const entry of Deno.readDir(dir)) {
      files.set(entry.name, linkRequire(await Deno.readTextFile(`${dir}/${entry.name}`)));
    }
    const seen = relative(await Deno.realPath(root), npmCache).replaceAll("\\", "/");
    return normalizeBundle(files, seen);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** The function that esbuild writes for a CommonJS `require`, minified. */
const REQUIRE_STUB =
  /\(\w+=>typeof require<"u"\?require:[^]{0,200}?throw Error\('Dynamic require of "'\+\w+\+'" is not supported'\)\}\)/;

/**
 * Replaces esbuild's stub for `require`, which always throws in a module. Deno does
 * this by itself, but does not recognise the stub in minified code.
 */
function linkRequire(text: string): string {
  const linked = text.replace(REQUIRE_STUB, "signetRequire(import.meta.url)");
  if (linked.includes("Dynamic require of")) throw new Error("The bundle has an unknown stub for require().");
  return linked === text ? text : `import{createRequire as signetRequire}from"node:module";${linked}`;
}

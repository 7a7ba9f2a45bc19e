import { join } from "@std/path";
import { run } from "./process.ts";

/** One pinned package; the harness's program is a file in it. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** The file to run, below `node_modules`. */
  readonly program: string;
  /** Do without its install scripts, where those want more than this machine's own Node. */
  readonly ignoreScripts?: boolean;
}

/** Where the programs are kept between runs: outside the repository, since they weigh 350 MB each. */
export function cacheDir(): string {
  const named = Deno.env.get("SIGNET_E2E_CACHE");
  if (named) return named;
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/var/tmp", ".cache");
  return join(cache, "signet-connectors", "e2e");
}

function directory(pkg: Package): string {
  return join(cacheDir(), `${pkg.name.replace(/^.*\//, "")}-${pkg.version}`);
}

/** The absolute path of a fetched package's program. */
export function programPath(pkg: Package): string {
  return join(directory(pkg), "node_modules", pkg.program);
}

async function size(path: string): Promise<number> {
  let total = 0;
  for await (const entry of Deno.readDir(path)) {
    const below = join(path, entry.name);
    if (entry.isDirectory) total += await size(below);
    else if (entry.isFile) total += (await Deno.lstat(below)).size;
  }
  return total;
}

/**
 * Fetches a package with npm, by name, unless it is there already. It is
 * installed beside its place and moved there whole, so that an interrupted
 * download is never taken for a program.
 */
export async function fetchPackage(pkg: Package, say: (line: string) => void): Promise<void> {
  const target = directory(pkg);
  try {
    await Deno.stat(programPath(pkg));
    return;
  } catch (err) {
    if (!(err instanceof Deno.errors.NotFound)) throw err;
  }
  await Deno.mkdir(cacheDir(), { recursive: true });
  const partial = await Deno.makeTempDir({ dir: cacheDir(), prefix: "partial-" });
  await Deno.writeTextFile(join(partial, "package.json"), '{"private":true}\n');
  const label = `${pkg.name}@${pkg.version}`;
  say(`fetching ${label}`);
  const progress = setInterval(async () => {
    const bytes = await size(partial).catch(() => 0);
    say(`fetching ${label}: ${Math.round(bytes / 1e6)} MB on disk`);
  }, 5_000);
  try {
    const flags = ["--no-audit", "--no-fund", ...(pkg.ignoreScripts ? ["--ignore-scripts"] : [])];
    const npm = await run("npm", ["install", ...flags, label], {
      cwd: partial,
      env: Deno.env.toObject(),
      timeoutMs: 600_000,
    });
    if (npm.code !== 0) {
      const errors = npm.stderr.split("\n").filter((line) => line.startsWith("npm error"));
      const said = errors.slice(0, 3).map((line) => line.slice("npm error ".length)).join("; ");
      const cause = npm.timedOut ? "no end after 10 minutes" : said || npm.stderr.trim();
      throw new Error(`npm could not install ${label}: ${cause}`);
    }
    await Deno.stat(join(partial, "node_modules", pkg.program));
    await Deno.remove(target, { recursive: true }).catch(() => {});
    await Deno.rename(partial, target);
    say(`fetched ${label}: ${Math.round(await size(target) / 1e6)} MB`);
  } finally {
    clearInterval(progress);
    await Deno.remove(partial, { recursive: true }).catch(() => {});
  }
}

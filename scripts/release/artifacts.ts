import { sha256File } from "../build/sha256.ts";
import { run } from "../build/run.ts";
import { zipOne } from "../../connectors/connect/release/zip.ts";

/** A file of the release. */
export interface Artifact {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Packs one binary: uncompressed, for machines with only sh and curl; as xz, the
 * smallest; and as zip, which Windows and macOS can open.
 */
export async function packBinary(binary: string, dir: string, xzLevel: number): Promise<Artifact[]> {
  const name = binary.slice(binary.lastIndexOf("/") + 1);
  await linkOrCopy(binary, `${dir}/${name}`);
  // One thread: with more, xz splits the input into blocks and the output depends on the machine.
  const args = ["-k", "-T1", `-${xzLevel}`, `${dir}/${name}`];
  let ended;
  try {
    // No time limit: it takes half a minute on a fast machine and many on a slow one, and cannot hang.
    ended = await run("xz", ["-f", ...args], {});
  } catch (err) {
    if (!(err instanceof Deno.errors.NotFound)) throw err;
    throw new Error("The release needs xz, which is not on PATH: install xz-utils.");
  }
  if (ended.code !== 0) throw new Error(`xz ${name} ended with code ${ended.code}: ${ended.stderr.trim()}`);
  await Deno.writeFile(`${dir}/${name}.zip`, await zipOne(name, await Deno.readFile(binary)));
  return await Promise.all([name, `${name}.xz`, `${name}.zip`].map((file) => describe(dir, file)));
}

/** A file's name, size and hash. */
export async function describe(dir: string, name: string): Promise<Artifact> {
  const path = `${dir}/${name}`;
  return { name, bytes: (await Deno.stat(path)).size, sha256: await sha256File(path) };
}

/** SHA256SUMS, as sha256sum writes and checks it. */
export function sumsText(artifacts: readonly Artifact[]): string {
  return artifacts.map((a) => `${a.sha256}  ${a.name}\n`).sort((a, b) => order(a.slice(66), b.slice(66)))
    .join("");
}

/** Hard-links a file to save disk space, or copies it. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await Deno.link(from, to);
  } catch {
    await Deno.copyFile(from, to);
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

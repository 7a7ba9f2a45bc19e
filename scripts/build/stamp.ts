import { sha256 } from "./sha256.ts";
import { DENO_VERSION } from "./targets.ts";

/** Identifies the inputs of a finished binary, so that an unchanged one is not built again. */
export interface Stamp {
  /** A hash of the bundle, the runtime, the flags and the Deno version. */
  readonly inputs: string;
  readonly size: number;
  readonly mtime: number;
}

/** Hashes everything that goes into a binary. */
export async function hashInputs(
  files: ReadonlyMap<string, string>,
  flags: readonly string[],
  denortSha256: string,
): Promise<string> {
  const sources = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return await sha256(new TextEncoder().encode(JSON.stringify([DENO_VERSION, denortSha256, flags, sources])));
}

/** Reports whether `output` was built from these inputs and passed the smoke test. */
export async function isCurrent(output: string, inputs: string): Promise<boolean> {
  try {
    const stamp: unknown = JSON.parse(await Deno.readTextFile(stampPath(output)));
    const now = await stampOf(output, inputs);
    return typeof stamp === "object" && JSON.stringify(stamp) === JSON.stringify(now);
  } catch (err) {
    if (err instanceof Deno.errors.NotFound || err instanceof SyntaxError) return false;
    throw err;
  }
}

/** Records that `output` is finished and passed the smoke test. */
export async function writeStamp(output: string, inputs: string): Promise<void> {
  const path = stampPath(output);
  const fresh = `${path}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(fresh, JSON.stringify(await stampOf(output, inputs)));
  await Deno.rename(fresh, path);
}

async function stampOf(output: string, inputs: string): Promise<Stamp> {
  const { size, mtime } = await Deno.stat(output);
  return { inputs, size, mtime: mtime?.getTime() ?? 0 };
}

function stampPath(output: string): string {
  const cut = output.lastIndexOf("/");
  return `${output.slice(0, cut)}/.${output.slice(cut + 1)}.built`;
}

import { sha256 } from "./sha256.ts";
import { DENO_VERSION } from "./targets.ts";

/** What a finished binary was made of, kept beside `dist/` so that an unchanged one is not made again. */
export interface Stamp {
  /** Hash over the bundle, the runtime, the flags and Deno's version. */
  readonly inputs: string;
  readonly size: number;
  readonly mtime: number;
}

/** The hash of all that goes into a binary. */
export async function hashInputs(
  files: ReadonlyMap<string, string>,
  flags: readonly string[],
  denortSha256: string,
): Promise<string> {
  const sources = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return await sha256(new TextEncoder().encode(JSON.stringify([DENO_VERSION, denortSha256, flags, sources])));
}

/** Whether `output` is the binary that these inputs made, and was checked. */
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

/** Notes that `output` is finished and checked. */
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

import { fromFileUrl } from "@std/path";
import { type Ended, run } from "../../scripts/build/run.ts";

/** The root of the repository. */
export const ROOT = fromFileUrl(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** The binaries under test; `deno task test:links` names a directory where most are links to signet-connect. */
export const DIST = Deno.env.get("SIGNET_TEST_DIST") ?? `${ROOT}/dist`;

/** Runs a task's script as `deno task` would, away from Deno's own download. */
export async function script(
  name: "build" | "release",
  args: readonly string[],
  options: { root?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const root = options.root ?? ROOT;
  return await run(Deno.execPath(), ["run", "-A", `${root}/scripts/${name}.ts`, ...args], {
    cwd: root,
    env: { SIGNET_DENORT_DOWNLOAD: "0", SOURCE_DATE_EPOCH: "1700000000", NO_COLOR: "1", ...options.env },
  });
}

/** A directory that goes when the test ends: a binary has a hundred megabytes. */
export interface ScratchDir extends AsyncDisposable {
  readonly dir: string;
}

export async function scratchDir(): Promise<ScratchDir> {
  const dir = await Deno.makeTempDir({ prefix: "signet-binary-" });
  return { dir, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
}

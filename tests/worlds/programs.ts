import { fromFileUrl } from "@std/path";
import { exists } from "./exists.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));
const BUNDLES = "SIGNET_TEST_BUNDLES";

/**
 * Bundles the programs that tests start most often into a directory, and returns the environment
 * in which `programArgs` finds them.
 */
export async function bundlePrograms(dir: string): Promise<Record<string, string>> {
  const folders = [...Deno.readDirSync(`${ROOT}connectors`)].map(({ name }) => `connectors/${name}`);
  const mains = [...folders, "mock_daemon"].map((folder) => `${folder}/main.ts`);
  await Promise.all([
    bundle(mains.filter((main) => exists(`${ROOT}${main}`)), dir),
    // It runs 500 times, and the fewer files, the faster it starts.
    bundle(["tests/worlds/hooks/sample_hook.ts"], `${dir}/tests/worlds/hooks`),
  ]);
  return { [BUNDLES]: dir };
}

async function bundle(entries: readonly string[], outdir: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "-q", "--code-splitting", "--platform", "deno", "--outdir", outdir, ...entries],
    cwd: ROOT,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`The programs do not bundle: ${new TextDecoder().decode(stderr)}`);
}

/** The arguments of Deno that start a program of this repository: its bundle if there is one, else its source. */
export function programArgs(entry: string): string[] {
  const dir = Deno.env.get(BUNDLES);
  const always = ["run", "-A", "--no-check"];
  const bundled = `${dir}/${entry.replace(/\.ts$/, ".js")}`;
  if (dir !== undefined && exists(bundled)) return [...always, "--no-config", "--no-lock", bundled];
  return [...always, "--config", `${ROOT}deno.json`, `${ROOT}${entry}`];
}
